"""`stickslip studies`: what can be reproduced."""

from __future__ import annotations


def studies() -> None:
    """List what can be reproduced, item by item."""
    from stickslip.studies import STUDIES, study

    for name in STUDIES:
        one = study(name)
        print(f"{one.name}\n  {one.about}")
        width = max(len(item.name) for item in one.items)
        for item in one.items:
            print(f"    {item.name:{width}}  {item.about}")
