"""A run at a glance: positions, velocities, forces, modes, events and energy over one time."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase, SubFigure

from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.numbers import shown
from stickslip.simulate import Trajectory
from stickslip.view import curves, style
from stickslip.view.panels import Panel, curve_panels
from stickslip.view.ribbons import event_panel, event_times, ribbon_panel

PANELS = ("positions", "velocities", "inputs", "normal forces", "tangential forces", "modes", "events", "energy")

MOST_HAIRLINES = 40  # events that are marked in all panels
HEADING = 0.55  # inches for the title, and for the time below
LETTERS = 88  # of a line of the title
LINES = 4  # of trouble that the title tells


def plot(
    run: Trajectory,
    panels: Sequence[str] | str | None = None,
    *,
    joints: Sequence[str] | str | None = None,
    contacts: Sequence[str] | str | None = None,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """A figure of a run over time in s; see `Trajectory.plot`, which is this."""
    if not isinstance(run, Trajectory):
        raise ArgumentError(f"what is plotted must be a Trajectory, not {shown(run)}.")
    if figure is not None and not isinstance(figure, FigureBase):
        raise ArgumentError(f"figure must be a Figure or a SubFigure of Matplotlib, not {shown(figure)}.")
    names = _checked_names(run, panels)
    chosen = curves.chosen_joints(run, joints), curves.chosen_contacts(run, contacts)
    drawn = [panel for name in names for panel in _panels(run, name, *chosen)] if len(run) else []
    drawn = drawn or [_nothing("nothing is chosen that could be shown" if len(run) else "this run has no samples")]
    if figure is None:
        figure = style.new_figure(height=HEADING + 0.25 + sum(panel.height for panel in drawn))
    _fill(figure, run, drawn)
    figure.suptitle(_title(run), fontsize=style.TITLE, color=style.INK if run.outcome else style.ALARM, x=0.01, ha="left")
    return figure


def _fill(figure: Figure | SubFigure, run: Trajectory, panels: list[Panel]) -> None:
    ratios = [panel.height for panel in panels]
    grid = figure.subplots(len(panels), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": ratios})
    marks = event_times(run)
    for axes, panel in zip(grid[:, 0], panels, strict=True):
        style.dress(axes)
        panel.draw(axes)
        if len(marks) <= MOST_HAIRLINES:
            for time in marks:
                axes.axvline(time, color=style.SOFT, linewidth=style.HAIR, alpha=0.5, zorder=0.5, label="_event")
    if len(run):
        grid[-1, 0].set_xlim(*_ends(run))
        style.label(grid[-1, 0], x="time (s)")
    figure.align_ylabels(grid[:, 0])


def _panels(run: Trajectory, name: str, joints: list[str], contacts: list[str]) -> list[Panel]:
    """The panels behind a name: one for each unit of what they show."""
    if name == "positions":
        return curve_panels(run, curves.positions(run, joints), {"m": "position", "rad": "angle"})
    if name == "velocities":
        return curve_panels(run, curves.velocities(run, joints), {"m/s": "velocity", "rad/s": "rate"})
    if name == "inputs":
        return curve_panels(run, curves.inputs(run, joints), {"N or N m": "input"})
    if name == "normal forces":
        return curve_panels(run, curves.normal_forces(run, contacts), {"N": "normal force"})
    if name == "tangential forces":
        along = "friction along t" if run.contacts.components == 2 else "friction"
        return curve_panels(run, curves.tangential_forces(run, contacts), {"N": along})
    if name == "modes":
        return [ribbon_panel(run, contacts, _ends(run))]
    if name == "events":
        return [event_panel(run)]
    return curve_panels(run, curves.energies(run), {"J": "energy"})


def _checked_names(run: Trajectory, panels: Any) -> list[str]:
    """The panels that are asked for, or all that have something to show."""
    if panels is None:
        return [name for name in PANELS if _has(run, name)]
    names = [panels] if isinstance(panels, str) else list(panels)
    if not names:
        raise ArgumentError(f"name at least one panel: {', '.join(PANELS)}.")
    for name in names:
        if name not in PANELS:
            near = did_you_mean(name, PANELS) if isinstance(name, str) else "."
            raise ArgumentError(
                f"there is no panel {shown(name)}" + (near if near != "." else f"; there are {', '.join(PANELS)}.")
            )
    return names


def _has(run: Trajectory, panel: str) -> bool:
    if panel == "inputs":
        return bool((np.isfinite(run.tau) & (run.tau != 0.0)).any())
    if panel in ("normal forces", "tangential forces", "modes"):
        return bool(run.contact_names)
    return bool(run.events or run.certificates) if panel == "events" else True


def _nothing(why: str) -> Panel:
    def say(axes: Axes) -> None:
        axes.set_axis_off()
        style.say(axes, why)

    return Panel(height=1.0, draw=say)


def _ends(run: Trajectory) -> tuple[float, float]:
    """The times in s that panels begin and end at; a lone sample stands for a second around it."""
    first, last = float(run.time[0]), float(run.time[-1])
    return (first, last) if last > first else (first - 0.5, last + 0.5)


def _title(run: Trajectory) -> str:
    settings = run.settings
    facts = ["1 sample" if len(run) == 1 else f"{len(run)} samples in {run.duration:g} s"]
    facts += [str(settings["method"])] if isinstance(settings.get("method"), str) else []
    facts += [f"dt = {settings['dt']:g} s"] if isinstance(settings.get("dt"), float) else []
    lines = textwrap.wrap(f"{run.layout.mechanism}: {', '.join(facts)}", LETTERS)
    if not run.outcome:
        told = run.trouble if run.outcome.value in run.trouble else f"{run.outcome.value} {run.trouble}"
        wrapped = textwrap.wrap(told, LETTERS)
        lines += wrapped[:LINES] + (["…"] if len(wrapped) > LINES else [])
    return style.plain("\n".join(lines))
