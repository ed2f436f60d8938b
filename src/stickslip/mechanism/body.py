"""A rigid body: mass, centre of mass, inertia, and the shapes that it touches the world with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from stickslip.mechanism.errors import InertiaError, MechanismError
from stickslip.mechanism.numbers import ORIGIN, Matrix3, Vector3, checked_name, entries, matrix3, not_negative, shown, vector3
from stickslip.mechanism.shape import Shape

NO_INERTIA: Matrix3 = (ORIGIN, ORIGIN, ORIGIN)

INERTIA_TOLERANCE = 1e-6  # relative to the largest principal moment: room for tensors that were printed and rounded
INERTIA_ROUNDING = 1e-15  # m^2, times the mass: what rounding leaves of a tensor that was moved by a metre


@dataclass(frozen=True, kw_only=True)
class Body:
    """A rigid body.

    `mass` in kg, `centre` of mass (3,) in m in the body's frame, `inertia` (3, 3) in kg m^2 about the centre of mass in
    the body's axes, `shapes` placed in the body's frame. `massless=True` says that a body without mass is meant to move
    although nothing that it carries has mass either, so that the mass matrix is singular (RHex's legs).
    """

    name: str
    mass: float = 0.0
    centre: Vector3 = ORIGIN
    inertia: Matrix3 = NO_INERTIA
    shapes: tuple[Shape, ...] = ()
    massless: bool = False

    def __post_init__(self) -> None:
        checked_name(self.name, "the name of a body")
        if self.name == WORLD:
            raise MechanismError(f"no body may be called {WORLD!r}: that is the name of the fixed world.")
        if not isinstance(self.massless, bool):
            raise MechanismError(f"`massless` of body {self.name!r} must be True or False, not {shown(self.massless)}.")
        object.__setattr__(self, "mass", not_negative(self.mass, f"the mass of body {self.name!r}"))
        object.__setattr__(self, "centre", vector3(self.centre, f"the centre of mass of body {self.name!r}"))
        object.__setattr__(self, "inertia", matrix3(self.inertia, f"the inertia of body {self.name!r}"))
        object.__setattr__(self, "shapes", _shapes(self.shapes, self.name))
        self._check_inertia()

    def _check_inertia(self) -> None:
        tensor = np.array(self.inertia)
        size = float(np.abs(tensor).max())
        if self.mass == 0 and size > 0:
            raise InertiaError(f"body {self.name!r} has an inertia but no mass; give it both or neither.")
        if self.massless and self.mass > 0:
            raise MechanismError(f"body {self.name!r} is declared massless but has a mass of {self.mass:g} kg.")
        tolerance = max(INERTIA_TOLERANCE * size, INERTIA_ROUNDING * self.mass)
        half = tensor / 2  # so that sums of the largest numbers do not overflow
        if np.abs(half - half.T).max() > tolerance / 2:
            raise MechanismError(f"the inertia of body {self.name!r} must be a symmetric matrix.")
        small, middle, large = (float(moment) for moment in np.linalg.eigvalsh(half + half.T))
        if small < -tolerance:
            raise InertiaError(
                f"the inertia of body {self.name!r} has a negative principal moment ({small:g} kg m^2); all must be >= 0."
            )
        if small + middle < large - tolerance:
            raise InertiaError(
                f"the inertia of body {self.name!r} breaks the triangle inequality: its principal moments "
                f"{small:g}, {middle:g}, {large:g} belong to no distribution of mass (the largest must not exceed the "
                "sum of the others)."
            )


WORLD = "world"
"""The parent of every root: the fixed world."""


def _shapes(shapes: Iterable[Shape], body: str) -> tuple[Shape, ...]:
    listed = (shapes,) if isinstance(shapes, Shape) else tuple(entries(shapes, f"the shapes of body {body!r}"))
    for shape in listed:
        if not isinstance(shape, Shape):
            raise MechanismError(f"the shapes of body {body!r} must be shapes such as Sphere(radius=0.1), not {shown(shape)}.")
    names: set[str] = set()
    for name in (shape.name for shape in listed if shape.name is not None):
        if name in names:
            raise MechanismError(f"the name {name!r} is used by more than one of the shapes of body {body!r}.")
        names.add(name)
    return listed


def nearest_inertia(mass: float, inertia: Matrix3) -> Matrix3:
    """The inertia (3, 3) in kg m^2 of a possible body near an impossible one, with the same principal axes.

    The second moments of the mass along those axes, tr(I) / 2 - I, must not be negative: those that are become zero. A body
    without mass (kg) has no inertia.
    """
    if mass == 0:
        return NO_INERTIA
    tensor = np.array(inertia)
    tensor = (tensor + tensor.T) / 2
    moments, axes = np.linalg.eigh(np.trace(tensor) / 2 * np.eye(3) - tensor)
    moments = np.maximum(moments, 0.0)
    possible = moments.sum() * np.eye(3) - axes @ np.diag(moments) @ axes.T
    return matrix3((possible + possible.T) / 2, "the nearest inertia")
