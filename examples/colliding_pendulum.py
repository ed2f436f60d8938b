"""
A pendulum meets a floor and a wall
===================================

Three spheres in a row, 6 m long, are let go to the left of their hinge. They are longer than the hinge is high, so that the
last one hits the floor, slides on it, and runs into a wall. This is the example of paper 2 (section V-E). Nothing is softened:
a collision takes no time, its energy is gone, and what touches neither sinks in nor creeps.

The picture is made of two functions that take a run: `ss.view.time_lapse` lays poses over each other, and `Trajectory.plot`
shows what the numbers do, with a ribbon of contact modes: R while what touches slides to the right, L to the left.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import stickslip as ss

DURATION = 2.5  # s
LAST_POSE = 1.45  # s, when the wall is reached

# %%
# The run: 1 ms a step. A step in which something collides is cut there.


def swing() -> tuple[ss.World, ss.Trajectory]:
    scenario = ss.robots.pendulum(links=3)
    return scenario.world, scenario.run(duration=DURATION)


# %%
# What a collision costs: the energy just before and just after it.


def losses(run: ss.Trajectory) -> list[tuple[ss.Event, float]]:
    """The collisions, and what became of the energy in J in the step of each."""
    energy = run.energy.sum(axis=1)
    after = np.searchsorted(run.time, [event.time for event in run.events])
    return [(event, float(energy[k] - energy[k - 1])) for event, k in zip(run.events, after, strict=True)]


# %%
# The picture.


def draw(world: ss.World, run: ss.Trajectory) -> Figure:
    figure = plt.figure(figsize=(11, 5), layout="constrained")
    parts = figure.add_gridspec(1, 2, width_ratios=(1.15, 1))
    axes = figure.add_subfigure(parts[0]).add_subplot()
    ss.view.time_lapse(world, run, np.linspace(0, LAST_POSE, 9), axes, trace=("link_3", (0, 0, -1.0)))
    axes.set_title("Nine poses, and the way of the last sphere", loc="left", fontsize=10)
    run.plot(["positions", "normal forces", "modes", "energy"], figure=figure.add_subfigure(parts[1]))
    return figure


def main() -> None:
    world, run = swing()
    print(run)
    for event, change in losses(run):
        print(f"  {event}: {change:+.3g} J within its step")
    print(f"deepest overlap: {max(0.0, -min(world.gap(q) for q in run.q[::5])):.1e} m")
    figure = draw(world, run)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(sys.argv[1], dpi=76, pil_kwargs={"optimize": True})
        print(f"figure: {sys.argv[1]}")
    else:
        plt.show()


if __name__ == "__main__":
    main()
