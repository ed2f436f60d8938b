"""Pairs of solids without a closed form: the direction in which they are apart comes from Coal, everything exact from us.

Coal (the extra "meshes") finds the nearest points of two convex solids, or how they are least deep in each other, to about one
part in a million. That is enough to know which features meet; `feature_pairs` then makes their common normal exact. Where
Coal's answer is not good enough for that, directions all around are tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stickslip.contact.direction_search import apart_along, try_directions_into
from stickslip.contact.feature_pairs import touch_features_into, touch_foremost_into
from stickslip.contact.features import FLOATS, INTEGERS, MOST_OF_CYLINDER
from stickslip.contact.scene import (
    AXES,
    CENTRE,
    CORNERS,
    CYLINDER,
    EDGES,
    ELLIPSOID,
    FACES,
    FIRST_CORNER,
    FIRST_EDGE,
    FIRST_FACE,
    FROM,
    HALF_SPACE,
    KIND,
    LEFT,
    PLACE,
    RADIUS,
    REACH,
    RIGHT,
    ROUNDED,
    SIZE,
    TO,
    TURN,
    Scene,
)
from stickslip.contact.solids import MANY
from stickslip.contact.touch import FULL, IDENTITY_WIDTH, TOUCH_WIDTH
from stickslip.dynamics.tree import Floats, Ints
from stickslip.mechanism.errors import MissingExtraError

ABOUT = 1e-4  # of the size of two shapes: Coal's answers are better than this


def is_searched(scene: Scene, first: int, second: int) -> bool:
    """Whether a pair has no closed form, as `spatial_pair` decides it."""
    a, b = scene.shapes[first], scene.shapes[second]
    if HALF_SPACE in (a[KIND], b[KIND]):
        return False
    if a[KIND] == b[KIND] == ROUNDED:
        return bool(min(a[CORNERS], b[CORNERS]) > 1 and max(a[CORNERS], b[CORNERS]) > MANY)
    return not any(row[KIND] == ROUNDED and row[CORNERS] == 1 for row in (a, b))


class Searcher:
    """Finds the touches of pairs without a closed form in one scene; each thread needs its own."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._coal = _coal()
        self._solids: dict[int, tuple[Any, Floats, Floats]] = {}
        self._request = self._coal.DistanceRequest()
        self._result = self._coal.DistanceResult()
        most = int(scene.shapes[:, [CORNERS, EDGES, FACES]].sum(axis=1).max()) + 2 * MOST_OF_CYLINDER
        floats, integers = (most, FLOATS), (most, INTEGERS)
        self._rows = np.zeros(floats), np.zeros(integers, np.int64), np.zeros(floats), np.zeros(integers, np.int64)
        self._system = np.zeros((4, 5))
        self._allocate(64)

    def find(self, pairs: Ints, placed: Floats, placed_corners: Floats, margin: float) -> tuple[Floats, Ints]:
        """All touches of `pairs` (n, 2) with gaps up to `margin` in m, pair by pair: rows as `touch` describes them."""
        found = [self._pair(int(a), int(b), placed, placed_corners, margin) for a, b in pairs]
        return (
            np.concatenate([np.empty((0, TOUCH_WIDTH)), *(floats for floats, _ in found)]),
            np.concatenate([np.empty((0, IDENTITY_WIDTH), dtype=np.int64), *(integers for _, integers in found)]),
        )

    def _pair(self, a: int, b: int, placed: Floats, corners: Floats, margin: float) -> tuple[Floats, Ints]:
        guide = np.empty(9)
        distance = self._nearest(a, b, placed, guide)
        about = ABOUT * (self.scene.sizes[a, REACH] + self.scene.sizes[b, REACH])
        if distance > margin + about:
            return self._touches[:0], self._identities[:0]
        where = self.scene.shapes, self.scene.sizes, corners, placed, a, b, guide
        sure = apart_along(*where) >= distance - about  # where flat solids touch, Coal may say anything
        count = self._touch(a, b, placed, corners, margin, guide) if sure else 0
        if count == 0 and not (sure and distance > margin - about):
            try_directions_into(*where)
            count = self._touch(a, b, placed, corners, margin, guide)
            if count == 0 and apart_along(*where) <= margin:
                count = touch_foremost_into(*where, self._touches, self._identities)
        return self._touches[:count].copy(), self._identities[:count].copy()

    def _touch(self, a: int, b: int, placed: Floats, corners: Floats, margin: float, guide: Floats) -> int:
        shapes, sizes, _, edges, faces = self.scene
        while True:
            count = touch_features_into(
                shapes,
                sizes,
                edges,
                faces,
                corners,
                placed,
                a,
                b,
                guide,
                margin,
                *self._rows,
                self._system,
                self._touches,
                self._identities,
            )
            if count != FULL:
                return int(count)
            self._allocate(4 * len(self._touches))

    def _allocate(self, capacity: int) -> None:
        self._touches = np.zeros((capacity, TOUCH_WIDTH))
        self._identities = np.zeros((capacity, IDENTITY_WIDTH), dtype=np.int64)

    # ---- where to look ---------------------------------------------------------------------------------------------

    def _nearest(self, a: int, b: int, placed: Floats, guide: Floats) -> float:
        """Coal's distance; its direction and nearest points go to `guide`. Seen from a, so that nothing is lost far away."""
        origin = placed[a, PLACE : PLACE + 3]
        (one, first), (other, second) = (self._placed(shape, placed, origin) for shape in (a, b))
        result = self._result
        result.clear()
        distance = self._coal.distance(one, first, other, second, self._request, result)
        guide[:3] = result.normal
        guide[3:6] = result.getNearestPoint1() + origin
        guide[6:] = result.getNearestPoint2() + origin
        length = float(np.linalg.norm(guide[:3]))
        guide[:3] /= length if length > 0.0 else np.nan
        return float(distance)

    def _placed(self, a: int, placed: Floats, origin: Floats) -> tuple[Any, Any]:
        if a not in self._solids:
            self._solids[a] = self._solid(a)
        solid, turn, middle = self._solids[a]
        axes = placed[a, AXES : AXES + 9].reshape(3, 3)
        return solid, self._coal.Transform3s(axes @ turn, placed[a, PLACE : PLACE + 3] - origin + axes @ middle)

    def _solid(self, a: int) -> tuple[Any, Floats, Floats]:
        """The shape for Coal, with its axes (3, 3) and its centre (3,) in those of the scene's shape."""
        row, size = self.scene.shapes[a], self.scene.sizes[a]
        if row[KIND] == ELLIPSOID:
            return self._coal.Ellipsoid(*size[SIZE : SIZE + 3].tolist()), np.eye(3), np.zeros(3)
        if row[KIND] == CYLINDER:
            return self._coal.Cylinder(float(size[SIZE]), 2.0 * float(size[SIZE + 1])), np.eye(3), np.zeros(3)
        axes = size[TURN : TURN + 9].reshape(3, 3)
        points = self.scene.corners[row[FIRST_CORNER] : row[FIRST_CORNER] + row[CORNERS], :3] - size[CENTRE : CENTRE + 3]
        points = points @ axes
        if not row[FACES]:
            return self._capsule(points, float(size[RADIUS]))
        return self._coal.Convex(self._points(points), self._triangles(a)), np.eye(3), np.zeros(3)

    def _points(self, points: Floats) -> Any:
        listed = self._coal.StdVec_Vec3s()
        listed.extend(list(points))
        return listed

    def _triangles(self, a: int) -> Any:
        """Each face as a fan; its edges have it on the left or, turned round, on the right."""
        row = self.scene.shapes[a]
        edges = self.scene.edges[row[FIRST_EDGE] : row[FIRST_EDGE] + row[EDGES]].tolist()
        following: dict[int, dict[int, int]] = {face: {} for face in range(row[FIRST_FACE], row[FIRST_FACE] + row[FACES])}
        for edge in edges:
            following[edge[LEFT]][edge[FROM]] = edge[TO]
            following[edge[RIGHT]][edge[TO]] = edge[FROM]
        triangles = self._coal.StdVec_Triangle()
        zero = int(row[FIRST_CORNER])
        for ahead in following.values():
            first = min(ahead)
            one = ahead[first]
            while ahead[one] != first:
                triangles.append(self._coal.Triangle(first - zero, one - zero, ahead[one] - zero))
                one = ahead[one]
        return triangles

    def _capsule(self, ends: Floats, radius: float) -> tuple[Any, Floats, Floats]:
        along = ends[1] - ends[0]
        length = float(np.linalg.norm(along))
        z = along / length
        x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
        x /= np.linalg.norm(x)
        return self._coal.Capsule(radius, length), np.column_stack([x, np.cross(z, x), z]), 0.5 * (ends[0] + ends[1])


def _coal() -> Any:
    try:
        import coal
    except ImportError:
        raise MissingExtraError(
            "contacts between convex meshes of many corners, and of cylinders and ellipsoids with anything but half-spaces and "
            'spheres, need the package coal, which is not installed: pip install "stickslip[meshes]".'
        ) from None
    return coal
