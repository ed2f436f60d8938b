"""Inelastic impacts of random mechanisms on floors, walls and joint limits: what they must not do, whatever they do."""

import pytest

import stickslip as ss
from random_impacts import INSTANT, gain, impact_scene, obeys_its_law, struck


@pytest.mark.parametrize("seeds", [range(20 * k, 20 * k + 20) for k in range(5)], ids=lambda seeds: str(seeds.start))
def test_an_inelastic_impact_takes_energy_and_keeps_its_law(seeds):
    for seed in seeds:
        world, run = struck(seed)
        assert gain(run) < 1e-10, seed
        assert obeys_its_law(world, run), seed


@pytest.mark.parametrize("restitution", [0.0, 0.7])
def test_events_account_for_the_energy_that_impacts_take(restitution):
    """Collisions, one after the other at one instant, and limits that are reached: together they change the energy."""
    limits = 0
    for seed in range(80):
        _, run = struck(seed, restitution)
        before, after = run.energy.sum(axis=1)
        told = sum(event.energy_change for event in run.events)
        assert told == pytest.approx(after - before, abs=1e-6 * run.energy[0, 0]), seed  # gravity works for a nanosecond
        limits += sum(event.kind == "limit reached" for event in run.events)
    assert limits > 3


def test_a_chain_that_is_nearly_jammed_between_floor_and_wall_is_caught():
    """Impulses of 1e4 N s stop 0.1 m/s; round-off in them is more than the tolerance, and led beside the solution."""
    world, run = struck(3496)
    assert max(abs(x) for event in run.events for impulse in event.impulses for x in impulse) > 1e3
    assert gain(run) < 1e-10
    assert obeys_its_law(world, run)


@pytest.mark.parametrize("restitution", [0.5, 1.0])
@pytest.mark.parametrize("directions", [4, 6])
def test_a_box_in_a_corner_is_hit_once(directions, restitution):
    """Ten contacts at once; what round-off leaves of their approach, 1e-9 of the velocities, is no collision of its own."""
    world, q, v, _ = impact_scene(647, restitution)
    run = ss.simulate(world, q, v, INSTANT, "time-stepping", dt=INSTANT, directions=directions)
    assert run.outcome is ss.Outcome.FINISHED
    assert len(run.events) == 1
    assert gain(run) < 1e-10
    assert obeys_its_law(world, run)
