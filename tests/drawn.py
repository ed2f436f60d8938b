"""What is on an axis of Matplotlib, in numbers."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch

import stickslip as ss

ALONG = np.linspace(0, 1, 65)  # of each piece


def outlines(axes: Axes, name: str) -> list[np.ndarray]:
    """Points (k, 2) on every line and curve that is drawn for a part, in m."""
    patches = [patch for patch in axes.patches if isinstance(patch, PathPatch) and patch.get_label() == f"_{name}"]
    return [np.vstack([piece(ALONG) for piece, _ in patch.get_path().iter_bezier()]) for patch in patches]


def outline(axes: Axes, name: str) -> np.ndarray:
    """The same of a part that is drawn once."""
    (only,) = outlines(axes, name)
    return only


def middle(axes: Axes, name: str) -> np.ndarray:
    """Half-way between the least and the greatest coordinates of a part (2,), in m."""
    (patch,) = [patch for patch in axes.patches if patch.get_label() == f"_{name}"]
    return patch.get_path().get_extents().get_points().mean(axis=0)


def reaches(points: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """How far points (k, 2) reach along directions (n, 2), in m."""
    return (points @ directions.T).max(axis=0)


def sticks(axes: Axes) -> np.ndarray:
    """Both ends (k, 2, 2) of the sticks, in m."""
    (line,) = [line for line in lines_with(axes, "None") if np.isnan(line.get_xydata()).any()] or [Line2D([], [])]
    return line.get_xydata().reshape(-1, 3, 2)[:, :2]


def lines_with(axes: Axes, marker: str) -> list[Line2D]:
    return [line for line in axes.lines if str(line.get_marker()) == marker]


def box_on_a_slope(degrees: float = 20.0, friction: float = 0.8) -> tuple[ss.World, np.ndarray]:
    """A box of 2 kg, 0.4 by 0.2 m, that lies on a slope, and where."""
    b = ss.MechanismBuilder(plane="xz", name="box")
    b.body("box", mass=2.0, inertia=0.1, shapes=[ss.Box(size=(0.4, 0.4, 0.2))])
    b.planar("root", child="box")
    angle = np.radians(degrees)
    normal = (-np.sin(angle), np.cos(angle))
    slope = ss.HalfSpace(normal=normal, name="slope")
    world = ss.World(ss.Mechanism(b), obstacles=[slope], material=ss.Material(friction=friction))
    return world, np.array([0.1 * normal[0], 0.1 * normal[1], angle])
