"""The material of every pair of parts: the world's own, or that of the most specific rule that names the pair.

A rule names one side or both, each by its body or by its shape. It is more specific than another if it points at least as
closely at either side, and more closely at one: a shape of a body beats a shape's name, that beats a body, and a body beats
nothing. Where two rules apply and neither is more specific, somebody has to decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from stickslip.contact.material import Material
from stickslip.contact.pairing import Pair, name_pairs
from stickslip.contact.part import Part
from stickslip.dynamics.tree import Ints
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown


class Rule(NamedTuple):
    """A material for the pairs that one or two names point at."""

    names: tuple[str, ...]
    material: Material

    def __str__(self) -> str:
        return repr(self.names[0] if len(self.names) == 1 else self.names)


def materials_of_pairs(
    parts: tuple[Part, ...], pairs: list[Pair], bodies: list[str], material: Material, materials: Any
) -> tuple[list[Material], Ints]:
    """The materials in use, the world's own first, and for every pair which of them is its (pairs,)."""
    if not isinstance(material, Material):
        raise ArgumentError(f"the material of a world must be a Material(friction=…), not {shown(material)}.")
    rules = _rules(materials, parts, bodies)
    of_pair = np.zeros(len(pairs), dtype=np.int64)
    if not rules:
        return [material], of_pair
    ends = np.array(pairs, dtype=np.int64).reshape(len(pairs), 2)
    closeness = np.stack([_closeness(rule, parts, ends) for rule in rules])  # (rules, pairs, 2)
    applies = closeness.sum(axis=2) > 0
    for rule, used in zip(rules, applies.any(axis=1), strict=True):
        if not used:
            raise ArgumentError(f"the material for {rule} is never used: no pair that may touch is called so.")
    for p in np.flatnonzero(applies.any(axis=0)):
        of_pair[p] = 1 + _most_specific(rules, closeness[:, p], np.flatnonzero(applies[:, p]), parts, pairs[p])
    return [material, *(rule.material for rule in rules)], of_pair


def _rules(materials: Any, parts: tuple[Part, ...], bodies: list[str]) -> list[Rule]:
    if materials is None:
        return []
    if not isinstance(materials, Mapping):
        raise ArgumentError(f"materials must be a mapping such as {{('leg', 'floor'): Material(0.3)}}, not {shown(materials)}.")
    for names, material in materials.items():
        if not isinstance(material, Material):
            raise ArgumentError(f"the material for {names!r} must be a Material(friction=…), not {shown(material)}.")
    keys = name_pairs(list(materials), parts, bodies, "materials", single=True)
    return [Rule(names, material) for names, material in zip(keys, materials.values(), strict=True)]


def _closeness(rule: Rule, parts: tuple[Part, ...], ends: Ints) -> Ints:
    """How closely a rule points at the two sides of every pair (pairs, 2), zero twice where it does not apply."""
    first, second = (np.array([part.answers_to(name) for part in parts]) for name in (*rule.names, rule.names[0])[:2])
    straight, crossed = (
        np.column_stack([one[ends[:, 0]], other[ends[:, 1]]]) for one, other in ((first, second), (second, first))
    )
    if len(rule.names) == 1:
        return straight
    straight[(straight == 0).any(axis=1)] = 0
    crossed[(crossed == 0).any(axis=1)] = 0
    return np.where((straight.sum(axis=1) >= crossed.sum(axis=1))[:, None], straight, crossed)


def _most_specific(rules: list[Rule], closeness: Ints, candidates: Ints, parts: tuple[Part, ...], pair: Pair) -> int:
    """The rule that no other beats; several such must agree."""
    unbeaten = [r for r in candidates if not any(_beats(closeness[other], closeness[r]) for other in candidates)]
    chosen, *rivals = (rules[r] for r in unbeaten)
    for rival in rivals:
        if rival.material != chosen.material:
            a, b = (parts[p].full_name for p in pair)
            raise ArgumentError(
                f"materials are given for {chosen} and for {rival}, and neither is more specific for {b!r} on {a!r}; give that "
                "pair one of its own."
            )
    return int(unbeaten[0])


def _beats(one: Ints, other: Ints) -> bool:
    return bool((one >= other).all() and (one > other).any())
