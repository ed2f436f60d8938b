"""The contacts of a whole run, kept sparsely: one record for each sample at which a contact is closed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stickslip.dynamics.tree import Floats, Ints
from stickslip.mechanism.errors import ArgumentError
from stickslip.simulate.samples import kept, kept_indices

Letters = NDArray[np.str_]


class ContactTrace(NamedTuple):
    """One contact over a run of n samples.

    `force` (n, 2) or (n, 3), in N, normal first, is zero where the contact is not closed; there `gap` (n,), in m, is NaN and
    `mode` (n,) the empty word, else a letter.
    """

    name: str
    force: Floats
    mode: Letters
    gap: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class ContactHistory:
    """m records of closed contacts, in the order of the samples, within a sample in that of the contacts' ids.

    Record j says that at sample `sample[j]` the contact `names[contact[j]]` is closed in the mode `letter[j]`, its gap
    `gap[j]` in m (NaN where it is not known) and its `force[j]` in N, normal first: (m, 2) in the plane, (m, 3) in space.
    The letters may be given as one word, as letters or as their ASCII codes.
    """

    names: tuple[str, ...]
    sample: Ints
    contact: Ints
    force: Floats
    gap: Floats
    letter: Letters

    def __post_init__(self) -> None:
        names = (self.names,) if isinstance(self.names, str) else tuple(self.names)
        if len(set(names)) != len(names) or not all(isinstance(name, str) for name in names):
            raise ArgumentError(f"contacts need names that differ, not {names!r:.60}.")
        count, shape = int(np.size(self.sample)), np.shape(self.force)
        if len(shape) != 2 or shape[1] not in (2, 3):
            raise ArgumentError(f"the force of the contacts must have shape ({count}, 2) or ({count}, 3), not {shape}.")
        letter = _letters(self.letter, count)
        letter.flags.writeable = False
        for field, value in (
            ("names", names),
            ("sample", kept_indices(self.sample, count, np.iinfo(np.int64).max, "the samples of the contacts")),
            ("contact", kept_indices(self.contact, count, len(names), "the numbers of the contacts")),
            ("force", kept(self.force, (count, shape[1]), "the force of the contacts")),
            ("gap", kept(self.gap, (count,), "the gap of the contacts")),
            ("letter", letter),
        ):
            object.__setattr__(self, field, value)
        self._check_order()

    @classmethod
    def none(cls, *, planar: bool) -> ContactHistory:
        """The history of a run without contacts: no record of a force (0, 2) or (0, 3), in N."""
        nothing = np.zeros(0, dtype=np.int64)
        force = np.zeros((0, 2 if planar else 3))
        return cls(names=(), sample=nothing, contact=nothing, force=force, gap=np.zeros(0), letter=np.zeros(0, dtype="U1"))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies are made anew: arrays that come out of a pickle could be changed."""
        return partial(type(self), **{field.name: getattr(self, field.name) for field in fields(self)}), ()

    def __len__(self) -> int:
        return len(self.sample)

    @property
    def components(self) -> int:
        """The size of a force: 2 in the plane, 3 in space."""
        return int(self.force.shape[1])

    @cached_property
    def word(self) -> str:
        """The letters of all records in one word."""
        return "".join(self.letter.tolist())

    def words(self, samples: int) -> tuple[str, ...]:
        """For each of the samples the letters of the contacts that are closed, in the order of their ids."""
        ends = np.searchsorted(self.sample, np.arange(samples + 1)).tolist()
        return tuple(self.word[a:b] for a, b in pairwise(ends))

    def trace(self, name: str, samples: int) -> ContactTrace:
        """One of the contacts over n samples: force (n, 2) or (n, 3) in N, mode (n,), gap (n,) in m."""
        records = np.flatnonzero(self.contact == self.names.index(name))
        at = self.sample[records]
        force, gap, mode = np.zeros((samples, self.components)), np.full(samples, np.nan), np.zeros(samples, dtype="U1")
        force[at], gap[at], mode[at] = self.force[records], self.gap[records], self.letter[records]
        for array in (force, mode, gap):
            array.flags.writeable = False
        return ContactTrace(name, force, mode, gap)

    def _check_order(self) -> None:
        step = np.diff(self.sample)
        if (step < 0).any():
            raise ArgumentError("the records of contacts must be in the order of their samples.")
        key = self.sample * max(len(self.names), 1) + self.contact
        if not (np.diff(key) > 0).all() and len(np.unique(key)) < len(key):
            raise ArgumentError("a contact can have only one record for each sample.")


def _letters(value: Any, count: int) -> Letters:
    """`value` as an array (count,) of single letters: from a word, from letters or from their codes."""
    array = np.array(list(value) if isinstance(value, str) else value)
    if array.dtype.kind in "iu" and array.size:
        array = array.astype(np.uint32).view("U1")
    if array.shape != (count,) or (count and array.dtype != np.dtype("U1")):
        raise ArgumentError(f"contacts need one letter for each of {count} records, not {value!r:.60}.")
    codes = array.astype("U1").view(np.uint32)
    if count and not (ord("A") <= codes.min() <= codes.max() <= ord("Z")):
        raise ArgumentError("the letters of contacts must be capital letters such as F, S, R, L or D.")
    return array.astype("U1")
