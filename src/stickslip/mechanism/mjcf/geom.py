"""Geoms of a compiled MuJoCo model as shapes of bodies. What stands in the world is environment, and left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from stickslip.mechanism.mjcf.compiled import Compiled
from stickslip.mechanism.shape import Box, Capsule, Cylinder, Ellipsoid, Mesh, Shape, Sphere

USUAL_FRICTION = (1.0, 0.005, 0.0001)
USUAL_MASKS = (1, 1)


def read_shapes(compiled: Compiled) -> dict[int, list[Shape]]:
    """The shapes that can touch something, by the index of their body."""
    model = compiled.model
    shapes: dict[int, list[Shape]] = {}
    colliding = _colliding(compiled)
    if not compiled.enabled("CONTACT"):
        compiled.leave_out("shapes, since the file disables contacts")
        return shapes
    for index in colliding:
        body = int(model.geom_bodyid[index])
        if body == 0 or compiled.kind("Geom", model.geom_type[index]) in ("plane", "hfield"):
            compiled.leave_out("the environment", compiled.geoms[index])
        else:
            shapes.setdefault(body, []).append(_shape(compiled, index))
    _note_contact_settings(compiled, colliding)
    return shapes


def _colliding(compiled: Compiled) -> list[int]:
    model = compiled.model
    paired = {*model.pair_geom1.tolist(), *model.pair_geom2.tolist()}
    return [g for g in range(model.ngeom) if model.geom_contype[g] or model.geom_conaffinity[g] or g in paired]


def _shape(compiled: Compiled, index: int) -> Shape:
    model, name = compiled.model, compiled.geoms[index]
    _check_surface(compiled, index)
    kind = compiled.kind("Geom", model.geom_type[index])
    a, b, c = model.geom_size[index].tolist()
    place = {"name": name, "centre": model.geom_pos[index], "rotation": compiled.rotation(model.geom_quat[index])}
    if kind == "sphere":
        return Sphere(a, **place)
    if kind == "capsule":
        return Capsule(a, 2 * b, **place)  # MuJoCo's sizes are halves
    if kind == "cylinder":
        return Cylinder(a, 2 * b, **place)
    if kind == "box":
        return Box((2 * a, 2 * b, 2 * c), **place)
    if kind == "ellipsoid":
        return Ellipsoid((a, b, c), **place)
    if kind == "mesh":
        mesh = model.geom_dataid[index]
        return Mesh(_hull(compiled, mesh), source=compiled.meshes[mesh], **place)
    raise compiled.refusal(f"geom {name!r} is a shape of type {kind}", "replace it, or read the file with collision=False")


def _hull(compiled: Compiled, mesh: int) -> Any:
    """The corners (n, 3) of a mesh's convex hull, where the compiler has found it; else all its vertices."""
    model = compiled.model
    first = model.mesh_vertadr[mesh]
    vertices = model.mesh_vert[first : first + model.mesh_vertnum[mesh]]
    graph = model.mesh_graphadr[mesh]
    if graph < 0:
        return np.asarray(vertices, dtype=float)
    # The hull's graph begins with its numbers of vertices and faces, an address for each vertex, and their indices.
    count = model.mesh_graph[graph]
    corners = model.mesh_graph[graph + 2 + count : graph + 2 + 2 * count]
    return np.asarray(vertices[corners], dtype=float)


def _check_surface(compiled: Compiled, index: int) -> None:
    for field, what in (("geom_surfacevel", "a moving surface (surfacevel)"), ("geom_adhesion", "adhesion")):
        if getattr(compiled.model, field)[index].any():
            culprit = f"geom {compiled.geoms[index]!r} has {what}"
            raise compiled.refusal(culprit, "remove it, or read the file with collision=False")


def _note_contact_settings(compiled: Compiled, colliding: list[int]) -> None:
    """What the file says about contacts and the world decides: friction, and who may touch whom."""
    model = compiled.model
    if any(tuple(model.geom_friction[index].tolist()) != USUAL_FRICTION for index in colliding):
        compiled.leave_out("the friction of geoms")
    if any((model.geom_contype[index], model.geom_conaffinity[index]) != USUAL_MASKS for index in colliding):
        compiled.leave_out("contype and conaffinity")
    if model.npair:
        compiled.leave_out("pairs of geoms in contact")
    if model.nexclude:
        compiled.leave_out("excluded contacts")
