"""Closed chains of one degree of freedom against their textbook kinematics, in minimal and in redundant coordinates."""

from math import pi

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stickslip as ss
from differences import derivative
from linkages import (
    OFFSET,
    four_bar,
    four_bar_state,
    ratios,
    reduced_inertia,
    slider_at,
    slider_crank,
    slider_crank_state,
    weight,
)

ANGLES = np.linspace(0.1, 0.1 + 2 * pi, 13)[:-1]


def accelerations(mech: ss.Mechanism, q, v, tau) -> np.ndarray:
    """The closed mechanism's accelerations, from the contact problem of the instant: loops are rows of it."""
    return ss.contact_problem(ss.World(mech), q, v).solve(tau).acceleration


# ---- four-bar linkage -----------------------------------------------------------------------------------------------------


def test_a_four_bar_is_closed_all_the_way_round():
    mech = four_bar()
    for crank in ANGLES:
        q, v = four_bar_state(crank, 2.0)
        assert mech.loop_residual(q) == pytest.approx([0, 0], abs=1e-14)
        assert mech.loop_jacobian(q) @ v == pytest.approx([0, 0], abs=1e-13)


@pytest.mark.parametrize("cut", [False, True], ids=["minimal", "redundant"])
def test_a_four_bar_obeys_its_one_equation_of_motion(cut):
    """I a + I' w^2 / 2 + V' = tau, and the accelerations of coupler and rocker that the loop's second derivative gives."""
    mech, rate, tau = four_bar(), 2.0, 5.0
    solved = mech.cut_hinges() if cut else mech
    for crank in ANGLES:
        q, v = four_bar_state(crank, rate)
        a = accelerations(solved, *(mech.cut_state(q, v) if cut else (q, v)), [tau])
        of_crank, of_coupler, of_rocker = a[2::3] if cut else (a[0], a[0] + a[1], a[2])
        slope = derivative(lambda t, at=crank: reduced_inertia(at + t))
        torque = tau - slope * rate**2 / 2 - derivative(lambda t, at=crank: weight(at + t))
        assert of_crank == pytest.approx(torque / reduced_inertia(crank), rel=1e-9)
        changes = derivative(lambda t, at=crank: np.array(ratios(at + t)))
        expected = np.array(ratios(crank)) * of_crank + changes * rate**2
        assert np.array([of_coupler, of_rocker]) == pytest.approx(expected, rel=1e-9)


def driven_crank(start, rate, torques, period):
    """Angles at the ends of periods of constant torque, by SciPy from the one equation of motion."""
    angles, y = [], np.array([start, rate])
    for tau in torques:

        def rates(_t, y, tau=tau):
            slope, fall = derivative(lambda t: reduced_inertia(y[0] + t)), derivative(lambda t: weight(y[0] + t))
            return y[1], (tau - slope * y[1] ** 2 / 2 - fall) / reduced_inertia(y[0])

        y = solve_ivp(rates, (0, period), y, method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
        angles.append(y[0])
    return np.array(angles)


@pytest.mark.parametrize("cut", [False, True], ids=["minimal", "redundant"])
def test_a_driven_four_bar_moves_as_scipy_has_its_one_equation(cut):
    """A motor with another torque every tenth of a second; second order in the step, and no work but the motor's."""
    mech, start, rate, period = four_bar(), 0.1, 8.0, 0.1
    torques = np.array([40.0, -25.0, 60.0, 0.0, -50.0])
    expected = driven_crank(start, rate, torques, period)
    solved = mech.cut_hinges() if cut else mech
    q, v = four_bar_state(start, rate)
    q, v = mech.cut_state(q, v) if cut else (q, v)

    def motor(t, _q, _v):
        return [torques[round(t / period)]]

    motor.period = period
    errors = []
    for dt in (1e-3, 5e-4):
        run = ss.simulate(ss.World(solved), q, v, 0.5, "time-stepping", dt=dt, controller=motor)
        assert run.outcome is ss.Outcome.FINISHED, run.trouble
        cranks = run.q[:: round(period / dt), 2 if cut else 0]
        errors.append(np.abs(cranks[1:] - expected).max())
        work = torques @ np.diff(cranks)
        assert np.diff(run.energy.sum(axis=1)[[0, -1]])[0] == pytest.approx(work, abs=1e-2 * (dt / 1e-3) ** 2)
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.2)


# ---- slider-crank ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [False, True], ids=["minimal", "redundant"])
@pytest.mark.parametrize("guided", [False, True], ids=["jointed", "guided"])
def test_a_slider_crank_moves_as_its_closed_form(guided, cut):
    mech, rate = slider_crank(guided=guided), 3.0
    solved = mech.cut_hinges() if cut else mech
    for crank in ANGLES:
        q, v = slider_crank_state(crank, rate, guided=guided)
        x, slope, bend = slider_at(crank)
        Q, V = mech.cut_state(q, v) if cut else (q, v)
        assert np.abs(solved.loop_residual(Q)).max() < 1e-13
        assert np.abs(solved.loop_jacobian(Q) @ V).max() < 1e-12
        assert solved.body_pose(Q, "slider")[1] == pytest.approx([x, 0, OFFSET], abs=1e-13)
        a = accelerations(solved, Q, V, [2.0])
        J, origin = solved.point_jacobian(Q, "slider", (0, 0, 0)), (0, 0, 0)
        along = J @ a + solved.point_jacobian_rate(Q, V, "slider", origin) @ V
        assert J @ V == pytest.approx([slope * rate, 0, 0], abs=1e-12)
        assert along == pytest.approx([slope * a[2 if cut else 0] + bend * rate**2, 0, 0], rel=1e-9, abs=1e-9)


def test_both_slider_cranks_need_the_same_torque():
    for crank in ANGLES:
        found = [
            accelerations(slider_crank(guided=guided), *slider_crank_state(crank, 3.0, guided=guided), [2.0])[:2]
            for guided in (False, True)
        ]
        assert found[0] == pytest.approx(found[1], rel=1e-10)
