"""The convex hull of points in space, as corners, edges and flat faces.

Quickhull with two tolerances, because files keep coordinates in single precision: what is flat should be one face.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.dynamics.tree import Floats, Ints

THICKNESS = 1e-10  # of the size: what lies nearer to the hull than this does not bulge out of it
FLATNESS = 1e-6  # of the size: neighbouring triangles as near as this to one plane are one face; files are in single precision


class Hull(NamedTuple):
    """A convex polytope; each edge separates two faces of different planes."""

    corners: Floats  # (corners, 3)
    normals: Floats  # (faces, 3) unit, outwards
    offsets: Floats  # (faces,) normal . x = offset on the face
    edges: Ints  # (edges, 4) from corner, to corner, the face on the left seen from outside, the face on the right


def convex_hull(points: Floats) -> Hull:
    """The hull of points (n, 3) that span a volume."""
    centre = 0.5 * (points.max(axis=0) + points.min(axis=0))
    work = _Quickhull(points - centre)
    work.grow()
    return _flattened(points, work)


class _Quickhull:
    """Triangles, each with its plane, its neighbours across its three edges, and the points that are outside it."""

    def __init__(self, points: Floats) -> None:
        self.points = points
        self.thickness = THICKNESS * float(np.abs(points).max())
        self.flatness = FLATNESS * float(np.abs(points).max())
        self.triangles: dict[int, tuple[int, int, int]] = {}
        self.planes: dict[int, tuple[Floats, float]] = {}
        self.outside: dict[int, Ints] = {}
        self.owner: dict[tuple[int, int], int] = {}  # of a directed edge
        self.count = 0
        self._start()

    def _start(self) -> None:
        x = self.points
        a = int(np.lexsort(x.T)[0])
        b = int(np.argmax(((x - x[a]) ** 2).sum(axis=1)))
        along = (x[b] - x[a]) / np.linalg.norm(x[b] - x[a])
        across = x - x[a] - np.outer((x - x[a]) @ along, along)
        c = int(np.argmax((across**2).sum(axis=1)))
        normal = np.cross(along, across[c] / np.linalg.norm(across[c]))
        height = (x - x[a]) @ normal
        d = int(np.argmax(np.abs(height)))
        if height[d] > 0.0:
            b, c = c, b
        everything = np.arange(len(x))
        new = [self._add(*corners) for corners in ((a, b, c), (a, d, b), (b, d, c), (c, d, a))]
        self._share_out(everything, new)

    def _add(self, i: int, j: int, k: int) -> int:
        x = self.points
        normal = np.cross(x[j] - x[i], x[k] - x[i])
        size = float(np.linalg.norm(normal))
        longest = max(np.linalg.norm(x[j] - x[i]), np.linalg.norm(x[k] - x[j]), np.linalg.norm(x[i] - x[k]))
        face = self.count
        self.count += 1
        if size > self.thickness * longest:
            normal = normal / size
            self.planes[face] = normal, float(normal @ (x[i] + x[j] + x[k]) / 3.0)
        else:  # three corners on a line have the plane of the neighbour that stays
            self.planes[face] = self.planes[self.owner[j, i]]
        self.triangles[face] = i, j, k
        self.owner.update({(i, j): face, (j, k): face, (k, i): face})
        return face

    def _share_out(self, points: Ints, faces: list[int]) -> None:
        """Each point to the face that it is farthest outside of, if any."""
        normals = np.array([self.planes[face][0] for face in faces])
        offsets = np.array([self.planes[face][1] for face in faces])
        heights = self.points[points] @ normals.T - offsets
        best = np.argmax(heights, axis=1) if len(points) else np.empty(0, dtype=np.int64)
        out = heights[np.arange(len(points)), best] > self.thickness
        for index, face in enumerate(faces):
            self.outside[face] = points[out & (best == index)]

    def grow(self) -> None:
        waiting = list(self.triangles)
        while waiting:
            face = waiting.pop()
            if face in self.triangles and len(self.outside[face]):
                waiting.extend(self._reach(face))

    def _reach(self, face: int) -> list[int]:
        """Take in the farthest point outside `face`: what it sees goes, and a cone from the rim of that comes."""
        normal, offset = self.planes[face]
        heights = self.points[self.outside[face]] @ normal - offset
        apex = int(self.outside[face][int(np.argmax(heights))])
        seen, rim, stack = {face}, [], [face]
        while stack:
            i, j, k = self.triangles[stack.pop()]
            for edge in ((i, j), (j, k), (k, i)):
                other = self.owner[edge[1], edge[0]]
                if other in seen:
                    continue
                normal, offset = self.planes[other]
                if float(normal @ self.points[apex]) - offset > self.thickness:
                    seen.add(other)
                    stack.append(other)
                else:
                    rim.append(edge)
        rim = [edge for edge in rim if self.owner[edge[1], edge[0]] not in seen]
        left = np.concatenate([self.outside.pop(old) for old in sorted(seen)])
        for old in seen:
            del self.planes[old], self.triangles[old]
        new = [self._add(i, j, apex) for i, j in rim]
        self._share_out(left[left != apex], new)
        return new


def _flattened(points: Floats, work: _Quickhull) -> Hull:
    """Triangles of one plane gathered into faces, chains of edges between two faces into one; corners are where three meet."""
    face = _faces(work)
    label = {seed: number for number, seed in enumerate(sorted(set(face.values())))}
    meeting: dict[int, set[int]] = {}
    borders: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for (i, j), name in sorted(work.owner.items()):
        if name in face:
            left, right = label[face[name]], label[face[work.owner[j, i]]]
            meeting.setdefault(i, set()).add(left)
            if left < right:
                borders.setdefault((left, right), []).append((i, j))
    used = [corner for corner in sorted(meeting) if len(meeting[corner]) > 2]
    number = {corner: index for index, corner in enumerate(used)}
    edges = []
    for (left, right), chain in sorted(borders.items()):
        start = [i for i, _ in chain if i in number]
        stop = [j for _, j in chain if j in number]
        edges.append((number[start[0]], number[stop[0]], left, right))
    corners = points[used]
    normals = np.array([work.planes[seed][0] for seed in label])
    return Hull(corners, normals, (corners @ normals.T).max(axis=0), np.array(edges, dtype=np.int64))


def _faces(work: _Quickhull) -> dict[int, int]:
    """For each triangle the largest triangle of its face, whose plane is the face's."""
    area = {}
    for name, triangle in work.triangles.items():
        x = work.points[list(triangle)]
        area[name] = float(np.linalg.norm(np.cross(x[1] - x[0], x[2] - x[0])))
    face: dict[int, int] = {}
    for seed in sorted(area, key=lambda name: (-area[name], name)):
        if seed in face:
            continue
        face[seed], stack = seed, [seed]
        normal, offset = work.planes[seed]
        while stack:
            i, j, k = work.triangles[stack.pop()]
            for edge in ((j, i), (k, j), (i, k)):
                other = work.owner[edge]
                if other not in face:
                    depth = offset - work.points[list(work.triangles[other])] @ normal
                    if float(np.abs(depth).max()) < work.flatness:
                        face[other] = seed
                        stack.append(other)
    return face
