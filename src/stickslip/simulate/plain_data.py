"""Nested numbers, words, sequences and mappings that nobody can change, and their JSON, which loses nothing of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown


def frozen(value: Any, what: str) -> Any:
    """`value` with mappings read-only, sequences and arrays as tuples, numbers as Python's; `what` names it in the error."""
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ArgumentError(f"the keys of {what} must be words, but one is {shown(key)}.")
        return MappingProxyType({str(key): frozen(entry, f"{key!r} in {what}") for key, entry in value.items()})
    if isinstance(value, np.ndarray):
        return frozen(value.tolist(), what)
    if isinstance(value, (list, tuple)):
        return tuple(frozen(entry, what) for entry in value)
    if value is None or isinstance(value, (bool, np.bool_)):
        return value if value is None else bool(value)
    for kind, alike in ((str, str), (int, (int, np.integer)), (float, (float, np.floating))):
        if isinstance(value, alike):
            return kind(value)
    raise ArgumentError(f"{what} must be made of numbers, words, sequences and mappings, not {shown(value)}.")


def thawed(value: Any) -> Any:
    """The same with plain dictionaries, which can be copied and sent to other processes."""
    if isinstance(value, Mapping):
        return {key: thawed(entry) for key, entry in value.items()}
    return tuple(thawed(entry) for entry in value) if isinstance(value, tuple) else value


def to_json(value: Any) -> str:
    """Frozen data as text; every float with all of its digits."""
    return json.dumps(thawed(value))


def from_json(text: str, what: str) -> Any:
    """The frozen data that `to_json` wrote."""
    return frozen(json.loads(text), what)
