"""The studies by name. A new one is a line here; its module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.numbers import shown
from stickslip.studies.study import Study

STUDIES = {  # each module holds a STUDY
    "minimal-coordinates": "stickslip.studies.minimal_coordinates",
}


def study(name: str) -> Study:
    """The study of this name."""
    if name not in STUDIES:
        near = did_you_mean(name, STUDIES) if isinstance(name, str) else "."
        cure = near if near != "." else f"; there are {', '.join(STUDIES)}."
        raise ArgumentError(f"there is no study {shown(name)}{cure}")
    found = import_module(STUDIES[name]).STUDY
    assert isinstance(found, Study)
    return found
