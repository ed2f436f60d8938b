"""Polynomials with rational coefficients, and their smallest root from zero on, without round-off until the last digit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

Polynomial = list[Fraction]  # the constant first, the last not zero

BITS = 70  # of a root's mantissa before it is rounded to a float


def interpolated(points: Sequence[Fraction], values: Sequence[Fraction]) -> Polynomial:
    """The polynomial of least degree through all points, by Newton's divided differences."""
    table = list(values)
    for order in range(1, len(points)):
        for i in range(len(points) - 1, order - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (points[i] - points[i - order])
    result: Polynomial = []
    for point, coefficient in zip(reversed(points), reversed(table), strict=True):
        shifted = [Fraction(0), *result]
        for i, value in enumerate(result):
            shifted[i] -= point * value
        shifted[0] += coefficient
        result = trimmed(shifted)
    return result


def trimmed(p: Sequence[Fraction]) -> Polynomial:
    """The same without leading zeros."""
    end = len(p)
    while end and p[end - 1] == 0:
        end -= 1
    return list(p[:end])


def value(p: Polynomial, x: Fraction) -> Fraction:
    """p(x)."""
    result = Fraction(0)
    for coefficient in reversed(p):
        result = result * x + coefficient
    return result


def first_root(p: Polynomial) -> tuple[Fraction, Fraction] | None:
    """An interval (low, high], as narrow as a float needs, around the smallest root above zero; None without one.

    For p(0) > 0. The number of roots in an interval is the change of sign changes along Sturm's sequence.
    """
    if all(coefficient >= 0 for coefficient in p):
        return None
    sequence = _sturm(p)
    low, high = Fraction(0), 1 + max(abs(c / p[-1]) for c in p[:-1])  # Cauchy's bound
    at_low = _changes(sequence, low)
    if at_low == _changes(sequence, high):
        return None
    while high - low > high / 2**BITS:
        middle = _rounded((low + high) / 2, high - low)
        if _changes(sequence, middle) < at_low:
            high = middle
        else:
            low = middle
    return low, high


def _rounded(x: Fraction, width: Fraction) -> Fraction:
    """A number near x with few digits, so that bisection does not drag long ones along."""
    grain = Fraction(1)
    while grain > width / 16:
        grain /= 16
    return Fraction(round(x / grain)) * grain


def _sturm(p: Polynomial) -> list[Polynomial]:
    sequence = [p, trimmed([i * c for i, c in enumerate(p)][1:])]
    while len(sequence[-1]) > 1:
        rest = _remainder(sequence[-2], sequence[-1])
        if not rest:
            break
        size = max(abs(c) for c in rest)
        sequence.append([-c / size for c in rest])
    return sequence


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    rest = list(p)
    while len(rest) >= len(q):
        factor, shift = rest[-1] / q[-1], len(rest) - len(q)
        for i, c in enumerate(q):
            rest[shift + i] -= factor * c
        rest = trimmed(rest[:-1])
    return rest


def _changes(sequence: list[Polynomial], x: Fraction) -> int:
    signs = [v > 0 for v in (value(p, x) for p in sequence) if v != 0]
    return sum(a != b for a, b in pairwise(signs))
