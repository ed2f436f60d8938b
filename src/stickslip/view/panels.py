"""What a panel of a run's figure is drawn from, how high it is, and the curves on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from stickslip.dynamics.tree import Floats
from stickslip.simulate import Trajectory
from stickslip.view import style
from stickslip.view.curves import TOTAL, Curve

MOST_CURVES = 8  # that one panel tells apart; others are drawn in grey
HEIGHT = 1.25  # inches of a panel with curves, at least
ENTRY = 0.135  # inches of a line of a legend
HUGE = 1e150  # in any unit: what is larger is not drawn; Matplotlib squares numbers
LONGEST_NAME = 22  # letters of a name beside a panel


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A panel: how high it is in inches, and what draws it on an axis."""

    height: float
    draw: Callable[[Axes], None]


def curve_panels(run: Trajectory, curves: Sequence[Curve], titles: dict[str, str]) -> list[Panel]:
    """A panel for each unit among the curves; `titles` says what curves of a unit are."""
    panels = []
    for unit in dict.fromkeys(curve.unit for curve in curves):
        own = [curve for curve in curves if curve.unit == unit]
        height = max(HEIGHT, ENTRY * (min(len(own), MOST_CURVES + 1) + 1))
        panels.append(Panel(height=height, draw=_Curves(run.time, own, f"{titles[unit]} ({unit})")))
    return panels


@dataclass(frozen=True)
class _Curves:
    """Draws curves of one unit: those that swing most in colour, the others behind them in grey."""

    time: Floats
    curves: Sequence[Curve]
    title: str

    def __call__(self, axes: Axes) -> None:
        marker = "o" if len(self.time) == 1 else ""
        foremost = self._foremost()
        others = [curve for curve in self.curves if curve not in foremost]
        for k, curve in enumerate(others):
            label = f"{len(others)} more" if k == len(others) - 1 else f"_{curve.name}"
            axes.plot(
                self.time,
                _drawable(curve.values),
                color=style.SOFT,
                alpha=0.5,
                linewidth=style.HAIR,
                marker=marker,
                label=label,
            )
        for k, curve in enumerate(foremost):
            axes.plot(
                self.time,
                _drawable(curve.values),
                **_look(curve, k),
                linewidth=style.LINE,
                marker=marker,
                label=shortened(curve.name) if np.isfinite(curve.values).any() else f"{shortened(curve.name)}: not known",
            )
        style.label(axes, y=self.title)
        legend_beside(axes, [*axes.lines[len(others) :], *axes.lines[len(others) - 1 : len(others)]])

    def _foremost(self) -> list[Curve]:
        if len(self.curves) <= MOST_CURVES:
            return list(self.curves)
        ranked = sorted(range(len(self.curves)), key=lambda k: -self.curves[k].swing)
        return [self.curves[k] for k in sorted(ranked[:MOST_CURVES])]


def _drawable(values: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(values) < HUGE, values, np.nan)


def _look(curve: Curve, k: int) -> dict[str, Any]:
    """Colour and dashes of the k-th curve; a total is drawn in ink."""
    if curve.name == TOTAL:
        return {"color": style.INK}
    return {"color": style.CURVES[k % len(style.CURVES)], "linestyle": style.DASHES[k % len(style.DASHES)]}


def legend_beside(axes: Axes, handles: Sequence[object]) -> None:
    """A legend to the right of an axis."""
    if handles:
        axes.legend(
            handles=list(handles),
            loc="upper left",
            bbox_to_anchor=(1.0, 1.04),
            frameon=False,
            fontsize=style.SMALL,
            labelcolor=style.INK,
            labelspacing=0.25,
            handlelength=2.2,
            borderaxespad=0.3,
        )


def shortened(name: str) -> str:
    """A name that fits beside a panel: a long one loses its middle."""
    half = (LONGEST_NAME - 1) // 2
    return style.plain(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1 - half]}…{name[-half:]}")
