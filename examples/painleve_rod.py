"""
A rod that has no answer, or two
================================

A uniform rod leans over and slides on its lower end, away from the side it leans to. Friction turns it so that it digs
into the floor. Where friction is high enough, the contact problem of rigid bodies with Coulomb friction has no solution at
all, or it has two: Painlevé found this in 1895, and engines that soften contact hide it. Every point of the map below is one
contact problem, of which all solutions are found.

The normal acceleration of the tip is A f + b, where f >= 0 is the normal force. On paper, for a rod of half-length l at the
angle a, m A = 1 + 3 cos(a)^2 - 3 mu sin(a) cos(a) and b = l w^2 sin(a) - g, where w is how fast the rod turns. While A > 0
there is one solution. Beyond, there is none as long as the tip is pulled down (b < 0), and there are two once the rod turns
fast enough to lift it: the tip may fly off, or stay and press. The lines in the map are A = 0 and b = 0; its colours are
counted.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure

import stickslip as ss

HALF = 1.0  # m, half the rod's length
SPEED = 1.0  # m/s, of the tip to the left
TURNING = 3.5  # rad/s
GRAVITY = 9.81  # m/s^2
ANGLES = np.radians(np.linspace(2, 88, 44))
FRICTIONS = np.linspace(0.0, 3.0, 41)

# %%
# The rod in the plane: a body with three coordinates, a point at its lower end, and a floor.


def rod(friction: float) -> ss.World:
    builder = ss.MechanismBuilder(plane="xz", gravity=(0, 0, -GRAVITY), name="rod")
    tip = ss.Point(name="tip", centre=(-HALF, 0, 0))
    builder.body("rod", mass=1.0, inertia=HALF**2 / 3, shapes=[tip])
    builder.planar("float", child="rod")
    return ss.World(ss.Mechanism(builder), obstacles=[ss.HalfSpace(normal=(0, 0, 1))], material=ss.Material(friction=friction))


def sliding(world: ss.World, angle: float, turning: float = TURNING) -> ss.ContactProblem:
    """The instant at which the tip slides to the left, the rod leans to the right at `angle` and turns at `turning`."""
    c, s = np.cos(angle), np.sin(angle)
    q = np.array([HALF * c, HALF * s, angle])
    v = np.array([-SPEED - turning * HALF * s, turning * HALF * c, turning])
    return ss.contact_problem(world, q, v)


# %%
# The map: how many solutions there are.


def painleve_map() -> np.ndarray:
    """Numbers of solutions, (frictions, angles)."""
    return np.array([[len(sliding(world, angle).solutions()) for angle in ANGLES] for world in map(rod, FRICTIONS)])


def onset(angle: np.ndarray) -> np.ndarray:
    """The friction at which A = 0, on paper."""
    result: np.ndarray = (1 + 3 * np.cos(angle) ** 2) / (3 * np.sin(angle) * np.cos(angle))
    return result


def on_paper() -> np.ndarray:
    """The same numbers by the closed form."""
    angle, friction = np.meshgrid(ANGLES, FRICTIONS)
    lifted = HALF * TURNING**2 * np.sin(angle) > GRAVITY
    return np.where(friction < onset(angle), 1, np.where(lifted, 2, 0))


# %%
# The picture.


INK = "#2b2d42"
COLOURS = {0: "#e4572e", 1: "#edf2f4", 2: "#00a6a6"}
LABELS = {0: "no solution", 1: "one", 2: "two"}


def draw(counts: np.ndarray) -> Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), width_ratios=(1, 1.9), layout="constrained")
    draw_rod(left)
    draw_map(right, counts)
    return figure


def draw_rod(axes: Axes) -> None:
    angle = np.arctan(2)
    end = 2 * HALF * np.array([np.cos(angle), np.sin(angle)])
    axes.fill_between([-0.9, 1.5], -0.15, 0, color="#cfd4dc", lw=0)
    axes.plot([0, end[0]], [0, end[1]], color=INK, lw=5, solid_capstyle="round")
    arrow = {"arrowstyle": "-|>", "lw": 2, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16}
    axes.annotate("", (-0.6, 0.06), (0, 0.06), arrowprops=arrow | {"color": "#6a4c93"})
    axes.text(-0.62, 0.12, "slides", color="#6a4c93")
    axes.annotate("", (0.75, 0.45), (0, 0), arrowprops=arrow | {"color": "#e4572e"})
    axes.text(
        0.78, 0.42, "contact force:\nit passes below\nthe centre of mass\nand digs the tip in", color="#e4572e", va="center"
    )
    axes.plot(*(end / 2), "o", color="white", mec=INK, ms=9, zorder=3)
    axes.set(aspect="equal", xlim=(-0.9, 1.75), ylim=(-0.15, 1.95))
    axes.axis("off")
    axes.set_title("The rod leans and slides away", color=INK, loc="left")


def draw_map(axes: Axes, counts: np.ndarray) -> None:
    degrees = np.degrees(ANGLES)
    axes.pcolormesh(
        degrees, FRICTIONS, counts, cmap=ListedColormap(list(COLOURS.values())), norm=BoundaryNorm([-0.5, 0.5, 1.5, 2.5], 3)
    )
    fine = np.linspace(2, 88, 400)
    axes.plot(fine, onset(np.radians(fine)), color=INK, lw=1.5)
    lifts = np.degrees(np.arcsin(GRAVITY / (HALF * TURNING**2)))
    axes.plot([lifts, lifts], [onset(np.radians(lifts)), FRICTIONS[-1]], color=INK, lw=1.5)
    axes.plot(np.degrees(np.arctan(2)), 4 / 3, "o", color=INK)
    axes.annotate(
        "4/3 at atan 2", (np.degrees(np.arctan(2)), 4 / 3), (0, -16), textcoords="offset points", ha="center", color=INK
    )
    for number, place in {0: (45, 2.45), 1: (20, 0.9), 2: (66, 2.2)}.items():
        axes.text(*place, LABELS[number], color=INK if number == 1 else "white", ha="center", fontsize=13, weight="bold")
    axes.set(xlabel="angle of the rod (degrees)", ylabel="friction", xlim=(2, 88), ylim=(0, FRICTIONS[-1]))
    axes.set_title("How many solutions its contact problem has", color=INK, loc="left")
    axes.spines[["top", "right"]].set_visible(False)


def main() -> None:
    counts = painleve_map()
    print(f"{counts.size} contact problems, of which the closed form counts {np.sum(counts != on_paper())} otherwise")
    angle = np.arctan(2)
    print(f"critical friction at atan 2: {ss.critical_friction(sliding(rod(0.5), angle)):.15f} (on paper 4/3)")
    for friction, turning in ((1.0, TURNING), (2.0, 0.0), (2.0, TURNING)):
        solution = sliding(rod(friction), angle, turning).solve()
        print(f"\nfriction {friction:g}, turning at {turning:g} rad/s: {solution.status.value}")
        print(solution.certificate)
    figure = draw(counts)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(sys.argv[1], dpi=76, pil_kwargs={"optimize": True})
        print(f"\nfigure: {sys.argv[1]}")
    else:
        plt.show()


if __name__ == "__main__":
    main()
