"""What happens at one instant of a run: a collision, a contact that is made or lost, sticking, slipping."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown

MOST_COMPONENTS = 3  # of an impulse: normal, and one or two tangents


class EventKind(StrEnum):
    """The kinds of event that simulations of contact know."""

    COLLISION = "collision"  # velocities jump
    CONTACT_MADE = "contact made"  # a gap closed for good
    CONTACT_LOST = "contact lost"
    STICK = "stick"
    SLIP = "slip"
    SLIP_REVERSAL = "slip reversal"
    LIMIT_REACHED = "limit reached"
    LIMIT_LEFT = "limit left"


_KINDS = {kind.value: kind for kind in EventKind}


@dataclass(frozen=True)
class Event:
    """What happened at `time`, in s, to the `contacts` (or joint limits) of these names.

    `kind` is "collision", "contact made", "contact lost", "stick", "slip", "slip reversal", "limit reached", "limit left", or
    the name that a user's own system gives. `impulses` holds, where they are known, one tuple for each of `contacts`: the
    impulse in N s (N m s at a joint's limit), normal first. `energy_change`, in J, is what the event adds to the energy; None
    where it is not known.

    >>> import stickslip as ss
    >>> bounce = ss.Event(0.45, "collision", ("ball",), impulses=((6.6, 0.0),), energy_change=-3.7)
    >>> bounce.normal_impulse("ball")
    6.6
    """

    time: float
    kind: str
    contacts: tuple[str, ...] = ()
    impulses: tuple[tuple[float, ...], ...] = ()
    energy_change: float | None = None

    def __post_init__(self) -> None:
        self._set("time", _number(self.time, "the time of an event"))
        if not isinstance(self.kind, str) or not self.kind:
            raise ArgumentError(f"the kind of an event must be a word, not {shown(self.kind)}.")
        self._set("kind", _KINDS.get(self.kind, str(self.kind)))
        if isinstance(self.contacts, str) or not all(isinstance(name, str) for name in self.contacts):
            raise ArgumentError(f"the contacts of an event must be a sequence of names, not {shown(self.contacts)}.")
        self._set("contacts", tuple(self.contacts))
        self._set("impulses", tuple(tuple(map(float, impulse)) for impulse in self.impulses))
        if len(self.impulses) not in (0, len(self.contacts)):
            raise ArgumentError(
                f"an event needs one impulse for each of its {len(self.contacts)} contacts, or none, not {len(self.impulses)}."
            )
        if not all(1 <= len(impulse) <= MOST_COMPONENTS for impulse in self.impulses):
            raise ArgumentError("an impulse has one to three components, normal first.")
        if self.energy_change is not None:
            self._set("energy_change", _number(self.energy_change, "the energy change of an event"))

    def normal_impulse(self, contact: str) -> float:
        """The normal impulse, in N s, on one of the event's contacts; NaN where it is not known."""
        if contact not in self.contacts:
            raise ArgumentError(f"contact {contact!r} has no part in this event, but {', '.join(self.contacts) or 'none'}.")
        return self.impulses[self.contacts.index(contact)][0] if self.impulses else math.nan

    def __str__(self) -> str:
        where = f" of {', '.join(self.contacts)}" if self.contacts else ""
        return f"{self.kind}{where} at {self.time:.9g} s"

    def _set(self, field: str, value: Any) -> None:
        object.__setattr__(self, field, value)


def _number(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} must be a number, not {shown(value)}.") from None
    if not math.isfinite(number):
        raise ArgumentError(f"{what} must be finite, not {number:g}.")
    return number
