"""
A chain of ten links
====================

A chain hangs from a ceiling, is lifted to one side and let go. Nothing brakes it, so its energy must stay what it was: the
simplest test of a mass matrix and a bias that anyone can do. Ten links are chaotic, and the library is asked for
their accelerations some hundred thousand times.

The shaded ellipses show the Delassus matrix of the chain's tip: where a force of one newton, turned all the way around, would
accelerate it. A chain that is stretched can be pushed sideways far more easily than along itself; contact forces find exactly
this matrix in their way.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

import stickslip as ss

LINKS = 10
LENGTH = 0.2  # m, of one link
MASS = 0.3  # kg, of one link
FRAMES_PER_SECOND = 200
FRAMES = 2001
TOLERANCE = 1e-11  # rad and rad/s, in one step

Rate = Callable[[np.ndarray], np.ndarray]

# %%
# The mechanism: a body and a hinge for each link. In the plane "xz" an angle counts from x towards z, so that the first
# hinge, at zero, holds the chain out horizontally.


def chain() -> ss.Mechanism:
    builder = ss.MechanismBuilder(plane="xz", name="chain")
    for i in range(LINKS):
        builder.body(f"link_{i}", mass=MASS, centre=(LENGTH / 2, 0), inertia=MASS * LENGTH**2 / 12)
        builder.revolute(
            f"hinge_{i}",
            parent=f"link_{i - 1}" if i else "world",
            child=f"link_{i}",
            at=(LENGTH, 0) if i else (0, 0),
        )
    builder.passive()
    return ss.Mechanism(builder)


# %%
# The motion: extrapolated midpoint steps (Gragg, Bulirsch and Stoer) on the state (q, v), in plain Python around
# `forward_dynamics`. All joints are hinges, so that q changes by the integral of v and nothing more.


@dataclass
class Motion:
    """What happened: times (n,) in s, angles (n, nv) in rad, velocities (n, nv) in rad/s; calls made, seconds taken."""

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    calls: int
    seconds: float


def swing(mechanism: ss.Mechanism) -> Motion:
    no_force = np.zeros(mechanism.nv)
    calls = 0

    def rate(state: np.ndarray) -> np.ndarray:
        nonlocal calls
        calls += 1
        q, v = state
        return np.array((v, mechanism.forward_dynamics(q, v, no_force)))

    state = np.array((mechanism.configuration(hinge_0=0.35), np.zeros(mechanism.nv)))
    rate(state)  # compiles what is not compiled yet, before the clock starts
    times = np.arange(FRAMES) / FRAMES_PER_SECOND
    states = [state]
    started = time.perf_counter()
    for _ in times[1:]:
        states.append(advance(rate, states[-1], 1 / FRAMES_PER_SECOND))
    seconds = time.perf_counter() - started
    q, v = np.swapaxes(states, 0, 1)
    return Motion(times, np.ascontiguousarray(q), np.ascontiguousarray(v), calls, seconds)


def advance(rate: Rate, state: np.ndarray, step: float) -> np.ndarray:
    """The state one step later; in two halves where one piece is not accurate enough."""
    later, error = extrapolated(rate, state, step)
    if error < TOLERANCE:
        return later
    return advance(rate, advance(rate, state, step / 2), step / 2)


def extrapolated(rate: Rate, state: np.ndarray, step: float) -> tuple[np.ndarray, float]:
    """One step by 2, 4, 6 ... midpoint substeps, extrapolated to infinitely many; and what the last of them changed."""
    counts = range(2, 15, 2)
    row: list[np.ndarray] = []
    for i, count in enumerate(counts):
        above, row = row, [midpoint(rate, state, step, count)]
        for j in range(i):
            row.append(row[j] + (row[j] - above[j]) / ((count / counts[i - j - 1]) ** 2 - 1))
    return row[-1], float(np.abs(row[-1] - row[-2]).max())


def midpoint(rate: Rate, state: np.ndarray, step: float, count: int) -> np.ndarray:
    h = step / count
    before, here = state, state + h * rate(state)
    for _ in range(count - 1):
        before, here = here, before + 2 * h * rate(here)
    return (before + here + h * rate(here)) / 2


# %%
# What can be asked of every instant: where the joints are, what the energy is, how readily the tip gives way.


def joints_in_plane(mechanism: ss.Mechanism, q: np.ndarray) -> np.ndarray:
    """The (x, z) of every hinge and of the tip, (LINKS + 1, 2) in m."""
    poses = [mechanism.body_pose(q, body) for body in mechanism.body_names]
    rotation, place = poses[-1]
    return np.array([position for _, position in poses] + [place + rotation @ (LENGTH, 0, 0)])[:, [0, 2]]


def tip_compliance(mechanism: ss.Mechanism, q: np.ndarray) -> np.ndarray:
    """The Delassus matrix of the tip in the plane, (2, 2) in 1/kg."""
    return mechanism.delassus(q, [(f"link_{LINKS - 1}", (LENGTH, 0, 0))])[np.ix_([0, 2], [0, 2])]


# %%
# The picture.


INK = "#2b2d42"


def draw(mechanism: ss.Mechanism, motion: Motion, energies: np.ndarray) -> Figure:
    figure, axes = plt.subplot_mosaic(
        [["chain", "energy"], ["chain", "drift"]], figsize=(11, 5), width_ratios=(1.5, 1), layout="constrained"
    )
    draw_chain(axes["chain"], mechanism, motion)
    draw_energy(axes["energy"], motion.time, energies)
    draw_drift(axes["drift"], motion.time, energies)
    for panel in axes.values():
        panel.spines[["top", "right"]].set_visible(False)
    return figure


def draw_chain(axes: Axes, mechanism: ss.Mechanism, motion: Motion) -> None:
    last = 264  # the swing to the other side; after that the poses would hide each other
    fade = Normalize(-0.1, 1.1 * motion.time[last])
    colour = plt.get_cmap("magma_r")
    tips = []
    for i in range(last + 1):
        points = joints_in_plane(mechanism, motion.q[i])
        tips.append(points[-1])
        if i % 6 == 0:
            axes.plot(*points.T, ".-", color=colour(fade(motion.time[i])), lw=1.3, ms=4, alpha=0.8, markevery=slice(0, -1))
        if i % 44 == 0:
            axes.fill(*compliance_ellipse(mechanism, motion.q[i], points[-1]), color="#00a6a6", alpha=0.55, lw=0, zorder=3)
    path = np.stack((tips[:-1], tips[1:]), axis=1)
    axes.add_collection(LineCollection(list(path), colors=colour(fade(motion.time[:last])), lw=2.5, capstyle="round"))
    axes.plot(0, 0, "s", color=INK, ms=9, zorder=4)
    axes.set(aspect="equal", xlabel="x (m)", ylabel="z (m)")
    axes.set_title(f"A chain let go on the right: its first {motion.time[last]:.2f} s", color=INK, loc="left")


def compliance_ellipse(mechanism: ss.Mechanism, q: np.ndarray, tip: np.ndarray) -> np.ndarray:
    """The tip's accelerations under all forces of one newton, drawn around it at 2.5 cm for 1 m/s^2; (2, n) in m."""
    around = np.linspace(0, 2 * np.pi, 100)
    return tip[:, None] + 0.025 * tip_compliance(mechanism, q) @ (np.cos(around), np.sin(around))


def draw_energy(axes: Axes, times: np.ndarray, energies: np.ndarray) -> None:
    kinetic, potential = energies.T
    axes.plot(times, kinetic, color="#e4572e", label="kinetic")
    axes.plot(times, potential, color="#6a4c93", label="potential")
    axes.plot(times, kinetic + potential, color=INK, label="total")
    axes.set(ylabel="energy (J)", xlim=(0, times[-1]))
    axes.margins(y=0.25)
    axes.legend(ncols=3, frameon=False, loc="upper right")
    axes.set_title("Energy goes to and fro,", color=INK, loc="left")


def draw_drift(axes: Axes, times: np.ndarray, energies: np.ndarray) -> None:
    axes.semilogy(times[1:], np.maximum(relative_drift(energies)[1:], 1e-17), color=INK, lw=1)
    axes.set(xlabel="time (s)", ylabel="relative drift", xlim=(0, times[-1]), ylim=(1e-17, 1e-7))
    axes.set_title("and none of it is lost", color=INK, loc="left")


def relative_drift(energies: np.ndarray) -> np.ndarray:
    """How far the total energy is from its first value (n,), relative to the energy that goes to and fro."""
    total = energies.sum(axis=1)
    drift: np.ndarray = np.abs(total - total[0]) / np.ptp(energies[:, 1])
    return drift


def main() -> None:
    mechanism = chain()
    motion = swing(mechanism)
    energies = np.array([mechanism.energy(q, v) for q, v in zip(motion.q, motion.v, strict=True)])
    compliance = tip_compliance(mechanism, motion.q[0])
    print(f"{LINKS} links, {motion.time[-1]:g} s of motion: {motion.calls} accelerations in {motion.seconds:.2f} s")
    print(f"  ({1e6 * motion.seconds / motion.calls:.1f} us each, with an integrator in plain Python around them)")
    print(f"energy drift: {relative_drift(energies).max():.1e} of the energy that goes to and fro")
    print("Delassus matrix of the tip at the start, x and z, in 1/kg:")
    with np.printoptions(precision=3, suppress=True):
        print(compliance)
    figure = draw(mechanism, motion, energies)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(sys.argv[1], dpi=76, pil_kwargs={"optimize": True})
        print(f"figure: {sys.argv[1]}")
    else:
        plt.show()


if __name__ == "__main__":
    main()
