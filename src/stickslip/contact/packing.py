"""Packing: every shape of a mechanism and every obstacle becomes rows of the arrays that `scene` describes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stickslip.contact.core import Core, spatial_core
from stickslip.contact.half_space import HalfSpace
from stickslip.contact.part import Obstacle
from stickslip.contact.planar_core import WITHIN, planar_core
from stickslip.contact.scene import (
    BODY,
    CENTRE,
    CORNER_WIDTH,
    CORNERS,
    EDGE_WIDTH,
    EDGES,
    FACE_WIDTH,
    FACES,
    FIRST_CORNER,
    FIRST_EDGE,
    FIRST_FACE,
    KIND,
    LENGTH,
    LEVEL,
    LINK,
    MIDDLE,
    OFFSET,
    OUTWARDS,
    RADIUS,
    REACH,
    SHAPE_WIDTH,
    SIZE,
    SIZE_WIDTH,
    TURN,
    Scene,
)
from stickslip.dynamics.tree import Floats, Frames, Ints


class Entry(NamedTuple):
    """A shape of the scene: `body` is a row of `Frames`, the world's for obstacles; `label` names it in sentences."""

    body: int
    shape: Obstacle
    label: str


def pack(entries: Sequence[Entry], frames: Frames, plane: str | None) -> Scene:
    """The arrays of all entries, in their order; in a plane every shape becomes what is seen of it there."""
    shapes = np.zeros((len(entries), SHAPE_WIDTH), dtype=np.int64)
    sizes = np.zeros((len(entries), SIZE_WIDTH))
    corners = [np.empty((0, CORNER_WIDTH))]
    edges: list[Ints] = [np.empty((0, EDGE_WIDTH), dtype=np.int64)]
    faces = [np.empty((0, FACE_WIDTH))]
    counts = [0, 0, 0]
    for i, (body, shape, label) in enumerate(entries):
        turn, centre = _placed(shape, frames.offset[body])
        if plane is None:
            core, local, axes = spatial_core(shape, label), turn, turn
        else:
            core, axes = planar_core(shape, turn, plane, label)
            local, centre = np.eye(2), centre[WITHIN[plane]]
        shapes[i] = _integers(body, int(frames.holder[body]), core, counts)
        _put_sizes(sizes[i], core, local, axes, centre)
        sizes[i, OFFSET] = shape.offset if isinstance(shape, HalfSpace) else 0.0
        corners.append(_corner_rows(core.corners @ local.T + centre, plane))
        edges.append(_counted_on(core, counts))
        faces.append(_face_rows(core.faces, turn, centre))
        counts = [counts[0] + len(core.corners), counts[1] + len(core.edges), counts[2] + len(core.faces)]
    return Scene(shapes, sizes, np.concatenate(corners), np.concatenate(edges), np.concatenate(faces))


def _placed(shape: Obstacle, offset: Floats) -> tuple[Floats, Floats]:
    """The shape's axes (3, 3) and centre (3,) in the body of its link, in which its own body is placed by `offset`."""
    turn, place = offset[:9].reshape(3, 3), offset[9:]
    if isinstance(shape, HalfSpace):
        return turn, place
    return turn @ np.array(shape.rotation), place + turn @ np.array(shape.centre)


def _integers(body: int, link: int, core: Core, counts: list[int]) -> Ints:
    row: Ints = np.zeros(SHAPE_WIDTH, dtype=np.int64)
    row[[KIND, BODY, LINK]] = core.kind, body, link
    row[[FIRST_CORNER, FIRST_EDGE, FIRST_FACE]] = counts
    row[[CORNERS, EDGES, FACES]] = len(core.corners), len(core.edges), len(core.faces)
    return row


def _put_sizes(row: Floats, core: Core, local: Floats, axes: Floats, centre: Floats) -> None:
    middle = centre + local @ core.middle
    row[TURN : TURN + axes.size] = axes.ravel()
    row[CENTRE : CENTRE + centre.size] = centre
    row[RADIUS] = core.radius
    row[SIZE : SIZE + len(core.size)] = core.size
    row[MIDDLE : MIDDLE + middle.size] = middle
    row[REACH] = core.reach


def _corner_rows(corners: Floats, plane: str | None) -> Floats:
    rows = np.zeros((len(corners), CORNER_WIDTH))
    rows[:, : corners.shape[1]] = corners
    if plane is not None and len(corners) > 1:
        ahead = np.roll(corners, -1, axis=0) - corners
        rows[:, LENGTH] = np.hypot(*ahead.T)
        rows[:, OUTWARDS] = ahead[:, 1] / rows[:, LENGTH]
        rows[:, OUTWARDS + 1] = -ahead[:, 0] / rows[:, LENGTH]
    return rows


def _counted_on(core: Core, counts: list[int]) -> Ints:
    """Edges that count corners and faces from the beginning of the scene's arrays."""
    faces = core.edges[:, 2:]
    return np.column_stack([core.edges[:, :2] + counts[0], np.where(faces < 0, -1, faces + counts[2])])


def _face_rows(faces: Floats, turn: Floats, centre: Floats) -> Floats:
    if not len(faces):
        return np.empty((0, FACE_WIDTH))
    normals = faces[:, :3] @ turn.T
    return np.column_stack([normals, faces[:, LEVEL] + normals @ centre])
