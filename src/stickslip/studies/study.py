"""A study: the figures and tables of a paper, each with what it claims and what is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.numbers import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Value = float | int | bool | str | None


class Compared(NamedTuple):
    """One quantity as the paper has it and as it is here; None where there is none."""

    paper: Value
    ours: Value


class Table(NamedTuple):
    """Columns of numbers, under names with their units."""

    columns: tuple[str, ...]
    rows: list[tuple[Value, ...]]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What became of a figure or table.

    `claim` is what the paper says, `finding` what comes out here, both as sentences. `quantities` compares the numbers, by
    names with their units; `data` is what the figure shows. `flags` says what is to be taken with care. `draw` draws it.
    """

    claim: str
    finding: str
    quantities: Mapping[str, Compared]
    data: Table
    draw: Callable[[], Figure]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """A figure or table of a paper: its `name`, a line `about` it, and `where` its function is: "module:function"."""

    name: str
    about: str
    where: str

    def find(self) -> Finding:
        """What becomes of it; what is needed for that is imported only now."""
        module, _, function = self.where.partition(":")
        found = getattr(import_module(module), function)()
        assert isinstance(found, Finding)
        return found


@dataclass(frozen=True)
class Study:
    """All items of a paper that are reproduced."""

    name: str
    about: str
    items: tuple[Item, ...]

    def item(self, name: str) -> Item:
        """The item of this name."""
        names = [item.name for item in self.items]
        if name not in names:
            near = did_you_mean(name, names)
            cure = near if near != "." else f"; it has {', '.join(names)}."
            raise ArgumentError(f"study {self.name!r} has no item {shown(name)}{cure}")
        return self.items[names.index(name)]
