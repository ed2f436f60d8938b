"""Fig. 2: the height of the last of three links, by both techniques."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.studies.minimal_coordinates.techniques import TECHNIQUES, path_of_last, pendulum, run_of, stopped_early
from stickslip.studies.study import Compared, Finding, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINKS = 3
STEPS = (1e-3, 1e-4)  # s: the paper's, and a tenth of it
SAMPLED = 1e-3  # s
LEAST = 1e-9  # m, that the logarithmic picture shows

Key = tuple[str, float]  # technique, step in s


def figure_2() -> Finding:
    """Three links over 5 s in minimal and in redundant coordinates, with the paper's step and a smaller one."""
    flags: tuple[str, ...] = ()
    paths: dict[Key, Floats] = {}
    for technique in TECHNIQUES:
        scenario = pendulum(LINKS, technique)
        for dt in STEPS:
            run = run_of(scenario, dt=dt, record_every=round(SAMPLED / dt))
            paths[technique, dt] = path_of_last(scenario.world, run.q)
            flags += stopped_early(f"the {technique} run with steps of {dt:g} s", run)
    common = min(map(len, paths.values()))
    time: Floats = SAMPLED * np.arange(common, dtype=np.float64)
    paths = {key: path[:common] for key, path in paths.items()}
    lower, apart, closer = float(_heights_apart(paths, STEPS[0]).max()), *(_apart(paths, dt).max() for dt in STEPS)
    return Finding(
        claim="the height of the last link of a pendulum of three is similar by both techniques: a good agreement.",
        finding=f"with the paper's step of 1 ms the heights agree to {lower * 1e3:.2g} mm over {time[-1]:g} s, and the places "
        f"to {apart * 1e3:.2g} mm; with a tenth of the step the places agree to {closer * 1e3:.2g} mm.",
        quantities={
            "largest difference of the heights (m)": Compared(None, lower),
            "largest distance between both (m)": Compared(None, float(apart)),
            "the same with a tenth of the step (m)": Compared(None, float(closer)),
            "height at the end, minimal (m)": Compared(None, float(paths["minimal", STEPS[0]][-1, 1])),
            "height at the end, redundant (m)": Compared(None, float(paths["redundant", STEPS[0]][-1, 1])),
            "simulated (s)": Compared(5.0, float(time[-1])),
        },
        data=_table(time, paths),
        draw=lambda: _draw(time, paths),
        flags=flags,
    )


def _heights_apart(paths: dict[Key, Floats], dt: float) -> Floats:
    """By how much the heights of both techniques differ (n,), in m."""
    return np.abs(paths["minimal", dt] - paths["redundant", dt])[:, 1]


def _apart(paths: dict[Key, Floats], dt: float) -> Floats:
    """How far the last link of one technique is from that of the other (n,), in m."""
    return np.array(np.linalg.norm(paths["minimal", dt] - paths["redundant", dt], axis=1))


def _table(time: Floats, paths: dict[Key, Floats]) -> Table:
    columns = [f"{what} of the last link, {technique}, dt {dt:g} s (m)" for technique, dt in paths for what in "xz"]
    return Table(("time (s)", *columns), [tuple(row) for row in np.column_stack([time, *paths.values()]).tolist()])


def _draw(time: Floats, paths: dict[Key, Floats]) -> Figure:
    from stickslip.view import style

    figure = style.new_figure(height=4.6)
    above, below = figure.subplots(2, sharex=True, height_ratios=(2, 1))
    for technique, colour, dash in zip(TECHNIQUES, style.CURVES, style.DASHES, strict=False):
        height = paths[technique, STEPS[0]][:, 1]
        above.plot(time, height, color=colour, linestyle=dash, linewidth=style.LINE, label=f"{technique} coordinates")
    for dt, colour, dash in zip(STEPS, style.CURVES[2:], style.DASHES, strict=False):
        apart = np.maximum(_apart(paths, dt), LEAST)
        below.semilogy(time, apart, color=colour, linestyle=dash, linewidth=style.THIN, label=f"step of {dt * 1e3:g} ms")
    for axes in (above, below):
        style.dress(axes)
        axes.legend(frameon=False, fontsize=style.SMALL, ncols=2)
    above.set_xlim(0.0, float(time[-1]))
    style.label(above, y="height of the last link (m)", title="Three links, by both techniques (Fig. 2)")
    style.label(below, x="time (s)", y="distance apart (m)")
    return figure
