"""Integers times a power of two are the floats, exactly."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stickslip.complementarity.exact import dyadic, fractions

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(FLOATS, max_size=6))
def test_dyadic_numbers_are_the_floats(numbers):
    whole, exponent = dyadic(np.array(numbers))
    assert exponent <= 0
    assert [Fraction(w) * Fraction(2) ** exponent for w in whole] == [Fraction(x) for x in numbers]


def test_nesting_follows_the_shape():
    array = np.arange(12.0).reshape(2, 3, 2) / 4
    whole, exponent = dyadic(array)
    assert (np.array(whole) * 2.0**exponent == array).all()
    assert dyadic(np.zeros((3, 0)))[0] == [[], [], []]
    assert dyadic(2.5) == (5 << 50, -51)
    assert dyadic(np.zeros((0, 4)))[0] == []


def test_fractions_are_the_floats():
    assert fractions([[0.5, 0.1]]) == [[Fraction(1, 2), Fraction(0.1)]]
