"""One contact: what it is called, where it is, and what its surfaces are like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Vector = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Contact:
    """A contact of a problem; by-hand problems need no more than a `name`.

    `bodies` are the names of the environment's side (or the first body) and of the robot's (the second); `id` is the same
    at every instant at which the contact exists. `point` (3,) in m, `normal` (3,) out of the environment and `tangents`,
    each (3,), are unit vectors in world axes; `gap` in m. `friction`, `static_friction` and `restitution` are dimensionless.
    """

    name: str
    bodies: tuple[str, str] = ("", "")
    id: tuple[Any, ...] = ()
    point: Vector | None = None
    normal: Vector | None = None
    tangents: tuple[Vector, ...] = ()
    gap: float = 0.0
    friction: float = 0.0
    static_friction: float = 0.0
    restitution: float = 0.0
