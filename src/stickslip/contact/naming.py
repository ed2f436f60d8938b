"""What a contact is called: the same at every instant, and as short as its world allows.

    toe_rear                    the shape toe_rear, which can touch just one obstacle, in just one place
    toe_rear on floor           the same in a world with more than one thing that it could touch
    crate:2                     corner 2 of a crate: shapes that may touch in several places count them
    crate:2 on ramp             both
    can:11.3 on crate           feature 11 of the can on feature 3 of the crate, where both have edges or rims
    left_toe on right_toe       two bodies of the mechanism; the one after "on" counts as the environment

Nothing in a name depends on what else touches at the instant. A name without its last part stands for all contacts that go on
after it: "crate" for all of its corners, "toe_rear" for the toe on whatever it stands.
"""

from __future__ import annotations

from stickslip.contact.part import Part
from stickslip.contact.touch import CODES

ON = " on "
PLACE = ":"


def contact_name(first: Part, second: Part, number: int, *, one_partner: bool, one_place: bool) -> str:
    """The name of contact `number` of `second` on `first`.

    `one_partner`: there is nothing else that `second` could touch; `one_place`: these two can touch in one place only.
    """
    features = f"{number % CODES}.{number // CODES}" if number >= CODES else str(number)
    place = "" if one_place else f"{PLACE}{features}"
    ground = "" if one_partner and first.is_obstacle else f"{ON}{first.name}"
    return f"{second.name}{place}{ground}"


def is_meant(name: str, wanted: str) -> bool:
    """Whether the contact called `name` is the one, or one of those, that `wanted` stands for."""
    return name == wanted or name.startswith((wanted + PLACE, wanted + ON))
