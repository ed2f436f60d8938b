"""Times within a run, and the point of a body whose path is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from stickslip.contact import World
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import entries, real, shown, vector3
from stickslip.mechanism.plane import lifted
from stickslip.simulate import Trajectory
from stickslip.view.belonging import last_finite
from stickslip.view.picture import Picture
from stickslip.view.poses import in_link, poses_of

FINEST = 1000  # points of a path


def end_of(trajectory: Trajectory) -> float:
    """The time in s up to which q and v are finite, and so can be drawn."""
    return float(trajectory.time[last_finite(trajectory) - 1])


def checked_times(trajectory: Trajectory, times: Any) -> Floats:
    """Rising times (k,) in s within the run: as given, or that many of them, evenly spaced from its beginning to its end."""
    first, last = float(trajectory.time[0]), end_of(trajectory)
    if isinstance(times, int) and not isinstance(times, bool):
        if times < 1:
            raise ArgumentError(f"a time-lapse needs at least one pose, not {times}.")
        return np.linspace(first, last, times)
    try:
        listed = np.sort([real(time, "each of the times") for time in entries(times, "the times")])
    except MechanismError as error:
        raise ArgumentError(str(error)) from None
    if not len(listed):
        raise ArgumentError("a time-lapse needs at least one time.")
    if listed[0] < first or listed[-1] > last:
        outside = listed[0] if listed[0] < first else listed[-1]
        raise ArgumentError(
            f"the times must lie within the run, from {first!r} s to {last!r} s, but one is {float(outside)!r}."
        )
    return np.asarray(listed, dtype=float)


def path_of(world: World, trajectory: Trajectory, picture: Picture, trace: Any, times: Floats) -> Floats:
    """Where a point of a body is in the picture (k, 2), in m, at `times` (k,): `trace` is (body, point in its frame)."""
    body, point = _checked_point(world, trace)
    row = world.mechanism._body_rows[body]
    place = in_link(world.mechanism, body, point[None])[0]
    found = np.empty((len(times), 3))
    for k, q in enumerate(trajectory.at(times).q):
        poses = poses_of(world.mechanism, q)
        found[k] = poses.turn[row] @ place + poses.place[row]
    return picture.seen(found)


def many_times(trajectory: Trajectory, first: float, last: float) -> Floats:
    """Times (k,) in s for a smooth path from the first to the last of them: the samples', or evenly spaced ones if too many."""
    inside = trajectory.time[(trajectory.time >= first) & (trajectory.time <= last)]
    if len(inside) > FINEST:
        return np.linspace(first, last, FINEST)
    return np.unique([first, *inside, last])


def _checked_point(world: World, trace: Any) -> tuple[str, Floats]:
    """A body of the mechanism and a point (3,) m in its frame; its centre of mass, if a body is all that is given."""
    mechanism = world.mechanism
    if isinstance(trace, str):
        mechanism._body(trace)
        return trace, np.array(mechanism.description.body(trace).centre)
    try:
        body, point = trace
    except (TypeError, ValueError):
        raise ArgumentError(f"trace must be a body, or a pair (body, point in its frame), not {shown(trace)}.") from None
    mechanism._body(body)
    try:
        return body, np.array(vector3(lifted(point, world.mechanism.plane, "the point of trace"), "the point of trace"))
    except MechanismError as error:
        raise ArgumentError(str(error)) from None
