"""The single impacts of paper 4's tables: its double pendulum, its bicycle."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stickslip as ss
from stickslip.impact import friction_curve


def touchdown(scenario):
    """(time in s, problem, v) of the first contact, by free flight to 1e-12."""
    world, mechanism = scenario.world, scenario.world.mechanism
    nq = mechanism.nq

    def flow(_, y):
        return np.concatenate([y[nq:], mechanism.forward_dynamics(y[:nq], y[nq:], np.zeros(mechanism.nv))])

    def gap(_, y):
        return world.gap(y[:nq])

    gap.terminal, gap.direction = True, -1
    flight = solve_ivp(flow, (0, 5), [*scenario.q, *scenario.v], "DOP853", rtol=1e-12, atol=1e-12, events=gap)
    state = flight.y_events[0][0]
    return flight.t_events[0][0], ss.contact_problem(world, state[:nq], state[nq:], tolerance=1e-8), state[nq:]


# ---- the double pendulum (Tables 2.1, 3.1, 3.3, 5.1, 5.3) -----------------------------------------------------------------


def test_its_bars_are_those_of_table_2_1():
    scenario = ss.robots.double_pendulum()
    for body in scenario.world.mechanism.description.bodies:
        assert body.mass == pytest.approx(4.04, rel=1e-12)
        assert body.inertia[1][1] == pytest.approx(4.04 * (1.0 + 0.05**2) / 12, rel=1e-12)
    assert scenario.world.gap([0.0, 0.0]) == pytest.approx(1.5)
    assert scenario.world.material_of("floor", "tip") == ss.Material(friction=0.57, static_friction=0.74, restitution=1.0)


def test_its_first_impact_from_level():
    """Found elsewhere by a prototype: t = 0.515 s, v_t = -5.80 m/s, v_n = -6.14 m/s."""
    time, problem, _ = touchdown(ss.robots.double_pendulum())
    assert time == pytest.approx(0.515, abs=5e-4)
    assert problem.velocity == pytest.approx([-6.14, -5.80], abs=6e-3)


def test_without_control_sticking_gains_energy():
    """Figs. 3.4 and 5.2: e_n = 1. The tip can stick, so it does: from 66.0 to 80.3 J; e* = 1 stops that."""
    _, problem, v = touchdown(ss.robots.double_pendulum())
    free = ss.impact(problem, v, ss.DissipationPrinciple(energy="free"))
    assert free.word == "F"
    assert free.energy > 1.2 * free.energy_before
    assert problem.jacobian @ free.velocity == pytest.approx([-problem.velocity[0], 0.0], abs=1e-9)
    scaled = ss.impact(problem, v, ss.DissipationPrinciple(energy="attenuation"))
    assert scaled.energy == pytest.approx(scaled.energy_before, rel=1e-12)
    assert scaled.word == "F"
    bounded = ss.impact(problem, v, ss.DissipationPrinciple())
    assert bounded.word == "R"
    assert bounded.energy == pytest.approx(bounded.energy_before, rel=1e-9)


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_half_of_the_energy_can_be_taken_by_attenuation(share):
    _, problem, v = touchdown(ss.robots.double_pendulum())
    hit = ss.impact(problem, v, ss.DissipationPrinciple(energy="attenuation", energetic_restitution=share))
    assert hit.energy == pytest.approx(share * hit.energy_before, rel=1e-12)


def test_a_soft_tip_slips_once():
    """Section 3.6.1, e_n = 0: the first impact slips, to the left, in a plastic way."""
    _, problem, v = touchdown(ss.robots.double_pendulum(restitution=0.0))
    hit = ss.impact(problem, v, ss.DissipationPrinciple(energetic_restitution=0.5))
    assert hit.energy <= 0.5 * hit.energy_before * (1 + 1e-9)
    assert (problem.jacobian @ hit.velocity)[0] == pytest.approx(0.0, abs=1e-9)


def test_the_folded_start_meets_the_floor_at_half_a_second():
    """Table 5.3, with q2 counted from the first bar; the paper's figures have the first impact at about 0.5 s."""
    time, problem, v = touchdown(ss.robots.double_pendulum("folded"))
    assert time == pytest.approx(0.508, abs=5e-4)
    assert ss.impact(problem, v, ss.DissipationPrinciple(energy="free")).energy > 1.05 * v @ problem.mass @ v / 2


def test_with_energy_as_a_constraint_the_tip_returns_as_it_came():
    """e_n = e* = 1: of all slips that add no energy the slowest is the exact opposite of the slip before."""
    _, problem, v = touchdown(ss.robots.double_pendulum("folded"))
    hit = ss.impact(problem, v, ss.DissipationPrinciple())
    assert problem.jacobian @ hit.velocity == pytest.approx(-problem.velocity, rel=1e-7)
    assert hit.contact("tip").reversed
    assert hit.energy == pytest.approx(hit.energy_before, rel=1e-9)


# ---- the bicycle (Tables 2.2, 3.2, 3.4, 4.1, 5.2) ------------------------------------------------------------------------


def test_its_bodies_are_those_of_table_2_2():
    scenario = ss.robots.bicycle(wheels=(0.5, 0.25))
    mechanism = scenario.world.mechanism
    assert [mechanism.description.body(name).mass for name in ("bar", "rear", "front")] == [1.0, 2.0, 2.0]
    assert scenario.world.gap(scenario.q) == pytest.approx(4.75)
    assert mechanism.energy(scenario.q, [2.0, 0, 0, 0, 0])[0] == pytest.approx(10.0)


@pytest.mark.parametrize(("wheels", "time"), [((0.5, 0.25), np.sqrt(9.5 / 9.81)), ((0.5, 0.5), np.sqrt(9.0 / 9.81))])
def test_both_wheels_land_at_once_on_level_ground(wheels, time):
    """Fig. 4.8 has the first impact near 1 s."""
    scenario = ss.robots.bicycle(wheels=wheels)
    found, problem, _ = touchdown(scenario)
    assert found == pytest.approx(time, abs=1e-9)
    assert [contact.name for contact in problem.contacts] == ["rear", "front"]


@pytest.mark.parametrize(("inertia", "rolling"), [("ellipsoid", 2 / (1 + 0.8 * 0.4)), ("disc", 10 / 7)])
def test_after_a_plastic_impact_it_rolls(inertia, rolling):
    """Section 5.3.3, from 2 m/s: m v = (m + 2 I / r^2) v+ of 5 kg, two wheels: 1.515 m/s for ellipsoids, 10/7 for discs."""
    _, problem, v = touchdown(ss.robots.bicycle(speed=2.0, inertia=inertia))
    for law in (ss.DissipationPrinciple(), ss.Newton(), ss.Poisson(), ss.Energetic(resolution="simultaneous")):
        hit = ss.impact(problem, v, law)
        assert hit.word == "FF"
        assert hit.velocity == pytest.approx([rolling, 0, 0, -rolling / 0.5, -rolling / 0.5], abs=1e-9)


def test_round_wheels_gain_no_energy():
    """Tables 3.2 and 5.2 as printed: e_n = 1 and round wheels, whose energy cannot rise; Fig. 3.7's gains need ellipses."""
    _, problem, v = touchdown(ss.robots.bicycle(slope=20.0, speed=2.0, restitution=1.0))
    hit = ss.impact(problem, v, ss.DissipationPrinciple(energy="free"))
    assert hit.energy <= hit.energy_before
    _, problem, v = touchdown(ss.robots.bicycle(slope=15.0, wheels=(0.5, 0.25), restitution=1.0))
    hit = ss.impact(problem, v, ss.DissipationPrinciple(energy="free"))
    assert hit.energy > 1.05 * hit.energy_before


def test_the_asymptote_at_15_degrees():
    """Fig. 4.3 has 1.5, with wheels of an ellipsoid's inertia and d1 along the bar."""
    _, problem, v = touchdown(ss.robots.bicycle(slope=15.0, wheels=(0.5, 0.25)))
    curve = friction_curve(problem, v, problem.contacts[0].name)
    assert curve.asymptote == pytest.approx(1.501, abs=5e-4)
    assert curve.at_rest < 0.5
    low, high = curve.pulled
    assert np.isinf(low) or np.isinf(high)


def test_sticking_at_45_degrees():
    """Section 4.2: infeasible, through friction and not through p_n > 0 as Fig. 4.5 says, and with d1 upright only."""
    _, problem, v = touchdown(ss.robots.bicycle(slope=45.0, wheels=(0.25, 0.5)))
    curve = friction_curve(problem, v, "rear")
    assert curve.at_rest == pytest.approx(7 / 11, rel=1e-9)
    assert curve.at_rest > 0.5
    assert ss.impact(problem, v, ss.DissipationPrinciple(energy="free")).word == "R"
    _, problem, v = touchdown(ss.robots.bicycle(slope=45.0, wheels=(0.5, 0.25)))
    assert ss.impact(problem, v, ss.DissipationPrinciple(energy="free")).word == "F"
