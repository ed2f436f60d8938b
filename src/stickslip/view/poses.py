"""Where everything is at an instant: for every body the pose of its link, in whose axes a scene's shapes are given."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.dynamics import Mechanism
from stickslip.dynamics.tree import Floats


class Poses(NamedTuple):
    """For every body, and the world as the last: `turn` (bodies + 1, 3, 3) and `place` (bodies + 1, 3) in m of its link."""

    turn: Floats
    place: Floats


def poses_of(mechanism: Mechanism, q: Floats) -> Poses:
    """The poses at q (nq,), in m and rad. What is fixed to the world has no link: its pose is that of the world's axes."""
    bodies = mechanism.body_poses(q)
    turn, place = np.tile(np.eye(3), (len(bodies) + 1, 1, 1)), np.zeros((len(bodies) + 1, 3))
    offset = mechanism._frames.offset[:-1]
    turn[:-1] = bodies[:, :9].reshape(-1, 3, 3) @ offset[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1)
    place[:-1] = bodies[:, 9:] - np.einsum("bij,bj->bi", turn[:-1], offset[:, 9:])
    return Poses(turn, place)


def in_link(mechanism: Mechanism, body: str, points: Floats) -> Floats:
    """Points (k, 3) m of a body, or of the world, in the axes of its link."""
    row = mechanism._frames.offset[mechanism._body_rows[body]]
    return np.asarray(points @ row[:9].reshape(3, 3).T + row[9:])
