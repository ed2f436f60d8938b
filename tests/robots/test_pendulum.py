"""Paper 2's pendulum: its geometry in closed form, its free swing against SciPy, and its order of events against Fig. 1."""

from math import pi

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stickslip as ss


def centres(mechanism, q):
    """Where the spheres are (links, 3), in m."""
    poses = [mechanism.body_pose(q, name) for name in mechanism.body_names]
    shapes = [mechanism.description.body(name).shapes[0] for name in mechanism.body_names]
    return np.array([place + rotation @ shape.centre for (rotation, place), shape in zip(poses, shapes, strict=True)])


@pytest.mark.parametrize(("reading", "base", "spacing"), [("A", 10.0, 12.0), ("B", 5.0, 6.0)])
@pytest.mark.parametrize("links", [1, 3, 15])
def test_the_chain_as_it_begins(links, reading, base, spacing):
    """Level, to the left of its hinge; the first sphere's centre is half a link away from it."""
    scenario = ss.robots.pendulum(links=links, reading=reading)
    mechanism = scenario.world.mechanism
    k = np.arange(links)
    expected = np.stack([-(k + 0.5) * spacing / links, 0 * k, 0 * k + base], axis=1)
    assert centres(mechanism, scenario.q) == pytest.approx(expected, abs=1e-12)
    assert {body.shapes[0].radius for body in mechanism.description.bodies} == {3.0 / links}
    assert {body.mass for body in mechanism.description.bodies} == {1.0}


@pytest.mark.parametrize("reading", ["A", "B"])
def test_its_first_motion_is_down_and_then_to_the_right(reading):
    scenario = ss.robots.pendulum(links=3, reading=reading)
    mechanism = scenario.world.mechanism
    eps = 1e-6
    moved = centres(mechanism, mechanism.integrate(scenario.q, eps * scenario.v)) - centres(mechanism, scenario.q)
    expected = -np.abs(centres(mechanism, scenario.q)[:, 0]) * eps
    assert moved[:, 2] == pytest.approx(expected, rel=1e-5)
    hanging = centres(mechanism, mechanism.integrate(np.zeros(3), eps * scenario.v)) - centres(mechanism, np.zeros(3))
    assert (hanging[:, 0] > 0).all()


def test_energy_is_that_of_spheres():
    """A rigid bar of spheres of 1 kg, each with 2/5 m r^2, turning at 1 rad/s at a height of 5 m."""
    scenario = ss.robots.pendulum(links=3)
    kinetic, potential = scenario.world.mechanism.energy(scenario.q, scenario.v)
    assert kinetic == pytest.approx(0.5 * sum(0.4 + d**2 for d in (1, 3, 5)), rel=1e-12)
    hanging = scenario.world.mechanism.energy(np.zeros(3), np.zeros(3))[1]
    assert potential - hanging == pytest.approx(9.8 * (1 + 3 + 5), rel=1e-12)


def test_the_floor_and_the_wall_are_where_the_paper_has_them():
    """Centred at z = 0 and x = 4, both 0.2 wide: their surfaces are at z = 0.1 and x = 3.9."""
    world = ss.robots.pendulum(links=1).world
    assert world.contacts([0.0], margin=np.inf)[0].gap == pytest.approx(5.0 - 6.0 - 0.1, abs=1e-12)
    gaps = {contact.bodies[0]: contact.gap for contact in world.contacts([-pi / 4], margin=np.inf)}
    assert gaps == pytest.approx({"floor": 5 - 3 * np.sqrt(0.5) - 3 - 0.1, "wall": 3.9 - 3 * np.sqrt(0.5) - 3}, abs=1e-12)


def test_neighbours_do_not_touch_and_all_others_may():
    pairs = {frozenset(pair) for pair in ss.robots.pendulum(links=5).world.pairs}
    spheres = {frozenset((f"link_{i}", f"link_{k}")) for i in range(1, 6) for k in range(i + 2, 6)}
    others = {frozenset((f"link_{i}", obstacle)) for i in range(1, 6) for obstacle in ("floor", "wall")}
    assert pairs == spheres | others


@pytest.mark.parametrize(("a", "b"), [(2e-3, 1e-3), (1e-3, 2e-3), (-1e-3, 2e-3), (1e-3, -4e-3)])
def test_a_folded_link_of_reading_b_leaves_its_neighbours_at_a_saddle(a, b):
    """Link 2 back on link 1, link 3 straight on: near there the gap of 1 and 3 is r/4 (3a - b)(a + b)."""
    world = ss.robots.pendulum(links=3).world
    (gap,) = (contact.gap for contact in world.contacts([0.0, pi + a, b], margin=20.0) if contact.bodies[0] == "link_1")
    assert gap == pytest.approx((3 * a - b) * (a + b) / 4, rel=2e-2)


def test_friction_is_asked_for_and_there_is_no_restitution_and_no_motor():
    scenario = ss.robots.pendulum(links=4, friction=0.2)
    assert scenario.world.material_of("link_1", "floor") == ss.Material(0.2)
    assert scenario.world.material_of("link_1", "link_3") == ss.Material(0.2)
    assert scenario.world.mechanism.nu == 0
    assert ss.robots.pendulum().world.material_of("link_1", "wall").friction == 0.5


@pytest.mark.parametrize("reading", ["A", "B"])
def test_it_meets_the_floor_when_its_free_flight_does(reading):
    scenario = ss.robots.pendulum(links=3, reading=reading)
    world = scenario.world

    def rate(_t, y):
        return np.concatenate([y[3:], world.mechanism.forward_dynamics(y[:3], y[3:], np.zeros(3))])

    def gap(_t, y):
        return world.gap(y[:3])

    gap.terminal, gap.direction = True, -1
    start = np.concatenate([scenario.q, scenario.v])
    flight = solve_ivp(rate, (0, 2), start, method="DOP853", rtol=1e-12, atol=1e-12, events=gap)
    first = scenario.run(duration=1.0).events[0]
    assert first.contacts == ("link_3 on floor",)
    assert first.time == pytest.approx(flight.t_events[0][0], abs=1e-5)


@pytest.mark.parametrize(("reading", "ground"), [("A", 0.75), ("B", 0.62)])
def test_figure_1_ground_then_drag_then_wall(reading, ground):
    """15 links: the last three meet the ground one after the other, and later one meets the wall, between 1.2 and 1.3 s."""
    scenario = ss.robots.pendulum(links=15, reading=reading)
    run = scenario.run(duration=1.3)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    hits = [(event.time, name) for event in run.events for name in event.contacts if name.endswith(("on floor", "on wall"))]
    assert [name for _, name in hits[:3]] == ["link_15 on floor", "link_14 on floor", "link_13 on floor"]
    assert hits[0][0] == pytest.approx(ground, abs=0.005)
    assert hits[3][1].endswith("on wall")
    assert 1.2 < hits[3][0] < 1.3
    assert min(scenario.world.gap(q) for q in run.q) > -1e-9


@pytest.mark.parametrize("reading", ["A", "B"])
def test_five_seconds_of_three_links(reading):
    """Nothing overlaps, energy only falls, and at the end less is left than at the beginning."""
    scenario = ss.robots.pendulum(links=3, reading=reading)
    run = scenario.run(record_every=5)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    assert run.duration == pytest.approx(5.0)
    assert min(scenario.world.gap(q) for q in run.q) > -1e-9
    energy = run.energy.sum(axis=1)
    assert np.diff(energy).max() < 1e-3 * np.ptp(energy)  # the ripple of the free steps
    assert energy[-1] < energy[0] - 50


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"links": 0}, "links must be a whole number of at least 1, not 0"),
        ({"links": 2.5}, "links must be a whole number of at least 1, not 2.5"),
        ({"links": True}, "links must be a whole number"),
        ({"reading": "C"}, 'the reading must be "A" or "B", not \'C\''),
        ({"reading": ["A"]}, "the reading must be"),
        ({"friction": -0.1}, "friction must not be negative"),
    ],
)
def test_bad_arguments(arguments, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        ss.robots.pendulum(**arguments)


@pytest.mark.verify
@pytest.mark.parametrize("dt", [1e-3, 5e-4])
@pytest.mark.parametrize("links", [6, 12, 15, 24, 30])
@pytest.mark.parametrize("reading", ["A", "B"])
def test_five_seconds_of_many_links(reading, links, dt):
    """Whips against floor, wall and themselves; spheres that fold upon each other, where a gap has no gradient."""
    scenario = ss.robots.pendulum(links=links, reading=reading)
    run = scenario.run(dt=dt)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    assert min(scenario.world.gap(q) for q in run.q) > -1e-6
    energy = run.energy.sum(axis=1)
    assert energy[-1] < 0.6 * energy[0]
    assert (energy - np.minimum.accumulate(energy)).max() < 0.02 * energy[0]
