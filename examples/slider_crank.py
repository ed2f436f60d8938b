"""
A slider that rattles in its guide
==================================

In an engine's textbook the piston slides in a guide that fits. In a real one it has play: here 1 mm above and 1 mm below.
The slider is then no joint but a body with four corners between two walls, which it hits, along which it slides, and which it
leaves again. This is the slider-crank of Flores, Leine and Glocker ("Modeling and analysis of planar rigid multibody systems
with translational clearance joints based on the non-smooth dynamics approach", Multibody System Dynamics 23, 2010), the usual
reference case for clearance.

Lengths, clearance, masses and moments of inertia are those of its first table. Restitution, friction and the rates at the
start are those with which other programs repeat the case. Restitution there is Newton's, here Poisson's; both say the same as
long as no corner stops sliding while it hits.

The dashed lines show the same machine with a guide that fits. It has one degree of freedom, and the crank's speed follows from
its energy.
"""

import sys
from math import cos, pi, sin, sqrt
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import stickslip as ss

CRANK, ROD = 0.153, 0.306  # m
HALF_LENGTH, HALF_HEIGHT, CLEARANCE = 0.05, 0.025, 0.001  # m, of the slider; above and below it when it is in the middle
MASSES = {"crank": 0.038, "rod": 0.038, "slider": 0.076}  # kg
INERTIAS = {"crank": 7.4e-5, "rod": 5.9e-4, "slider": 2.7e-6}  # kg m^2, about centres of mass
GRAVITY = 9.81  # m/s^2
RESTITUTION, FRICTION = 0.4, 0.01
SPEED = 150.0  # rad/s, of the crank at the start
DURATION, STEP = 0.1, 1e-5  # s

# %%
# Three bodies in a row, and two walls. With a guide that fits, a loop closure takes the walls' place.


def slider_crank(*, fits: bool = False, restitution: float = RESTITUTION, friction: float = FRICTION) -> ss.World:
    builder = ss.MechanismBuilder(plane="xz", gravity=(0, 0, -GRAVITY), name="slider-crank")
    block = ss.Box(size=(2 * HALF_LENGTH, 0.02, 2 * HALF_HEIGHT))
    for name, centre in (("crank", CRANK / 2), ("rod", ROD / 2), ("slider", 0.0)):
        shapes = [block] if name == "slider" else []
        builder.body(name, mass=MASSES[name], centre=(centre, 0), inertia=INERTIAS[name], shapes=shapes)
    builder.revolute("bearing", child="crank")
    builder.revolute("crank pin", parent="crank", child="rod", at=(CRANK, 0))
    builder.revolute("slider pin", parent="rod", child="slider", at=(ROD, 0))
    builder.passive()
    if fits:
        builder.close_slider("guide", first="world", second="slider", first_point=(0, 0), second_point=(0, 0), axis=(1, 0))
        return ss.World(ss.Mechanism(builder))
    reach = HALF_HEIGHT + CLEARANCE
    walls = [
        ss.HalfSpace(normal=(0, 0, 1), offset=-reach, name="lower wall"),
        ss.HalfSpace(normal=(0, 0, -1), offset=-reach, name="upper wall"),
    ]
    return ss.World(ss.Mechanism(builder), obstacles=walls, material=ss.Material(friction=friction, restitution=restitution))


def start(slider_rate: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Stretched out, the crank at its speed, and the slider's centre without any across the guide."""
    rod_rate = -SPEED * CRANK / ROD
    return np.zeros(3), np.array([SPEED, rod_rate - SPEED, slider_rate - rod_rate])


# %%
# The guide that fits, on paper: kinetic energy at a rate of 1 rad/s, potential energy, and the speed at every angle.


def ideal_inertia(angle: float) -> float:
    """What the crank's bearing has to turn, in kg m^2."""
    s, c = sin(angle), cos(angle)
    root = sqrt(ROD**2 - (CRANK * s) ** 2)
    rod = CRANK * c / root  # rates of the rod (backwards) and of the slider, per unit of the crank's
    slide = CRANK * s * (1 + CRANK * c / root)
    middle = (CRANK * c / 2) ** 2 + (CRANK * s + CRANK**2 * s * c / root / 2) ** 2
    turning = INERTIAS["crank"] + INERTIAS["rod"] * rod**2
    return turning + MASSES["crank"] * CRANK**2 / 4 + MASSES["rod"] * middle + MASSES["slider"] * slide**2


def ideal_weight(angle: float) -> float:
    """The potential energy in J: the slider's never changes."""
    return GRAVITY * (MASSES["crank"] + MASSES["rod"]) * CRANK / 2 * sin(angle)


def ideal_speed(angle: float) -> float:
    """The crank's rate in rad/s."""
    energy = ideal_inertia(0.0) * SPEED**2 / 2 + ideal_weight(0.0)
    return sqrt(2 * (energy - ideal_weight(angle)) / ideal_inertia(angle))


# %%
# What the run says of the slider.


def rise(q: np.ndarray) -> np.ndarray:
    """How far the slider's centre is above the middle of the guide, in m, for positions (n, 3)."""
    above: np.ndarray = CRANK * np.sin(q[:, 0]) + ROD * np.sin(q[:, 0] + q[:, 1])
    return above


def report(world: ss.World, run: ss.Trajectory) -> None:
    energy = run.energy.sum(axis=1)
    print(f"{run.outcome.value} {len(run.events)} impacts in {run.duration:g} s, in steps of {STEP * 1e6:g} us")
    for event in run.events[:6]:
        wall = event.contacts[0].split(" on ")[1]
        impulse = sum(normal for normal, _ in event.impulses)
        print(f"  {event.time * 1e3:9.6f} ms: {len(event.contacts)} corners hit the {wall} with {impulse * 1e3:8.4f} mN s")
    print(f"deepest gap of a corner: {min(world.gap(q) for q in run.q):.1e} m")
    print(f"energy: {energy[0]:.4f} J at the start, {energy[-1]:.4f} J at the end")
    print(f"highest rise of the energy, a ripple of the free steps: {(energy - np.minimum.accumulate(energy)).max():.1e} J")
    sliding = np.mean([bool(set(word) & set("RL")) for word in run.mode])
    print(f"the slider lies on a wall for {100 * sliding:.0f} % of the time")


# %%
# The picture.

INK, RED, TEAL = "#2b2d42", "#e4572e", "#00a6a6"


def draw(run: ss.Trajectory) -> Figure:
    figure, axes = plt.subplot_mosaic(
        [["machine", "speed"], ["rise", "rise"]], figsize=(11, 6), width_ratios=(1, 1.2), layout="constrained"
    )
    draw_machine(axes["machine"])
    draw_speed(axes["speed"], run)
    draw_rise(axes["rise"], run)
    for name in ("speed", "rise"):
        axes[name].spines[["top", "right"]].set_visible(False)
    return figure


def draw_machine(axes: Axes) -> None:
    play = 12 * CLEARANCE  # drawn twelve times as large
    pin = CRANK * np.array([cos(0.9), sin(0.9)])
    end = np.array([pin[0] + sqrt(ROD**2 - (pin[1] - play) ** 2), play])
    corner = (float(end[0]) - HALF_LENGTH, play - HALF_HEIGHT)
    axes.add_patch(Rectangle(corner, 2 * HALF_LENGTH, 2 * HALF_HEIGHT, color=TEAL, alpha=0.6))
    axes.plot(*np.array([(0, 0), pin, end]).T, "o-", color=INK, lw=4, ms=9, mfc="white")
    for side in (-1, 1):
        edge = side * (HALF_HEIGHT + play)
        axes.fill_between([0.25, 0.52], edge, edge + side * 0.015, color="#cfd4dc", lw=0)
    axes.set(aspect="equal")
    axes.axis("off")
    axes.set_title("The slider has play (drawn larger)", color=INK, loc="left")


def draw_speed(axes: Axes, run: ss.Trajectory) -> None:
    turns = run.q[:, 0] / (2 * pi)
    axes.plot(turns, run.v[:, 0], color=RED, lw=1.5, label="with play")
    axes.plot(turns, [ideal_speed(angle) for angle in run.q[:, 0]], "--", color=INK, lw=1, label="with a guide that fits")
    axes.set(xlabel="turns of the crank", ylabel="rad/s", xlim=(0, turns[-1]), ylim=(40, 160))
    axes.legend(frameon=False, ncols=2, loc="lower center")
    axes.set_title("Each impact takes a little of the crank's speed,", color=INK, loc="left")


def draw_rise(axes: Axes, run: ss.Trajectory) -> None:
    axes.plot(run.time * 1e3, rise(run.q) * 1e3, color=INK, lw=1)
    for event in run.events:
        side = 1 if event.contacts[0].endswith("upper wall") else -1
        axes.plot(event.time * 1e3, side * CLEARANCE * 1e3, "o", color=RED, ms=4, clip_on=False)
    for side in (-1, 1):
        axes.axhspan(side * 1.15, side * 1e3 * CLEARANCE, color="#cfd4dc", lw=0)
    axes.set(xlabel="time (ms)", ylabel="height of the slider (mm)", xlim=(0, run.time[-1] * 1e3), ylim=(-1.15, 1.15))
    axes.set_title("and the slider goes from wall to wall", color=INK, loc="left")


def main() -> None:
    world = slider_crank()
    run = ss.simulate(world, *start(), DURATION, "time-stepping", dt=STEP)
    report(world, run)
    ideal = ss.simulate(slider_crank(fits=True), *start(), DURATION, "time-stepping", dt=STEP)
    error = max(abs(rate - ideal_speed(angle)) for angle, rate in zip(ideal.q[::50, 0], ideal.v[::50, 0], strict=True))
    print(f"with a guide that fits, the crank's speed is that of the closed form to {error:.1e} rad/s")
    print(f"after {DURATION:g} s it is {ideal.v[-1, 0]:.2f} rad/s with a guide that fits, {run.v[-1, 0]:.2f} with play")
    figure = draw(run)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(sys.argv[1], dpi=76, pil_kwargs={"optimize": True})
        print(f"figure: {sys.argv[1]}")
    else:
        plt.show()


if __name__ == "__main__":
    main()
