"""
Hybrid systems of one's own
===========================

What flows and jumps need not be a mechanism: a `HybridSystem` is a flow, guards that say when something happens, and what it
does to the state. Here a ball bounces infinitely often in finite time, and then lies; and a block on a spring is carried along
by a rough belt, sticks, and slips. If ever it is as fast as the belt it ends on a limit cycle; a small swing, which friction
that does not depend on speed never damps, goes on for ever. All of it is known in closed form.
"""

import sys
from math import atan, pi, sqrt
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import stickslip as ss

GRAVITY, RESTITUTION = 9.81, 0.8
BELT, FRICTION, STATIC = 0.3, 0.5, 0.8  # m/s, and N on a mass of 1 kg with a spring of 1 N/m

# %%
# The ball. While it flies its guard is its height. A bounce is a jump of its speed. Bounces follow each other in a geometric
# series; its limit is computed, and `after_accumulation` says what follows: it lies, which is a discrete state.

ball = ss.HybridSystem(
    states=["height", "speed"],
    discrete=["lies"],
    flow=lambda t, x, z: (0.0, 0.0) if z[0] else (x[1], -GRAVITY),
    guard=lambda t, x, z: 1.0 if z[0] else x[0],
    events=["bounce"],
    jump=lambda t, x, z, due: ((x[0], -RESTITUTION * x[1]), z),
    after_accumulation=lambda t, x, z, due: ((0.0, 0.0), [1.0]),
)

# %%
# The block. It sticks to the belt until the spring pulls with the static friction; it slips until it is as fast as the belt.

block = ss.HybridSystem(
    states=["place", "speed"],
    discrete=["sticks"],
    flow=lambda t, x, z: (BELT, 0.0) if z[0] else (x[1], FRICTION - x[0]),
    guard=lambda t, x, z: (STATIC - x[0], 1.0) if z[0] else (1.0, BELT - x[1]),
    events=["slip", "stick"],
    jump=lambda t, x, z, due: ((x[0], BELT), [float("stick" in due)]),
)


def cycle() -> float:
    """The period of the block in s: a straight line on the belt, and an arc about the dynamic friction."""
    return 2 * (STATIC - FRICTION) / BELT + 2 * pi - 2 * atan((STATIC - FRICTION) / BELT)


def draw(bouncing: ss.HybridTrajectory, slipping: list[ss.HybridTrajectory]) -> Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    t = np.linspace(0.0, bouncing.duration, 2000)
    left.plot(t, bouncing.at(t).x[:, 0])
    left.set(title="It lies after infinitely many bounces", xlabel="time (s)", ylabel="height (m)")
    for run in slipping:
        t = np.linspace(0.0, run.duration, 4000)
        right.plot(*run.at(t).x.T)
    right.set(title="Sticking and slipping, from three starts", xlabel="place (m)", ylabel="speed (m/s)")
    return figure


def main() -> None:
    bouncing = ss.simulate(ball, [1.0, 0.0], [0.0], 5.0)
    print(bouncing)
    (limit,) = [event.time for event in bouncing.events if event.kind == "accumulation"]
    exact = sqrt(2 / GRAVITY) * (1 + RESTITUTION) / (1 - RESTITUTION)
    print(f"it lies from {limit:.9f} s on, which is off by {abs(limit - exact):.1e} s")
    starts = ([0.0, BELT], 1.0), ([0.5, -1.0], 0.0), ([0.55, 0.0], 0.0)
    slipping = [ss.simulate(block, x, [sticks], 40.0) for x, sticks in starts]
    slips = [event.time for event in slipping[0].events if event.kind == "slip"]
    print(f"the block slips every {slips[-1] - slips[-2]:.9f} s, which is off by {abs(slips[-1] - slips[-2] - cycle()):.1e} s")
    figure = draw(bouncing, slipping)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(sys.argv[1], dpi=76, pil_kwargs={"optimize": True})
        print(f"figure: {sys.argv[1]}")
    else:
        plt.show()


if __name__ == "__main__":
    main()
