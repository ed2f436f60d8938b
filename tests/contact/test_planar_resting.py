"""Shapes of the plane that lie, stand and balance on each other, give or take round-off: every contact that rest needs."""

from itertools import product
from math import pi

import numpy as np
import pytest

import stickslip as ss
from contact_scenes import UPRIGHT, Seen, pair_of
from stickslip.contact import OverlapError, World, contact_problem
from stickslip.dynamics.kinematics import GOOD
from touching import G, loose

# (shape, and for a quarter turn as for none: how far it reaches upwards, and how long its top is, in m)
SHAPES = {
    "disc": (ss.Disc(radius=0.3), [(0.3, 0.0), (0.3, 0.0)]),
    "segment": (ss.Segment(start=(-0.4, 0, 0), end=(0.4, 0, 0)), [(0.0, 0.8), (0.4, 0.0)]),
    "capsule": (ss.Capsule(radius=0.15, length=0.6), [(0.45, 0.0), (0.15, 0.6)]),
    "box": (ss.Box(size=(0.8, 1, 0.3)), [(0.15, 0.8), (0.4, 0.3)]),
    "rod": (ss.Cylinder(radius=0.1, length=0.9), [(0.45, 0.2), (0.1, 0.9)]),
    "ellipse": (ss.Ellipsoid(semi_axes=(0.5, 1, 0.2)), [(0.2, 0.0), (0.5, 0.0)]),
    "diamond": (ss.Polygon(vertices=[(0.3, 0), (0, 0.2), (-0.3, 0), (0, -0.2)], rotation=UPRIGHT), [(0.2, 0.0), (0.3, 0.0)]),
}
ROUND = ("disc", "capsule", "ellipse")
LINK = loose(ss.Segment(start=(-0.4, 0, 0), end=(0.4, 0, 0)))


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-3, -1e-9, -1e-4])
@pytest.mark.parametrize(("a", "b"), list(product(SHAPES, SHAPES)))
def test_what_lies_flat_touches_at_both_ends(a, b, gap):
    (first, ways), (second, others) = SHAPES[a], SHAPES[b]
    detector = pair_of(first, second)
    for i, j, noise in product(range(4), range(4), (0.0, 1e-15, -1e-15)):
        below, above = ways[i % 2], others[j % 2]
        flat = min(below[1], above[1])
        sharp = below[1] == above[1] == 0.0 and not (a in ROUND or b in ROUND)
        if gap <= 0.0 and (sharp or a == b == "segment"):
            continue  # bare corners that meet may have any normal, and segments neither an inside nor an outside
        for shift in (0.0, 0.03, -0.0501) if flat else (0.0,):
            q = np.array([0, 0, i * pi / 2, shift, below[0] + above[0] + gap, j * pi / 2 + noise])
            seen = Seen(detector, q, margin=1e-2)
            assert seen.gap == pytest.approx(np.full(len(seen), gap), abs=1e-12)
            assert seen.normal == pytest.approx(np.tile((0, 1), (len(seen), 1)), abs=1e-6)
            assert len(seen) == (2 if flat else 1)
            left, right = max(-below[1] / 2, shift - above[1] / 2), min(below[1] / 2, shift + above[1] / 2)
            if flat:
                assert sorted(seen.on_first[:, 0]) == pytest.approx([left, right], abs=1e-9)
            assert detector.rows(q, np.ones(6), seen.found).status == GOOD


@pytest.mark.parametrize("noise", [0.0, 1e-15, -1e-15])
def test_a_bare_link_that_lies_on_a_table_rests(noise):
    """With one contact too few it would tip over."""
    table = ss.Box(size=(2, 1, 0.5), centre=(0, 0, -0.25))
    problem = contact_problem(World(LINK, obstacles=[table]), [0.3, 0.0, noise], np.zeros(3))
    solution = problem.solve()
    assert solution.acceleration == pytest.approx(np.zeros(3), abs=1e-12)
    assert solution.force[::2] == pytest.approx([G, G])


@pytest.mark.parametrize("shape", [ss.Segment(start=(-1, 0, 0), end=(1, 0, 0)), ss.Segment(start=(0.7, 0, 0), end=(2, 0, 0))])
def test_bare_links_in_one_place_have_no_normal(shape):
    """Nothing says on which side of the other either is."""
    with pytest.raises(OverlapError, match="so that no direction leads out of their overlap"):
        World(LINK, obstacles=[shape]).contacts([0.3, 0.0, 0.0])


@pytest.mark.parametrize("distance", [0.2, 0.3, 0.25])
@pytest.mark.parametrize("turn", [0.0, 0.7, pi / 2, 2.0])
def test_links_in_one_line_are_apart(distance, turn):
    """No edge of either tells; a snake that lies straight has its links like that."""
    along = np.array([np.cos(turn), np.sin(turn)])
    lying = ss.Capsule(radius=0.1, length=0.6, rotation=((0, 0, 1), (0, 1, 0), (-1, 0, 0)))
    for shape, rounding in ((lying, 0.2), (ss.Segment(start=(-0.3, 0, 0), end=(0.3, 0, 0)), 0.0)):
        seen = Seen(pair_of(shape, shape), [0, 0, turn, *((0.6 + distance) * along), turn + 1e-16], margin=1.0)
        k = int(np.argmin(seen.gap))
        assert seen.gap[k] == pytest.approx(distance - rounding)
        assert seen.normal[k] == pytest.approx(along)


def test_numbers_of_contacts_come_in_order():
    """A long box on a short one touches with two corners of the first, which are counted after those of the second."""
    long, short = ss.Box(size=(2, 1, 0.2)), ss.Box(size=(0.5, 1, 0.2))
    for a, b in ((long, short), (short, long)):
        seen = Seen(pair_of(a, b), [0, 0, 0, 0.1, 0.2, 0], margin=1e-6)
        numbers = seen.identities[:, 4].tolist()
        assert numbers == sorted(numbers)
        assert all(number >= 4 for number in numbers) == (a is short)
