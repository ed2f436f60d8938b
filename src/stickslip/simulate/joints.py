"""Limits and dry friction of a mechanism's joints, as a stepper takes them, and the limits' names."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

import numpy as np

from stickslip.dynamics.mechanism import Mechanism
from stickslip.simulate.stepping import Joints


def joints_of(mechanism: Mechanism) -> Joints:
    """The arrays of a mechanism's limits and dry friction."""
    limited, addresses, ends = [], [], []
    rubbing: list[int] = []
    bounds: list[float] = []
    for name, _, away, end in _limits(mechanism):
        q, v = mechanism.coordinates(name)
        limited.append(v.start)
        addresses.append(q.start)
        ends.append((away, end))
    for joint in mechanism.description.moving_joints:
        if joint.dry_friction > 0:
            _, v = mechanism.coordinates(joint.name)
            rubbing += range(v.start, v.stop)
            bounds += [joint.dry_friction] * joint.kind.nv
    return Joints(
        np.array(limited, dtype=np.int64),
        np.array(addresses, dtype=np.int64),
        np.array(ends, dtype=np.float64).reshape(-1, 2),
        np.array(rubbing, dtype=np.int64),
        np.array(bounds, dtype=np.float64),
    )


def limit_names(mechanism: Mechanism) -> list[str]:
    """What contact problems call them, in the same order."""
    return [f"{joint} at its {which} limit" for joint, which, _, _ in _limits(mechanism)]


def _limits(mechanism: Mechanism) -> Iterator[tuple[str, str, float, float]]:
    """(name, which end, the direction that leads away from it, its coordinate in m or rad) of all finite limits."""
    for joint in mechanism.description.moving_joints:
        for which, away, end in (("lower", 1.0, joint.limits[0]), ("upper", -1.0, joint.limits[1])):
            if isfinite(end):
                yield joint.name, which, away, end
