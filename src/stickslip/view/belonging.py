"""What figures are made of, checked: a world, positions in it, and runs that are of its mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np

from stickslip.contact import World
from stickslip.dynamics.arguments import ready
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown
from stickslip.simulate import Layout, Trajectory

LISTED = 6  # joints that a sentence names


def checked_world(world: Any) -> World:
    """`world`, which must be one."""
    if not isinstance(world, World):
        raise ArgumentError(f"what is drawn must be a World, not {shown(world)}.")
    return world


def checked_position(world: World, q: Any) -> Floats:
    """`q` (nq,), in m and rad, if it is finite."""
    position = ready(q, (world.mechanism.nq,), "q")
    if not np.isfinite(position).all():
        name = Layout.of(world.mechanism).position_names[int(np.flatnonzero(~np.isfinite(position))[0])]
        raise ArgumentError(f"q must be finite, but {name!r} is {position[~np.isfinite(position)][0]:g}.")
    return position


def check_belongs(world: World, trajectory: Any) -> None:
    """Refuse a run whose q is not that of the world's mechanism."""
    if not isinstance(trajectory, Trajectory):
        raise ArgumentError(f"a run must be a Trajectory, as ss.simulate returns it, not {shown(trajectory)}.")
    own, other = Layout.of(world.mechanism), trajectory.layout
    if own.plane != other.plane:
        raise ArgumentError(
            f"the run and the world do not belong together: the run was {_where(other)}, but the world's mechanism "
            f"{own.mechanism!r} lives {_where(own)}."
        )
    if (own.joints, own.kinds) != (other.joints, other.kinds):
        raise ArgumentError(
            f"the run and the world do not belong together: the run has {_joints(other)}, but the world's mechanism "
            f"{own.mechanism!r} has {_joints(own)}."
        )
    if not len(trajectory):
        raise ArgumentError("this trajectory has no samples, and so nothing to draw.")


def last_finite(trajectory: Trajectory) -> int:
    """The number of samples before q or v stops being finite; at least one."""
    broken = np.flatnonzero(~(np.isfinite(trajectory.q).all(axis=1) & np.isfinite(trajectory.v).all(axis=1)))
    count = int(broken[0]) if len(broken) else len(trajectory)
    if count == 0:
        raise ArgumentError("q and v of the trajectory are not finite at its first sample, so that nothing can be drawn.")
    return count


def _where(layout: Layout) -> str:
    return f"in the plane {layout.plane!r}" if layout.plane else "in space"


def _joints(layout: Layout) -> str:
    described = [f"{name} ({kind.label})" for name, kind in zip(layout.joints[:LISTED], layout.kinds, strict=False)]
    more = len(layout.joints) - LISTED
    return f"the joints {', '.join(described)}" + (f" and {more} more" if more > 0 else "") if described else "no joints"
