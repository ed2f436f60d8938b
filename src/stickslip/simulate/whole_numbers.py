"""Settings that are whole numbers, and how large they may be."""

from __future__ import annotations

from typing import Any

from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown

MOST_STEPS = 10**15  # of a run, or between two samples
MOST_CONTACTS = 2000  # at one time; dense matrices of more do not fit into memory
MOST_UNKNOWNS = 20_000  # of all contacts at one time, for the same reason
FEWEST_DIRECTIONS = 4


def refuse_number(value: Any, least: int, most: int, what: str) -> None:
    """A sentence unless `value` is a whole number within these bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ArgumentError(f"{what} must be a whole number of at least {least}, not {shown(value)}.")
    if value > most:
        raise ArgumentError(f"{what} must be at most {most}, not {shown(value)}.")


def refuse_contacts(most_contacts: Any, directions: Any) -> None:
    """A sentence unless so many contacts, with friction along so many directions (None: as it is exact), can be solved."""
    refuse_number(most_contacts, 1, MOST_CONTACTS, "most_contacts")
    if directions is None:
        return
    refuse_number(directions, FEWEST_DIRECTIONS, MOST_UNKNOWNS, "directions")
    if directions % 2:
        raise ArgumentError(f"directions must be even, each with its opposite, not {directions}.")
    unknowns = most_contacts * (directions + 2)
    if unknowns > MOST_UNKNOWNS:
        raise ArgumentError(
            f"{most_contacts} contacts with {directions} directions have {unknowns} unknowns, of which there may be "
            f"{MOST_UNKNOWNS}; take fewer directions, or a smaller most_contacts."
        )
