"""Paper 2's pendulum of three links in minimal and in redundant coordinates, and the way of its last sphere."""

import numpy as np

import stickslip as ss

SAMPLES = 5e-3  # s


def redundant(reading):
    """The same world with all hinges cut, and the state to begin with."""
    scenario = ss.robots.pendulum(links=3, reading=reading)
    mechanism = scenario.world.mechanism
    world = ss.World(
        mechanism.cut_hinges(),
        obstacles=[
            ss.HalfSpace(normal=(0, 0, 1), offset=0.1, name="floor"),
            ss.HalfSpace(normal=(-1, 0, 0), offset=-3.9, name="wall"),
        ],
        material=ss.Material(friction=0.5),
        self_contact=[("link_1", "link_3")],
    )
    assert sorted(world.pairs) == sorted(scenario.world.pairs)
    return (world, *mechanism.cut_state(scenario.q, scenario.v))


def minimal(reading):
    scenario = ss.robots.pendulum(links=3, reading=reading)
    return scenario.world, scenario.q, scenario.v


def way_of_the_last(world, q, v, dt, duration=5.0):
    """Where the last sphere is every 5 ms (n, 2) in m, and the run."""
    run = ss.simulate(world, q, v, duration, "time-stepping", dt=dt, record_every=round(SAMPLES / dt))
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    centre = world.mechanism.description.body("link_3").shapes[0].centre
    poses = [world.mechanism.body_pose(at, "link_3") for at in run.q]
    return np.array([place + rotation @ centre for rotation, place in poses])[:, [0, 2]], run
