"""The examples of paper 0: a table, two links between walls, a ball between four walls, with their ranks and ambiguities."""

from math import cos, sin

import numpy as np
import pytest
from scipy.optimize import linprog

from stickslip.complementarity import Answer, ContactProblem
from stickslip.complementarity.contact_system import contact_system
from stickslip.complementarity.family import leaf_of
from stickslip.complementarity.polyhedron import bound
from stickslip.complementarity.proof import Identities, box_of

G = 9.81


def range_of_force(problem: ContactProblem, letters: tuple[str, ...], row: int, tau=None) -> tuple[float, float]:
    """The least and the largest force of a row in one mode."""
    whole = contact_system(problem, problem.input(tau))
    leaf = leaf_of(whole, letters)
    variable, box = whole.force.start + row, box_of(whole.system, whole.path(letters))
    ends = [-np.inf, np.inf]
    for side, towards in enumerate((-1, 1)):
        multipliers = bound(whole.system, leaf.state, variable, towards)
        if multipliers is not None:
            Identities(whole.system).tighten(multipliers, box, variable, towards)
            ends[side] = box[variable, side]
    return ends[0], ends[1]


# ---- Fig. 5: a rigid table -----------------------------------------------------------------------------------------


def table(mass=2.0, friction=0.5) -> ContactProblem:
    return ContactProblem(
        mass=np.diag([mass, mass, 0.3]),
        bias=[0.0, mass * G, 0.0],
        jacobian=[[0, 1, -0.6], [1, 0, 0.7], [0, 1, 0.6], [1, 0, 0.7]],
        friction=[friction, friction],
    )


def test_the_tables_matrix_has_rank_6_of_7():
    problem = table()
    J, M = problem.jacobian, problem.mass
    A = np.block([[J, np.zeros((4, 4))], [M, -J.T]])
    assert A.shape == (7, 7)
    assert np.linalg.matrix_rank(A) == 6


def test_the_table_rests_with_forces_that_are_not_determined():
    sol = table().solve()
    assert sol.word == "FF"
    assert (sol.directions.motion_dimension, sol.directions.force_dimension) == (0, 1)
    assert sol.certificate.motion is Answer.UNIQUE
    assert sol.certificate.force is Answer.AMBIGUOUS
    assert sol.certificate.verify()


@pytest.mark.parametrize("friction", [0.2, 0.5, 1.5])
def test_its_tangential_force_lies_within_mu_m_g_over_2(friction):
    problem = table(friction=friction)
    for row in (1, 3):
        assert range_of_force(problem, ("F", "F"), row) == pytest.approx((-friction * G, friction * G))


# ---- Fig. 1: two links, all three contacts fixed ---------------------------------------------------------------------

LENGTH, MASS = 1.0, 1.0


def two_links(friction: float, *, tilt=0.5) -> ContactProblem:
    """Two equal uniform links, ends on walls left and right, elbow on the floor; unknowns: elbow (x, y), angles of both links.

    The left link points up to the left, the right one up to the right, by `tilt`; the input drives the elbow apart.
    """
    angles = np.pi - tilt, tilt
    half, inertia = LENGTH / 2, MASS * LENGTH**2 / 12
    M, h = np.zeros((4, 4)), np.zeros(4)
    ends = []
    for k, angle in enumerate(angles):
        across = np.array([-sin(angle), cos(angle)])
        centre, end = np.zeros((2, 4)), np.zeros((2, 4))
        centre[:, :2] = end[:, :2] = np.eye(2)
        centre[:, 2 + k], end[:, 2 + k] = half * across, LENGTH * across
        M += MASS * centre.T @ centre
        M[2 + k, 2 + k] += inertia
        h += MASS * G * centre[1]
        ends.append(end)
    left, right = ends
    elbow = np.hstack([np.eye(2), np.zeros((2, 2))])
    # normals out of the walls, tangents the normals turned by -90 degrees
    J = np.vstack([left[0], -left[1], elbow[1], elbow[0], -right[0], right[1]])
    return ContactProblem(
        mass=M,
        bias=h,
        input_map=[[0.0], [0.0], [-1.0], [1.0]],
        jacobian=J,
        friction=[friction] * 3,
        names=["left end", "elbow", "right end"],
    )


def test_two_fixed_links_have_rank_8_of_10_and_two_force_ambiguities():
    problem = two_links(1.0)
    J, M = problem.jacobian, problem.mass
    A = np.block([[J, np.zeros((6, 6))], [M, -J.T]])
    assert A.shape == (10, 10)
    assert np.linalg.matrix_rank(A) == 8
    sol = problem.solve([-5.0], guess="FFF")
    assert sol.word == "FFF"
    assert (sol.directions.motion_dimension, sol.directions.force_dimension) == (0, 2)


def test_squeezing_is_bounded_until_links_lie_within_their_friction_cones():
    """Forces along both links cancel at the elbow but for their weight on the floor; the walls see the slope tan(tilt)."""
    onset = np.tan(0.5)
    for friction in (0.4, 0.99 * onset):
        least, most = range_of_force(two_links(friction), ("F",) * 3, 0, [-5.0])
        assert 0.0 < least < most < np.inf
    for friction in (1.01 * onset, 1.9):
        least, most = range_of_force(two_links(friction), ("F",) * 3, 0, [-5.0])
        assert 0.0 < least < np.inf
        assert most == np.inf


def test_the_range_of_a_force_is_that_of_a_linear_program():
    for friction in (0.4, 0.5):
        problem = two_links(friction)
        cone = np.kron(np.eye(3), [[-friction, 1.0], [-friction, -1.0]])
        ends = [
            linprog(
                [towards, 0, 0, 0, 0, 0],
                A_ub=cone,
                b_ub=np.zeros(6),
                A_eq=problem.jacobian.T,
                b_eq=problem.bias - problem.input_map @ [-5.0],
                bounds=[(0, None), (None, None)] * 3,
            ).x[0]
            for towards in (1, -1)
        ]
        assert range_of_force(problem, ("F",) * 3, 0, [-5.0]) == pytest.approx(ends, rel=1e-8)


def test_one_end_cannot_slide_along_its_wall_while_its_link_is_held():
    """A link whose elbow is fixed pivots about it: its end leaves the wall or presses into it, but does not slide along."""
    words = {sol.word for sol in two_links(0.6).solutions([3.0])}
    for word in words:
        assert not (word[1] == "F" and word[2] in "RL") or _still(two_links(0.6), word)


def _still(problem: ContactProblem, word: str) -> bool:
    """Whether sliding is only the name of a force at its bound, without any acceleration."""
    sol = next(sol for sol in problem.solutions([3.0]) if sol.word == word)
    return bool(abs(sol.contact("right end").acceleration[1]) < 1e-9)


# ---- Fig. 6: a ball between four walls -------------------------------------------------------------------------------


def ball(friction=0.3, radius=0.2) -> ContactProblem:
    """A spinning ball that touches left, right, lower and upper wall; no weight."""
    normals = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    J = np.zeros((8, 3))
    for i, (x, y) in enumerate(normals):
        J[2 * i, :2] = x, y
        J[2 * i + 1] = y, -x, radius
    return ContactProblem(
        mass=np.diag([1.0, 1.0, 0.02]), bias=np.zeros(3), jacobian=J, velocity=J @ [0, 0, 5.0], friction=[friction] * 4
    )


def test_the_ball_has_rank_9_of_11_and_one_of_its_two_ambiguities_is_spin():
    problem = ball()
    J, M, mu = problem.jacobian, problem.mass, 0.3
    friction = np.kron(np.eye(4), [[mu, 1.0]])
    A = np.block([[J[::2], np.zeros((4, 8))], [np.zeros((4, 3)), friction], [M, -J.T]])
    assert A.shape == (11, 11)
    assert np.linalg.matrix_rank(A) == 9
    sol = next(sol for sol in problem.solutions() if sol.word == "RRRR")
    assert sol.dimension == 2
    assert sol.directions.force_dimension == 2
    assert sol.directions.motion / sol.directions.motion[0, 2] == pytest.approx(np.array([[0.0, 0.0, 1.0]]))


def test_the_balls_motion_is_ambiguous_and_that_is_certified():
    certificate = ball().solve().certificate
    assert (certificate.existence, certificate.motion, certificate.force) == (Answer.YES, Answer.AMBIGUOUS, Answer.AMBIGUOUS)
    assert certificate.verify()


def test_without_friction_the_ball_spins_on_and_only_forces_are_ambiguous():
    certificate = ball(friction=0.0).solve().certificate
    assert (certificate.motion, certificate.force) == (Answer.UNIQUE, Answer.AMBIGUOUS)
    assert certificate.verify()
