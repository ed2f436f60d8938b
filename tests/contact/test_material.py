"""Materials and half-spaces: what they mean, and what they refuse."""

from math import exp, inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickslip.contact.half_space import HalfSpace
from stickslip.contact.material import Material, Stribeck
from stickslip.mechanism.errors import ArgumentError

COEFFICIENTS = st.floats(0, 10)


def test_a_material_is_exact_unless_told_otherwise():
    """Friction jumps at the first slip, restitution is none."""
    ice = Material(0.1, static_friction=0.3)
    assert (ice.at(0.0), ice.at(1e-300), ice.at(-2.0)) == (0.3, 0.1, 0.1)
    assert ice.restitution == 0.0
    assert Material() == Material(friction=0.5, static_friction=0.5, restitution=0.0, transition=None)


def test_the_transition_of_paper_4():
    """Eq 4.10 with the paper's numbers: at 1 mm/s next to nothing is left of static friction."""
    material = Material(0.2, static_friction=0.6, transition=Stribeck(speed=1.4e-4))
    assert material.at(0.0) == 0.6
    assert material.at(1.4e-4) == pytest.approx(0.2 + 0.4 * exp(-1), rel=1e-15)
    assert material.at(-1.4e-4) == material.at(1.4e-4)
    assert material.at(1e-3) == pytest.approx(0.2, abs=4e-4)
    sharper = Material(0.2, static_friction=0.6, transition=Stribeck(speed=0.1, exponent=2))
    assert sharper.at(0.05) == pytest.approx(0.2 + 0.4 * exp(-0.25), rel=1e-15)
    assert sharper.at(1e300) == 0.2


@given(COEFFICIENTS, COEFFICIENTS, st.floats(1e-6, 1), st.floats(0.1, 4), st.floats(0, 1e3), st.floats(0, 1e3))
def test_friction_falls_with_speed_and_stays_between_its_ends(mu, excess, speed, exponent, slow, more):
    material = Material(mu, static_friction=mu + excess, transition=Stribeck(speed=speed, exponent=exponent))
    assert material.friction <= material.at(slow + more) <= material.at(slow) <= material.at(0.0)
    assert material.at(0.0) == pytest.approx(material.static_friction)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"friction": -0.1}, "^friction must not be negative, but is -0.1"),
        ({"friction": nan}, "^friction must be a number, not NaN"),
        ({"friction": inf}, "^friction must be a finite number"),
        ({"friction": "rough"}, "^friction must be a number, not 'rough'"),
        ({"friction": True}, "^friction must be a number, not True"),
        ({"static_friction": -1}, "^static friction must not be negative"),
        (
            {"friction": 0.5, "static_friction": 0.4},
            "^static friction must not be smaller than friction, but is 0.4 against 0.5",
        ),
        ({"restitution": -0.1}, "^restitution must not be negative"),
        ({"restitution": 1.1}, "^restitution must be between 0 and 1, but is 1.1"),
        ({"restitution": nan}, "^restitution must be a number, not NaN"),
        ({"transition": 1e-3}, r"must be a Stribeck\(speed=…\) or None, not 0.001"),
    ],
)
def test_impossible_materials_are_refused(arguments, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        Material(**arguments)


@pytest.mark.parametrize("speed", [0.0, -1.0, nan])
def test_impossible_transitions_are_refused(speed):
    with pytest.raises(ArgumentError, match="the speed of a Stribeck transition must be"):
        Stribeck(speed=speed)
    with pytest.raises(ArgumentError, match="the exponent of a Stribeck transition must be"):
        Stribeck(speed=1.0, exponent=speed)


def test_friction_at_no_number_is_refused():
    with pytest.raises(ArgumentError, match="the slip at which friction is wanted must be a number, not NaN"):
        Material().at(nan)


def test_a_half_space_points_out_of_the_ground():
    slope = HalfSpace(normal=[0, 3, 4], offset=2)
    assert slope.normal == pytest.approx((0, 0.6, 0.8))
    assert slope.normal_in(None) == slope.normal
    assert HalfSpace(normal=(3, 4)).normal_in("xz") == pytest.approx((0.6, 0.0, 0.8))
    assert HalfSpace(normal=np.array([3, 4])).normal_in("xy") == pytest.approx((0.6, 0.8, 0.0))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"normal": (0, 0, 0)}, "the normal of a half-space must point somewhere"),
        ({"normal": (0, 0)}, "the normal of a half-space must point somewhere"),
        ({"normal": (0, nan, 1)}, "the normal of a half-space must be a number, not NaN"),
        ({"normal": (1, 0, 0, 0)}, "the normal of a half-space must have 3 entries, not 4"),
        ({"normal": 1.0}, "the normal of a half-space must be a sequence, not 1.0"),
        ({"normal": "up"}, "the normal of a half-space must be"),
        ({"normal": (0, 0, 1), "offset": nan, "name": "floor"}, "the offset of half-space 'floor' must be a number, not NaN"),
        ({"normal": (0, 0, 1), "name": ""}, "the name of a half-space must be a name, not ''"),
    ],
)
def test_impossible_half_spaces_are_refused(arguments, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        HalfSpace(**arguments)


def test_two_coordinates_are_not_enough_in_space():
    with pytest.raises(ArgumentError, match="the normal of half-space 'wall' must have 3 entries in space, not 2"):
        HalfSpace(normal=(0, 1), name="wall").normal_in(None)
