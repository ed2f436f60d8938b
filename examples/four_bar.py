"""
A four-bar linkage that draws a straight line
=============================================

Hoeken's linkage turns rotation into motion along a line: a crank of length 1, a ground link of 2, a rocker of 2.5, and a
coupler of 5 whose middle is hinged to the rocker. For half a turn of the crank the coupler's end draws a line four cranks long,
straight to a quarter of a per cent.

The bodies of a tree cannot form a ring, so that the last hinge is a *loop closure*, an equation between positions that holds at
the end of every step. As the linkage has one degree of freedom, all of that can be checked: the position by intersecting two
circles, the motion by a single differential equation for the crank's angle a,

    I(a) a'' + I'(a) a'^2 / 2 + V'(a) = torque,

where I is what the motor has to turn and V the potential energy. The same mechanism runs in redundant coordinates, too: with
*all* hinges cut, three free bodies and nothing but closures. At last the motor gives just the torque with which a'' = 0.
"""

import sys
from collections.abc import Callable
from math import sin
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import stickslip as ss

CRANK, GROUND, ROCKER, HALF_COUPLER = 0.1, 0.2, 0.25, 0.25  # m
LENGTHS = {"crank": CRANK, "coupler": 2 * HALF_COUPLER, "rocker": ROCKER}  # m; each weighs 2 kg per metre
DENSITY, GRAVITY = 2.0, 9.81
ANGLE, SPEED = 0.3, 15.0  # rad, rad/s, of the crank at the start
DURATION = 2.0  # s

# %%
# The mechanism: three uniform bars, two hinges on the ground, one between crank and coupler, and the loop.


def four_bar() -> ss.Mechanism:
    builder = ss.MechanismBuilder(plane="xz", gravity=(0, 0, -GRAVITY), name="Hoeken's linkage")
    for name, length in LENGTHS.items():
        mass = DENSITY * length
        builder.body(name, mass=mass, centre=(length / 2, 0), inertia=mass * length**2 / 12)
    builder.revolute("motor", child="crank")
    builder.revolute("pin", parent="crank", child="coupler", at=(CRANK, 0))
    builder.revolute("pivot", child="rocker", at=(GROUND, 0))
    builder.close_hinge("middle", first="coupler", second="rocker", first_point=(HALF_COUPLER, 0), second_point=(ROCKER, 0))
    builder.motor("motor")
    return ss.Mechanism(builder)


# %%
# The linkage on paper. The middle of the coupler is as far from the pin as from the pivot; points are complex numbers.


def on_paper(angle: float) -> tuple[float, float]:
    """The angles of coupler and rocker, in rad, for one of the crank."""
    pin = CRANK * np.exp(1j * angle)
    way = (GROUND - pin) / 2
    middle = pin + way + 1j * way / abs(way) * np.sqrt(HALF_COUPLER**2 - abs(way) ** 2)
    return float(np.angle(middle - pin)), float(np.angle(middle - GROUND))


def rates(angle: float) -> tuple[float, float]:
    """Those of coupler and rocker in rad/s, when the crank turns at 1 rad/s: neither bar between its hinges stretches."""
    coupler, rocker = on_paper(angle)
    return (
        CRANK * sin(rocker - angle) / (HALF_COUPLER * sin(coupler - rocker)),
        CRANK * sin(angle - coupler) / (ROCKER * sin(rocker - coupler)),
    )


def end(angle: float) -> complex:
    """The end of the coupler, x + iz in m."""
    return complex(CRANK * np.exp(1j * angle) + 2 * HALF_COUPLER * np.exp(1j * on_paper(angle)[0]))


def inertia(angle: float) -> float:
    """I(a) in kg m^2: twice the kinetic energy at 1 rad/s."""
    coupler, _ = on_paper(angle)
    of_coupler, of_rocker = rates(angle)
    centre = CRANK * np.exp(1j * angle) + HALF_COUPLER * of_coupler * np.exp(1j * coupler)
    bars = CRANK**3 / 3 + LENGTHS["coupler"] ** 3 / 12 * of_coupler**2 + ROCKER**3 / 3 * of_rocker**2
    return DENSITY * float(bars + LENGTHS["coupler"] * abs(centre) ** 2)


def weight(angle: float) -> float:
    """V(a) in J."""
    coupler, rocker = on_paper(angle)
    coupler_height = CRANK * sin(angle) + HALF_COUPLER * sin(coupler)
    bars = CRANK**2 / 2 * sin(angle) + LENGTHS["coupler"] * coupler_height + ROCKER**2 / 2 * sin(rocker)
    return DENSITY * GRAVITY * bars


def slope(function: Callable[[float], float], angle: float) -> float:
    """The derivative, by central differences."""
    small = 1e-4
    outer = function(angle + 2 * small) - function(angle - 2 * small)
    return (8 * (function(angle + small) - function(angle - small)) - outer) / (12 * small)


def acceleration(angle: float, speed: float, torque: float = 0.0) -> float:
    """a'' in rad/s^2."""
    return (torque - slope(inertia, angle) * speed**2 / 2 - slope(weight, angle)) / inertia(angle)


def start() -> tuple[np.ndarray, np.ndarray]:
    """All of the mechanism's coordinates, and their rates."""
    coupler, rocker = on_paper(ANGLE)
    of_coupler, of_rocker = rates(ANGLE)
    return np.array([ANGLE, coupler - ANGLE, rocker]), SPEED * np.array([1.0, of_coupler - 1, of_rocker])


def crank_on_paper(duration: float, steps: int = 8000) -> float:
    """The crank's angle after a time in s, by the differential equation and the classical Runge-Kutta rule."""
    h, y = duration / steps, np.array([ANGLE, SPEED])

    def rate(y: np.ndarray) -> np.ndarray:
        return np.array([y[1], acceleration(y[0], y[1])])

    for _ in range(steps):
        k1 = rate(y)
        k2 = rate(y + h / 2 * k1)
        k3 = rate(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(y + h * k3))
    return float(y[0])


# %%
# Runs: let go, in minimal and in redundant coordinates; and driven, so that the crank keeps its speed.


def let_go(mechanism: ss.Mechanism, dt: float, *, cut: bool = False) -> ss.Trajectory:
    solved = mechanism.cut_hinges() if cut else mechanism
    q, v = mechanism.cut_state(*start()) if cut else start()
    return ss.simulate(ss.World(solved), q, v, DURATION, "time-stepping", dt=dt)


def steady_torque(_t: float, q: np.ndarray, v: np.ndarray) -> list[float]:
    """What keeps a'' at zero, for the crank's angle and speed in the middle of a millisecond."""
    angle = q[0] + v[0] * 0.5e-3
    return [float(slope(inertia, angle) * v[0] ** 2 / 2 + slope(weight, angle))]


def opening(mechanism: ss.Mechanism, run: ss.Trajectory) -> float:
    """By how much the loops are open at most, in m."""
    return max(float(np.abs(mechanism.loop_residual(q)).max()) for q in run.q)


def report(mechanism: ss.Mechanism) -> ss.Trajectory:
    """Prints how far the runs are from what stands on paper; returns the driven one."""
    exact = crank_on_paper(DURATION)
    print(f"let go at {SPEED:g} rad/s; after {DURATION:g} s the crank has turned {exact - ANGLE:.6f} rad, on paper")
    for dt in (2e-3, 1e-3, 5e-4):
        ends = []
        for cut in (False, True):
            run = let_go(mechanism, dt, cut=cut)
            energy = run.energy.sum(axis=1)
            ends.append((run.q[-1, 2 if cut else 0] - exact, np.abs(energy / energy[0] - 1).max()))
        (minimal, ripple), (redundant, other) = ends
        print(f"  steps of {dt * 1e3:g} ms: off by {minimal:9.1e} rad in minimal, {redundant:9.1e} in redundant coordinates,")
        print(f"    where energy strays by {ripple:.1e} and {other:.1e} of itself")
    print(f"  the loop is open by {opening(mechanism, let_go(mechanism, 1e-3)):.1e} m at most")
    driven = ss.simulate(ss.World(mechanism), *start(), DURATION, "time-stepping", controller=steady_torque)
    print(f"driven: the crank keeps its speed to {np.ptp(driven.v[:, 0]) / SPEED:.1e} of it, with torques from", end=" ")
    print(f"{driven.tau.min():.2f} to {driven.tau.max():.2f} N m")
    heights = np.array([end(angle).imag for angle in np.linspace(np.pi / 2, 3 * np.pi / 2, 181)])
    print(f"the end of the coupler draws a line straight to {1e3 * np.ptp(heights):.2f} mm over {4e3 * CRANK:g} mm")
    return driven


# %%
# The picture.

INK, RED, TEAL = "#2b2d42", "#e4572e", "#00a6a6"


def draw(mechanism: ss.Mechanism, driven: ss.Trajectory) -> Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), width_ratios=(1.1, 1), layout="constrained")
    draw_linkage(left, mechanism, driven)
    draw_torque(right, driven)
    return figure


def draw_linkage(axes: Axes, mechanism: ss.Mechanism, driven: ss.Trajectory) -> None:
    turn = round(2 * np.pi / SPEED * 1e3)
    tips = np.array([bar_ends(mechanism, q)[2] for q in driven.q[: turn + 1]])
    axes.plot(*tips.T, color=RED, lw=2.5)
    for k in range(0, turn, turn // 8):
        pin, middle, tip = bar_ends(mechanism, driven.q[k])
        alpha = 1.0 if k == 0 else 0.25
        axes.plot(*np.array([(GROUND, 0), middle]).T, color=TEAL, lw=3, alpha=alpha)
        axes.plot(*np.array([(0, 0), pin]).T, color=INK, lw=3, alpha=alpha)
        axes.plot(*np.array([pin, tip]).T, color=INK, lw=2, alpha=alpha)
    axes.plot([0, GROUND], [0, 0], "s", color=INK, ms=9)
    axes.set(aspect="equal", xlabel="x (m)", ylabel="z (m)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("Half of the coupler's curve is a line", color=INK, loc="left")


def bar_ends(mechanism: ss.Mechanism, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The crank's pin, the coupler's middle and its end, each (2,) in m."""
    rotation, pin = mechanism.body_pose(q, "coupler")
    along = rotation @ (HALF_COUPLER, 0, 0)
    return pin[[0, 2]], (pin + along)[[0, 2]], (pin + 2 * along)[[0, 2]]


def draw_torque(axes: Axes, driven: ss.Trajectory) -> None:
    turn = round(2 * np.pi / SPEED * 1e3)
    axes.plot(driven.time[1 : turn + 1] * 1e3, driven.tau[1 : turn + 1, 0], color=INK)
    axes.axhline(0, color="#cfd4dc", lw=1, zorder=0)
    axes.set(xlabel="time (ms)", ylabel="torque (N m)", xlim=(0, turn))
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("What the motor gives to keep the crank's speed", color=INK, loc="left")


def main() -> None:
    mechanism = four_bar()
    driven = report(mechanism)
    figure = draw(mechanism, driven)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(sys.argv[1], dpi=76, pil_kwargs={"optimize": True})
        print(f"figure: {sys.argv[1]}")
    else:
        plt.show()


if __name__ == "__main__":
    main()
