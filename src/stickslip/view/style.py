"""What all figures look like: colours, sizes, and what an axis wears.

Everything is set on the artists themselves. Matplotlib's settings, which belong to the whole process, are neither read where it
can be helped nor changed.

The colours are those of Okabe and Ito, which people with any kind of colour blindness tell apart; curves differ in their
dashes, too, so that they survive a black-and-white printer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

INK = "#22252e"  # lines and words
SOFT = "#8b919d"  # what only accompanies: curves in the background, ticks, notes
FAINT = "#e4e7ec"  # grids
PAPER = "#ffffff"

BLUE, ORANGE, GREEN, SKY, VERMILLION, PURPLE = "#0072b2", "#e69f00", "#009e73", "#56b4e9", "#d55e00", "#cc79a7"

CURVES = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION, INK, "#a6761d")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))

MODES = {"S": "#c9ced6", "F": BLUE, "R": ORANGE, "L": PURPLE, "D": VERMILLION}
"""The colour of each contact mode; other letters are drawn in ink."""
MODE_WORDS = {"S": "separating", "F": "fixed", "R": "sliding to +t", "L": "sliding to -t", "D": "sliding"}

BODY = "#a9cbe5"  # what moves
BODY_EDGE = "#1f3d57"
GROUND = "#eceef2"  # what stands still
GROUND_EDGE = "#5b6270"
GROUND_HATCH = "#c6cbd4"
ALARM = VERMILLION

ALL = tuple(
    dict.fromkeys((PAPER, INK, SOFT, FAINT, *CURVES, *MODES.values(), BODY, BODY_EDGE, GROUND, GROUND_EDGE, GROUND_HATCH))
)
"""Every colour that is used, once."""

TITLE, TEXT, SMALL = 10.0, 8.5, 7.5  # points: readable where a figure is printed as wide as it is made
LINE, THIN, HAIR = 1.3, 0.9, 0.6  # points

WIDTH = 7.2  # inches of a figure


def new_figure(width: float = WIDTH, height: float = 4.8, dpi: float = 120.0) -> Figure:
    """A figure of its own, in inches, that no window and no global list knows of."""
    return Figure(figsize=(width, height), dpi=dpi, layout="constrained", facecolor=PAPER)


def dress(axes: Axes) -> None:
    """Ticks, frame and grid of one axis."""
    axes.set_facecolor(PAPER)
    axes.tick_params(which="both", labelsize=SMALL, colors=INK, length=3, width=HAIR)
    axes.spines[["top", "right"]].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set(color=SOFT, linewidth=HAIR)
    axes.grid(visible=True, color=FAINT, linewidth=HAIR)
    axes.set_axisbelow(True)


def label(axes: Axes, *, x: str = "", y: str = "", title: str = "") -> None:
    """What is along each axis, with its unit, and a title above on the left."""
    if x:
        axes.set_xlabel(x, fontsize=TEXT, color=INK)
    if y:
        axes.set_ylabel(y, fontsize=TEXT, color=INK)
    if title:
        axes.set_title(title, fontsize=TITLE, color=INK, loc="left")


def faded(colour: str, part: float) -> tuple[float, float, float]:
    """A colour on its way to white: 0 as it is, 1 white."""
    mixed = (1.0 - part) * np.array(to_rgb(colour)) + part
    return float(mixed[0]), float(mixed[1]), float(mixed[2])


def mode_colour(letter: str) -> str:
    """The colour of a contact mode."""
    return MODES.get(letter, INK)


def say(axes: Axes, text: str) -> None:
    """Words in the middle of an axis that has nothing else to show."""
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=SOFT, fontsize=TEXT)


def plain(text: str) -> str:
    """Text as it stands: a dollar sign in a name begins no formula."""
    return text.replace("$", r"\$")


def note(axes: Axes, text: str) -> None:
    """A small remark above an axis on the right."""
    axes.set_title(text, fontsize=SMALL, color=SOFT, loc="right")
