"""The paper's two techniques on the same stepper: minimal coordinates, and redundant ones with every hinge as a constraint."""

from __future__ import annotations

from typing import Any

import numpy as np

from stickslip.contact import World
from stickslip.dynamics.tree import Floats
from stickslip.robots import pendulum as paper_2
from stickslip.scenario import Scenario
from stickslip.simulate import Outcome, Trajectory

TECHNIQUES = ("minimal", "redundant")  # the paper's tree-augmented and fully-augmented


def pendulum(links: int, technique: str) -> Scenario:
    """Paper 2's pendulum by one of the techniques; both have the same obstacles, materials and pairs that may touch."""
    scenario = paper_2(links=links)
    return scenario if technique == "minimal" else in_redundant_coordinates(scenario)


def in_redundant_coordinates(scenario: Scenario) -> Scenario:
    """The same pendulum with coordinates for every body, and its hinges as bilateral constraints."""
    world = scenario.world
    q, v = world.mechanism.cut_state(scenario.q, scenario.v)
    cut = World(
        world.mechanism.cut_hinges(),
        obstacles=world.obstacles.values(),
        material=world.material_of("link_1", "floor"),
        self_contact=True,
    )
    assert cut.pairs == world.pairs, "both techniques must have the same contacts"
    return scenario.changed(world=cut, q=q, v=v)


def run_of(scenario: Scenario, **changes: Any) -> Trajectory:
    """What `scenario.run` gives; but Ctrl-C ends the study too, and not only the run."""
    run = scenario.run(**changes)
    if run.outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    return run


def path_of_last(world: World, positions: Floats) -> Floats:
    """Where the middle of the last sphere is (n, 2), x and z in m, at positions (n, nq)."""
    mechanism = world.mechanism
    last = mechanism.body_names[-1]
    centre = np.array(mechanism.description.body(last).shapes[0].centre)
    poses = [mechanism.body_pose(q, last) for q in np.ascontiguousarray(positions)]
    return np.array([place + rotation @ centre for rotation, place in poses])[:, [0, 2]]


def stopped_early(what: str, run: Trajectory) -> tuple[str, ...]:
    """A flag that says how far a run came; none if it came to its end."""
    if run.outcome:
        return ()
    return (f"{what} stopped after {run.duration:.3f} s of 5 s ({run.outcome.name}): {run.trouble or run.outcome.value}",)
