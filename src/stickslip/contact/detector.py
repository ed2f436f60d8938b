"""The detector of a world: its scene as compiled arrays, and scratch space for each thread that looks at it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from stickslip.contact.broad_phase import compile_broad_phase
from stickslip.contact.convex import Searcher, is_searched
from stickslip.contact.detection import detect_planar_into
from stickslip.contact.packing import Entry, pack
from stickslip.contact.placing import workspace
from stickslip.contact.rows import planar_rows_into, spatial_rows_into
from stickslip.contact.spatial_detection import detect_spatial_into
from stickslip.contact.touch import FIRST, FULL, IDENTITY_WIDTH, NUMBER, SECOND, TOUCH_WIDTH, tangents
from stickslip.dynamics.mechanism import Mechanism
from stickslip.dynamics.tree import Floats, Ints
from stickslip.mechanism.numbers import ORIGIN, Vector3, cross
from stickslip.mechanism.plane import NORMALS

_tangents_in_space: Any = getattr(tangents, "py_func", tangents)  # of kernels only Python's side is called here

FIRST_CAPACITY = 64  # touches, and pairs of near shapes, before the arrays grow


class Found(NamedTuple):
    """Touches as touch.py describes them, and a status: their number, or what went wrong."""

    status: int
    touches: Floats  # (touches, TOUCH_WIDTH)
    identities: Ints  # (touches, IDENTITY_WIDTH)


class Rows(NamedTuple):
    """Rows of touches, stacked, and a status."""

    status: int
    jacobian: Floats  # (rows, nv)
    velocity: Floats  # (rows,)
    drift: Floats  # (rows,)


class Detector:
    """Finds touches and writes their rows; `pairs` (first, second) count in `entries`."""

    def __init__(
        self, mechanism: Mechanism, entries: Sequence[Entry], pairs: Sequence[tuple[int, int]], plane: str | None
    ) -> None:
        self.mechanism = mechanism
        self.plane = plane
        self.scene = pack(entries, mechanism._frames, plane)
        self.broad_phase = compile_broad_phase(self.scene, workspace(self.scene, plane)[0], pairs)
        self._up = {"xy": 1, "xz": 2, None: 0}[plane]
        self._out = NORMALS[plane] if plane else ORIGIN
        self._out_array = np.array(self._out)
        self._local = threading.local()
        self.searches = plane is None and any(is_searched(self.scene, first, second) for first, second in pairs)
        if self.searches:
            Searcher(self.scene)  # says now rather than later that it needs a package which is not there

    def find(self, q: Floats, margin: float) -> Found:
        """All touches with gaps up to `margin` in m, by second shape, first shape and number; q (nq,) in m and rad."""
        while True:
            near, touches, identities = self._scratch()
            tree, scene, local, work = self.mechanism._tree, self.scene, self._local, self.mechanism._work()
            what = (tree[0], tree[1], q, scene.shapes, scene.sizes, scene.corners)
            here = (margin, work, local.placed, local.placed_corners, near)
            if self.plane:
                status = detect_planar_into(*what, *self.broad_phase, self._up, *here, touches, identities)
            else:
                hulls = scene.edges, scene.faces
                status = detect_spatial_into(*what, *hulls, *self.broad_phase, *here, local.left, touches, identities)
            if status == FULL:
                self._grow()
                continue
            count = max(status, 0)
            found = Found(status, touches[:count].copy(), identities[: max(count, 1)].copy())
            return self._with_searched(found, margin) if status >= 0 and self.searches and local.left[0] else found

    def _with_searched(self, found: Found, margin: float) -> Found:
        """The same with touches of pairs that kernels alone cannot find, in order."""
        local = self._local
        if not hasattr(local, "searcher"):
            local.searcher = Searcher(self.scene)
        pairs = local.near[: local.left[0]]
        more, of_whom = local.searcher.find(pairs, local.placed, local.placed_corners, margin)
        touches = np.concatenate([found.touches, more])
        identities = np.concatenate([found.identities[: found.status], of_whom])
        order = np.lexsort((identities[:, NUMBER], identities[:, FIRST], identities[:, SECOND]))
        return Found(len(touches), touches[order], identities[order])

    def rows(self, q: Floats, v: Floats, found: Found) -> Rows:
        """Jacobian, velocities (m/s) and drifts (m/s^2) of what was found at q, for v (nv,)."""
        count = len(found.touches)
        height = (2 if self.plane else 3) * count
        J, velocity, drift = np.empty((height, self.mechanism.nv)), np.empty(height), np.empty(height)
        tree, work = self.mechanism._tree, self.mechanism._work()
        state = tree[0], tree[1], q, v, self.scene.shapes
        what = found.touches, found.identities, count, work
        if self.plane:
            status = planar_rows_into(*state, self._out_array, *what, J, velocity, drift)
        else:
            status = spatial_rows_into(*state, *what, np.empty((4, 5)), J, velocity, drift)
        return Rows(status, J, velocity, drift)

    def tangents(self, normal: Vector3) -> tuple[Vector3, ...]:
        """The unit tangents of a contact with that normal: one in a plane, two in space."""
        return (cross(normal, self._out),) if self.plane else _tangents_in_space(normal)

    def _scratch(self) -> tuple[Ints, Floats, Ints]:
        """This thread's arrays for near pairs, touches and identities; its others are in place after the call."""
        local = self._local
        if not hasattr(local, "touches"):
            local.placed, local.placed_corners = workspace(self.scene, self.plane)
            local.left = np.zeros(1, dtype=np.int64)
            self._allocate(FIRST_CAPACITY)
        return local.near, local.touches, local.identities

    def _allocate(self, capacity: int) -> None:
        self._local.near = np.empty((capacity, 2), dtype=np.int64)
        self._local.touches = np.zeros((capacity, TOUCH_WIDTH))
        self._local.identities = np.zeros((capacity, IDENTITY_WIDTH), dtype=np.int64)

    def _grow(self) -> None:
        self._allocate(4 * len(self._local.touches))
