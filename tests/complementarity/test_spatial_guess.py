"""Joint limits and dry friction in the disguise of contacts: a sledge in space with a stop, and a cart in tow."""

import numpy as np
import pytest

from stickslip.complementarity import ContactProblem, Rows
from stickslip.complementarity.spatial_guess import spatial_letters
from stickslip.complementarity.stacked import scale_of

G = 9.81


def sledge(**more) -> ContactProblem:
    """2 kg at (x, y, z) on a floor of friction 0.25, a stop against +x, and 1 kg at s in tow, whose dry friction is 1 N."""
    return ContactProblem(
        mass=np.diag([2.0, 2.0, 2.0, 1.0]),
        bias=[0.0, 0.0, 2 * G, 0.0],
        input_map=np.eye(4)[:, :3],
        jacobian=np.eye(4)[[2, 0, 1]],
        friction=[0.25],
        limits=Rows(jacobian=[[-1.0, 0.0, 0.0, 0.0]]),
        dry_friction=Rows(jacobian=[[0.0, 0.0, 0.0, 1.0]], bound=[1.0], **more),
        bilateral=Rows(jacobian=[[1.0, 0.0, 0.0, -1.0]]),
    )


def proposed(problem, tau):
    tau = np.array(tau, dtype=float)
    found = list(spatial_letters(problem, tau, scale_of(problem, problem.applied(tau))))
    assert len(found) == 1
    letters, point = found[0]
    return "".join(letters), point[:4], point[4:]


@pytest.mark.parametrize(
    ("tau", "letters", "acceleration"),
    [
        ((-20.0, 0.0, 0.0), "DSL", (-(20.0 - 0.5 * G - 1.0) / 3, 0.0, 0.0)),  # away from the stop, against both frictions
        ((20.0, 0.0, 0.0), "FFF", (0.0, 0.0, 0.0)),  # into the stop
        ((-5.0, 0.0, 0.0), "FSF", (0.0, 0.0, 0.0)),  # the floor holds 4.9 N, and the tow what is left
        ((0.0, 20.0, 0.0), "DFF", (0.0, 10.0 - 0.25 * G, 0.0)),  # across
        ((0.0, 0.0, 20.0), "SFF", (0.0, 0.0, 10.0 - G)),  # up
        ((-4.0, 0.0, 20.0), "SSL", (-1.0, 0.0, 10.0 - G)),  # up and away
    ],
)
def test_letters_and_motion_of_a_sledge(tau, letters, acceleration):
    problem = sledge()
    found, motion, forces = proposed(problem, tau)
    assert found[0] + found[2] == letters[0] + letters[2]
    assert found[1] == letters[1] or acceleration[0] == 0.0  # whether the stop or the tow holds what is at rest is open
    np.testing.assert_allclose(motion, [*acceleration, acceleration[0]], atol=1e-12)
    assert forces[0] == pytest.approx(max(2 * G - tau[2], 0.0), abs=1e-12)
    assert np.hypot(forces[1], forces[2]) <= 0.25 * forces[0] + 1e-12
    assert forces[3] >= 0.0
    assert abs(forces[4]) <= 1.0 + 1e-12
    np.testing.assert_allclose(problem.solve(np.array(tau)).acceleration, motion, atol=1e-10)


def test_dry_friction_of_a_tow_that_moves_is_known():
    """It moves towards +s already, so that it is pulled back by 1 N, whatever comes."""
    letters, motion, forces = proposed(sledge(velocity=[0.3]), (-20.0, 0.0, 0.0))
    assert letters[2] == "R"
    assert forces[4] == pytest.approx(-1.0)
    assert motion[0] == pytest.approx(-(20.0 - 0.5 * G + 1.0) / 3)


def test_nothing_in_touch_needs_no_force():
    problem = ContactProblem(
        mass=np.eye(3), bias=[0.0, 0.0, G], jacobian=np.eye(3)[[2, 0, 1]], friction=[0.5], velocity=[1, 0, 0]
    )
    letters, point = next(spatial_letters(problem, np.zeros(0), scale_of(problem, problem.applied(np.zeros(0)))))
    assert letters == ("S",)
    np.testing.assert_allclose(point, [0.0, 0.0, -G, 0.0, 0.0, 0.0])
