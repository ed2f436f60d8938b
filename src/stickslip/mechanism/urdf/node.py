"""An element of a URDF file that knows what to call itself when something in it is wrong."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from typing import cast
from xml.etree.ElementTree import Element

from stickslip.mechanism.errors import UrdfError
from stickslip.mechanism.numbers import ORIGIN, Vector3, shown
from stickslip.mechanism.urdf.vocabulary import check_words

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)

UNBOUNDED = sys.float_info.max
"""How a URDF file says "no bound" where the format demands a number: it has no infinity."""


class Node:
    """One element of the file and its `label`, such as "joint 'hip'" or "<origin> of joint 'hip'"."""

    def __init__(self, element: Element, label: str) -> None:
        self.element = element
        self.label = label
        check_words(element, label)

    def child(self, tag: str) -> Node | None:
        """The only child with that tag, if there is one."""
        found = self.element.findall(tag)
        if len(found) > 1:
            raise UrdfError(f"{self.label} has {len(found)} <{tag}> elements, but only one makes sense.")
        return Node(found[0], f"<{tag}> of {self.label}") if found else None

    def needed(self, tag: str) -> Node:
        """The only child with that tag, which must be there."""
        found = self.child(tag)
        if found is None:
            raise UrdfError(f"{self.label} needs a <{tag}>.")
        return found

    def children(self, tag: str) -> Iterator[Node]:
        """All children with that tag."""
        for element in self.element.iterfind(tag):
            yield Node(element, f"<{tag}> of {self.label}")

    def text(self, attribute: str) -> str:
        """An attribute that must be there and not be blank."""
        value = self.element.get(attribute)
        if value is None:
            raise UrdfError(f"{self.label} needs the attribute {attribute!r}.")
        if not value.strip():
            raise UrdfError(f"the attribute {attribute!r} of {self.label} must not be empty.")
        return value

    def number(self, attribute: str, default: float | None = None) -> float:
        """An attribute that holds one number; without a default it must be there."""
        if default is not None and self.element.get(attribute) is None:
            return default
        return self._numbers(attribute, 1, "a finite number")[0]

    def bound(self, attribute: str, default: float) -> float:
        """A number of which the largest float stands for infinity."""
        value = self.number(attribute, default)
        return math.copysign(math.inf, value) if abs(value) == UNBOUNDED else value

    def vector(self, attribute: str, default: Vector3 | None = None) -> Vector3:
        """An attribute that holds three numbers; without a default it must be there."""
        if default is not None and self.element.get(attribute) is None:
            return default
        return cast(Vector3, self._numbers(attribute, 3, "three finite numbers"))

    def pose(self) -> tuple[Vector3, Vector3]:
        """The xyz (m) and rpy (rad) of the <origin>; both zero without one."""
        origin = self.child("origin")
        return (origin.vector("xyz", ORIGIN), origin.vector("rpy", ORIGIN)) if origin else (ORIGIN, ORIGIN)

    def _numbers(self, attribute: str, count: int, expected: str) -> tuple[float, ...]:
        text = self.text(attribute)
        words = text.split()
        numbers = tuple(float(word) for word in words if NUMBER.fullmatch(word))
        if len(words) != count or len(numbers) != count or not all(map(math.isfinite, numbers)):
            raise UrdfError(f"the attribute {attribute!r} of {self.label} must hold {expected}, not {shown(text)}.")
        return numbers
