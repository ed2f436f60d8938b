"""Coulomb's circular cone in space: points, boxes and a tripod on floors and slopes, whose motion has a closed form."""

import numpy as np
import pytest
from scipy.optimize import brentq

from random_cones import point_rows
from stickslip.complementarity.cone import TOLERANCE, solve_cone
from stickslip.complementarity.cone_newton import GUIDED, SEPARATE, SLIP, STICK
from stickslip.complementarity.cone_start import pyramid_solution
from stickslip.complementarity.status import Status

GRAVITY = 9.81
AXES = np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])  # n, t1, t2 on a floor
SQUARE = np.array([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)])
ANGLES = np.radians([0.0, 7.0, 45.0, 90.0, 133.0, 180.0, 261.5, 359.0])


def unit(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def turned(angle):
    """The tangents of a contact turned by an angle: (3, 3) from old rows to new ones."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([(1.0, 0.0, 0.0), (0.0, c, s), (0.0, -s, c)])


class Body:
    """A body with feet (k, 3), about its centre, on a floor below: mass in kg, moments (3, 3) in kg m^2."""

    def __init__(self, feet, mass=1.0, moments=None):
        self.feet, self.mass = np.asarray(feet, dtype=float), mass
        self.inertia = np.zeros((6, 6))
        self.inertia[:3, :3], self.inertia[3:, 3:] = mass * np.eye(3), np.eye(3) if moments is None else moments
        self.J = np.vstack([point_rows(AXES, foot) for foot in self.feet])
        self.G = self.J @ np.linalg.solve(self.inertia, self.J.T)
        self.G = (self.G + self.G.T) / 2

    def free(self, force=(0.0, 0.0, 0.0), torque=(0.0, 0.0, 0.0)):
        """Accelerations (6,) without contacts, under gravity and a force and a torque about the centre."""
        wrench = np.concatenate([np.asarray(force) - (0.0, 0.0, self.mass * GRAVITY), torque])
        return np.linalg.solve(self.inertia, wrench)

    def pushed(self, friction, force=(0.0, 0.0, 0.0), torque=(0.0, 0.0, 0.0), **options):
        """The solution, and the body's accelerations (6,)."""
        free = self.free(force, torque)
        solution = solve_cone(self.G, self.J @ free, friction, **options)
        assert solution.status is Status.SOLVED
        assert solution.residual <= TOLERANCE
        return solution, free + np.linalg.solve(self.inertia, self.J.T @ solution.force)


def box(half=(0.5, 0.4, 0.3), mass=1.0):
    x, y, z = half
    moments = mass / 3 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])
    return Body(np.column_stack([SQUARE * (x, y), np.full(4, -z)]), mass, moments)


# ---- closed forms: one point -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("mass", [1e-6, 1.0, 3.7e5])
@pytest.mark.parametrize(("friction", "push"), [(0.3, 0.0), (0.3, 2.9), (0.3, 2.95), (0.3, 400.0), (0.0, 1e-3), (2.0, 19.5)])
def test_a_pushed_point_sticks_or_slides_along_the_push(angle, mass, friction, push):
    """It sticks under less than mu m g, and otherwise slides along the push with its part that friction leaves."""
    along = unit(angle)
    solution = solve_cone(np.eye(3) / mass, np.concatenate([[-GRAVITY], push * along]), friction)
    excess = push - friction * GRAVITY
    held = min(push, friction * GRAVITY)
    assert solution.status is Status.SOLVED
    np.testing.assert_allclose(solution.force, mass * np.concatenate([[GRAVITY], -held * along]), rtol=1e-12, atol=1e-12 * mass)
    np.testing.assert_allclose(solution.acceleration, [0.0, *(max(excess, 0.0) * along)], atol=1e-12 * max(push, GRAVITY))
    assert solution.word == ("D" if excess > 0.0 else "F")
    np.testing.assert_allclose(solution.directions[0], along if excess > 0.0 else [np.nan, np.nan], atol=1e-12)


def test_a_point_that_is_lifted_separates():
    solution = solve_cone(np.eye(3), [0.1, 3.0, -4.0], 0.5)
    assert solution.word == "S"
    np.testing.assert_array_equal(solution.force, np.zeros(3))
    np.testing.assert_array_equal(solution.acceleration, [0.1, 3.0, -4.0])


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("gives", [(1.0, 2.0, 0.5), (0.1, 1.0, 30.0), (5.0, 1.0, 1.0)])
def test_what_gives_more_in_one_direction_slides_askew(angle, gives):
    """G = diag(n, x, y): friction R against e and slip s e need (s + x R, s + y R) times e to be the push, whence s."""
    n, x, y = gives
    friction = 0.4
    push = 20.0 * unit(angle) * np.sqrt([x, y])
    grip = friction * GRAVITY / n
    solution = solve_cone(np.diag(gives), [-GRAVITY, *push], friction)

    def stretched(s):
        return np.hypot(push[0] / (s + x * grip), push[1] / (s + y * grip)) - 1.0

    slip = brentq(stretched, 0.0, 1e4, xtol=1e-14) if stretched(0.0) > 0.0 else 0.0
    if slip > 0.0:
        e = push / (slip + np.array([x, y]) * grip)
        assert solution.word == "D"
        np.testing.assert_allclose(solution.force, [GRAVITY / n, *(-grip * e)], rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(solution.acceleration, [0.0, *(slip * e)], atol=1e-10)
    else:
        assert solution.word == "F"
        np.testing.assert_allclose(solution.force[1:], -push / (x, y), atol=1e-10)


def test_static_friction_holds_what_dynamic_friction_does_not():
    """Pushed with 0.5 of its weight, a point sticks with static friction 0.6; with 0.7, it is left with 0.7 - 0.4."""
    for push, word, slip, held in ((0.5, "F", 0.0, 0.5), (0.7, "D", 0.3, 0.4)):
        solution = solve_cone(np.eye(3), [-GRAVITY, push * GRAVITY, 0.0], 0.4, static_friction=0.6)
        assert solution.word == word
        np.testing.assert_allclose(solution.force, [GRAVITY, -held * GRAVITY, 0.0], atol=1e-12)
        np.testing.assert_allclose(solution.acceleration, [0.0, slip * GRAVITY, 0.0], atol=1e-12)


@pytest.mark.parametrize(("push", "word", "slip"), [(10.9, "FF", 0.0), (11.1, "DD", 11.1 - 4.0)])
def test_a_sledge_holds_with_the_static_friction_of_both_feet_or_slides_with_the_dynamic(push, word, slip):
    """1 kg in every direction, 10 N on either foot: 5 and 6 N of static friction hold it, 2 and 2 N are left when it slides."""
    J = np.array([(1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)], dtype=float)
    solution = solve_cone(J @ J.T, J @ [-10.0, -10.0, push, 0.0], 0.2, static_friction=[0.5, 0.6])
    assert solution.word == word
    np.testing.assert_allclose(solution.acceleration, [0.0, slip, 0.0] * 2, atol=1e-10)
    assert solution.force[1] + solution.force[4] == pytest.approx(slip - push, abs=1e-10)


@pytest.mark.parametrize("angle", ANGLES)
def test_what_slides_already_is_braked_whatever_its_acceleration(angle):
    """A point that slides along d feels -mu N d, even where that turns it round, and sideways nothing."""
    d, across = unit(angle), unit(angle + np.pi / 2)
    for along, sideways in ((0.0, 0.0), (1.0, 2.0), (50.0, -3.0)):
        c = np.concatenate([[-GRAVITY], along * d + sideways * across])
        solution = solve_cone(np.eye(3), c, 0.5, sliding=[d])
        np.testing.assert_allclose(solution.acceleration[1:], (along - 0.5 * GRAVITY) * d + sideways * across, atol=1e-12)
        assert solution.word == "D"
        np.testing.assert_allclose(solution.directions, [d], atol=1e-15)


@pytest.mark.parametrize("drift", [-1.0, 1.0])
@pytest.mark.parametrize("friction", [0.1, 0.9, 1.1, 3.0])
def test_a_sliding_contact_that_friction_presses_down_may_have_no_solution(friction, drift):
    """Painleve: f_n (G_nn - mu G_nt . d) = -c_n; with mu above G_nn / (G_nt . d) = 1 there is none for c_n < 0."""
    G = np.array([(1.0, 0.8, 0.6), (0.8, 2.0, 0.0), (0.6, 0.0, 2.0)])
    solution = solve_cone(G, [drift, 0.0, 0.0], friction, sliding=[(0.8, 0.6)])
    pull = 1.0 - friction
    assert bool(solution) == (drift > 0.0 or pull > 0.0)
    assert solution.status is (Status.SOLVED if solution else Status.UNDECIDED)
    if solution:
        possible = [0.0] * (drift > 0.0) + [-drift / pull] * (-drift / pull > 0.0)
        assert np.abs(np.array(possible) - solution.force[0]).min() <= 1e-12


# ---- closed forms: bodies ----------------------------------------------------------------------------------------------


def test_a_box_on_four_corners_rests():
    """Its weight is carried, no foot pulls, and what the four share among themselves is nobody's matter."""
    body = box(mass=2.0)
    solution, motion = body.pushed(0.5)
    assert solution.word == "FFFF"
    np.testing.assert_allclose(motion, 0.0, atol=1e-12)
    np.testing.assert_allclose(body.J.T @ solution.force, [0.0, 0.0, 2.0 * GRAVITY, 0.0, 0.0, 0.0], atol=1e-12)
    assert (solution.force[::3] > 0.0).all()


@pytest.mark.parametrize("angle", ANGLES)
def test_a_box_that_is_pushed_at_its_feet_slides_along_the_push(angle):
    """F at the height of the feet, beyond mu m g, and its torque: they all slide with F / m - mu g."""
    body, along = box(), unit(angle)
    force = np.append(6.0 * along, 0.0)
    solution, motion = body.pushed(0.5, force, np.cross([0.0, 0.0, -0.3], force))
    assert solution.word == "DDDD"
    np.testing.assert_allclose(motion, [*((6.0 - 0.5 * GRAVITY) * along), 0.0, 0.0, 0.0, 0.0], atol=1e-10)
    np.testing.assert_allclose(solution.directions, np.tile(along, (4, 1)), atol=1e-9)


@pytest.mark.parametrize("slope", [5.0, 20.0, 35.0])
@pytest.mark.parametrize("angle", ANGLES)
def test_a_block_on_an_incline_slides_down_its_gradient(angle, slope):
    """At friction 0.4 it rests up to 21.8 degrees, and beyond slides with g (sin - mu cos), whichever way it lies."""
    body, way, slope = box((0.5, 0.4, 0.05)), unit(angle), np.radians(slope)
    pull = GRAVITY * np.array([*(np.sin(slope) * way), 1.0 - np.cos(slope)])  # gravity itself is already there
    solution, motion = body.pushed(0.4, pull)
    slip = max(0.0, GRAVITY * (np.sin(slope) - 0.4 * np.cos(slope)))
    assert solution.word == ("DDDD" if slip > 0.0 else "FFFF")
    np.testing.assert_allclose(motion, [*(slip * way), 0.0, 0.0, 0.0, 0.0], atol=1e-10)


def test_a_tall_box_that_is_pushed_high_tips_over_its_edge():
    """F at height h above the floor, with F h > m g b: it turns about the far edge by (F h - m g b) / I there."""
    b, z, force = 0.2, 1.0, 3.0
    body = box((b, 0.4, z))
    h = 1.5 * z  # above the floor
    solution, motion = body.pushed(1.0, (force, 0.0, 0.0), (0.0, force * (h - z), 0.0))
    about_edge = (b * b + z * z) / 3 + b * b + z * z
    turn = (force * h - GRAVITY * b) / about_edge
    assert solution.word == "FSSF"  # feet at x = +b hold
    np.testing.assert_allclose(motion, [z * turn, 0.0, b * turn, 0.0, turn, 0.0], atol=1e-10)


def test_a_spinning_tripod_is_braked_without_going_anywhere():
    """Each of three feet at radius r carries m g / 3 and is braked against its own way: I times alpha = -mu m g r."""
    r, friction, mass, moment = 0.4, 0.3, 2.0, 0.7
    around = 2 * np.pi * np.arange(3) / 3 + 0.1
    feet = np.column_stack([r * np.cos(around), r * np.sin(around), np.zeros(3)])
    body = Body(feet, mass, np.diag([0.5, 0.6, moment]))
    sliding = np.column_stack([-np.sin(around), np.cos(around)])
    solution, motion = body.pushed(friction, sliding=sliding)
    assert solution.word == "DDD"
    np.testing.assert_allclose(solution.force[::3], mass * GRAVITY / 3, rtol=1e-12)
    np.testing.assert_allclose(motion, [0, 0, 0, 0, 0, -friction * mass * GRAVITY * r / moment], atol=1e-11)


def test_a_light_box_carries_a_heavy_one():
    """1 kg below a million: the floor carries both, the box between them the upper one."""
    light, heavy = box(mass=1.0), box(mass=1e6)
    inertia = np.block([[light.inertia, np.zeros((6, 6))], [np.zeros((6, 6)), heavy.inertia]])
    top = np.vstack([point_rows(AXES, foot * (1.0, 1.0, -1.0)) for foot in light.feet])
    J = np.block([[light.J, np.zeros((12, 6))], [-top, heavy.J]])
    G = J @ np.linalg.solve(inertia, J.T)
    solution = solve_cone((G + G.T) / 2, J @ np.concatenate([light.free(), heavy.free()]), 0.5)
    assert solution.word == "F" * 8
    loads = solution.force[::3].reshape(2, 4).sum(axis=1)
    np.testing.assert_allclose(loads, [(1.0 + 1e6) * GRAVITY, 1e6 * GRAVITY], rtol=1e-10)


@pytest.mark.parametrize(
    ("c", "mode", "force"),
    [
        ((1.0, 5.0, 0.0), SEPARATE, (0.0, 0.0, 0.0)),
        ((-10.0, 2.0, -1.0), STICK, (10.0, -2.0, 1.0)),
        ((-10.0, *(7.0 * unit(np.pi / 8))), SLIP, (10.0, *(-5.0 * unit(np.pi / 8)))),
    ],
)
def test_a_pyramid_says_which_contacts_stick_and_slip(c, mode, force):
    """Friction 0.5 and four edges, the first at 22.5 degrees; what slides already, or has no friction, is guided."""
    forces, modes = pyramid_solution(np.eye(3), np.array(c), np.array([(0.5, 0.5, np.nan, np.nan)]), 4)
    assert modes.tolist() == [mode]
    np.testing.assert_allclose(forces, force, atol=1e-12)
    forces, modes = pyramid_solution(np.eye(3), np.array(c), np.array([(0.5, 0.5, 0.6, 0.8)]), 4)
    assert modes.tolist() == [SEPARATE if c[0] > 0.0 else GUIDED]
    np.testing.assert_allclose(forces, max(-c[0], 0.0) * np.array([1.0, -0.3, -0.4]), atol=1e-12)
    forces, modes = pyramid_solution(np.eye(3), np.array(c), np.array([(0.0, 0.0, np.nan, np.nan)]), 4)
    assert modes.tolist() == [SEPARATE if c[0] > 0.0 else GUIDED]
    np.testing.assert_allclose(forces, [max(-c[0], 0.0), 0.0, 0.0], atol=1e-12)


# ---- closed forms: throws ----------------------------------------------------------------------------------------------


def thrown(body, velocity, duration, steps, impulses):
    """Where a body that is thrown with that velocity (2,) is when it has come to rest, in steps by impulses."""
    dt = duration / steps
    v, position = np.array([*velocity, 0.0, 0.0, 0.0, 0.0]), np.zeros(6)
    for _ in range(steps):
        after = v + dt * body.free()
        after = after + np.linalg.solve(body.inertia, body.J.T @ impulses(body.G, body.J @ after))
        v, position = after, position + dt * (v + after) / 2
    np.testing.assert_allclose(v, 0.0, atol=1e-6)
    return position


def test_a_thrown_cube_goes_straight():
    """6 m/s at 30 degrees and friction 0.5: v^2 / (2 mu g) = 3.67 m along the throw, 3.178 and 1.835 along the axes."""
    way, duration = unit(np.pi / 6), 6.0 / (0.5 * GRAVITY)
    position = thrown(box((0.5, 0.5, 0.5)), 6.0 * way, duration, 50, lambda G, c: solve_cone(G, c, 0.5).force)
    np.testing.assert_allclose(position, [*(36.0 / GRAVITY * way), 0.0, 0.0, 0.0, 0.0], atol=1e-10)
    np.testing.assert_allclose(position[:2], [3.178, 1.835], atol=5e-4)


def test_a_pyramid_makes_the_throw_veer():
    """With edges along the axes it is braked along x only, from 5.196 to 3 m/s in 1.835 m, then by mu / 2 along both: 1.835 m.

    So it ends at 3.670 and 3.178 m, 40.9 degrees off the axis in place of 30.
    """
    contacts = np.array([(0.5, 0.5, np.nan, np.nan)])
    Q = turned(-np.pi / 8)  # the edges of `pyramid_solution` begin a quarter of a side off the first tangent

    def impulses(G, c):
        return Q.T @ pyramid_solution(Q @ G @ Q.T, Q @ c, contacts, 4)[0]

    position = thrown(Body([(0.0, 0.0, 0.0)]), 6.0 * unit(np.pi / 6), 2.0, 2000, impulses)
    np.testing.assert_allclose(position[:2], [3.670, 3.178], atol=5e-3)
