"""What a URDF file says of a link: its mass, and the shapes of its collision geometry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from stickslip.mechanism.body import NO_INERTIA, Body, nearest_inertia
from stickslip.mechanism.errors import InertiaError, InertiaWarning, MechanismError, UrdfError
from stickslip.mechanism.numbers import IDENTITY, ORIGIN, Matrix3, Vector3, matrix3
from stickslip.mechanism.shape import Box, Cylinder, Mesh, Shape, Sphere
from stickslip.mechanism.urdf.mesh_file import read_vertices
from stickslip.mechanism.urdf.mesh_path import mesh_path
from stickslip.mechanism.urdf.node import Node
from stickslip.mechanism.urdf.rotation import rotation_from_rpy
from stickslip.mechanism.warning import warn_user

UNIT: Vector3 = (1.0, 1.0, 1.0)


class LinkReader:
    """Makes bodies of the links of the URDF file `urdf`; each mesh file is read once."""

    def __init__(self, urdf: Path, package_dirs: Sequence[Path], *, collision: bool, repair_inertia: bool) -> None:
        self.urdf = urdf
        self.package_dirs = package_dirs
        self.collision = collision
        self.repair_inertia = repair_inertia
        self._vertices: dict[Path, np.ndarray] = {}

    def body(self, name: str, link: Node) -> Body:
        """The link as a body; without <inertial> it has no mass."""
        mass, centre, inertia = _inertial(link.child("inertial"))
        try:
            body = Body(name=name, mass=mass, centre=centre, inertia=inertia)
        except InertiaError as error:
            if not self.repair_inertia:
                raise UrdfError(f"{str(error)[:-1]}; correct the file, or read it with repair_inertia=True.") from None
            body = Body(name=name, mass=mass, centre=centre, inertia=nearest_inertia(mass, inertia))
            warn_user(f"{self.urdf}: {str(error)[:-1]}; the nearest possible one is used.", InertiaWarning)
        return replace(body, shapes=self.shapes(link))

    def shapes(self, link: Node) -> tuple[Shape, ...]:
        """The collision geometry of the link."""
        return tuple(self._shape(collision) for collision in link.children("collision")) if self.collision else ()

    def _shape(self, collision: Node) -> Shape:
        geometry = collision.needed("geometry")
        pieces = [piece for tag in ("box", "sphere", "cylinder", "mesh") for piece in geometry.children(tag)]
        if len(pieces) != 1:
            raise UrdfError(f"{geometry.label} must hold one <box>, <sphere>, <cylinder> or <mesh>, not {len(pieces)} of them.")
        (piece,) = pieces
        name = collision.element.get("name") or None
        centre, rpy = collision.pose()
        rotation = rotation_from_rpy(rpy)
        try:
            match piece.element.tag:
                case "box":
                    return Box(size=piece.vector("size"), name=name, centre=centre, rotation=rotation)
                case "sphere":
                    return Sphere(radius=piece.number("radius"), name=name, centre=centre, rotation=rotation)
                case "cylinder":
                    radius, length = piece.number("radius"), piece.number("length")
                    return Cylinder(radius=radius, length=length, name=name, centre=centre, rotation=rotation)
                case _:
                    return self._mesh(piece, name, centre, rotation)
        except UrdfError:
            raise
        except MechanismError as error:  # from the shape, which does not know its link
            raise UrdfError(f"{collision.label}: {error}") from None

    def _mesh(self, mesh: Node, name: str | None, centre: Vector3, rotation: Matrix3) -> Mesh:
        scale = mesh.vector("scale", UNIT)
        uri = mesh.text("filename")
        try:
            path = mesh_path(uri, self.urdf, self.package_dirs)
            if path not in self._vertices:
                self._vertices[path] = read_vertices(path)
        except UrdfError as error:
            raise UrdfError(f"{mesh.label}: {error}") from None
        with np.errstate(over="ignore"):  # an infinite vertex is refused by the shape
            vertices = self._vertices[path] * scale
        return Mesh(vertices=vertices, source=str(path), scale=scale, name=name, centre=centre, rotation=rotation)  # type: ignore[arg-type]


def _inertial(inertial: Node | None) -> tuple[float, Vector3, Matrix3]:
    """Mass (kg), centre of mass (m) and inertia (kg m^2, about the centre, in the link's axes)."""
    if inertial is None:
        return 0.0, ORIGIN, NO_INERTIA
    mass = inertial.needed("mass").number("value")
    tensor = inertial.needed("inertia")
    xx, xy, xz, yy, yz, zz = (tensor.number(f"i{pair}") for pair in ("xx", "xy", "xz", "yy", "yz", "zz"))
    inertia: Matrix3 = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    centre, rpy = inertial.pose()
    rotation = rotation_from_rpy(rpy)
    if rotation != IDENTITY:
        turn = np.array(rotation)
        with np.errstate(over="ignore", invalid="ignore"):  # an infinite entry is refused by matrix3
            turned = turn @ np.array(inertia) @ turn.T
            inertia = matrix3((turned + turned.T) / 2, f"the inertia of {inertial.label}")
    return mass, centre, inertia
