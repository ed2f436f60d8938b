"""What time stepping cannot do, or not yet: said by name before a run, never left out in silence."""

from __future__ import annotations

import numpy as np

from stickslip.contact.joint_rows import loop_rows
from stickslip.contact.world import World
from stickslip.dynamics.mechanism import Mechanism
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError

OPENING = 1e-6  # m/s or rad/s: a loop that opens faster than this at the start is no round-off


def refuse_what_is_not_stepped(world: World) -> None:
    """Raise an `ArgumentError` that names what a world holds beyond the stepper."""
    for material in {material for _, material in world.materials_by_pair()}:
        if material.static_friction != material.friction or material.transition is not None:
            raise ArgumentError("time stepping has one coefficient of friction; event-driven simulation will know two.")
    if world.detector.searches:
        raise ArgumentError(
            "time stepping does not know pairs of shapes that need a search yet: cylinders, ellipsoids, meshes."
        )


def refuse_opening_loops(mechanism: Mechanism, q: Floats, v: Floats) -> None:
    """Raise an `ArgumentError` that names a loop or coupling which v (nv,) opens at q (nq,)."""
    if not mechanism.loop_rows:
        return
    rows = loop_rows(mechanism, q, v)
    r = int(np.abs(rows.velocity).argmax())
    if abs(rows.velocity[r]) > OPENING:
        raise ArgumentError(
            f"{rows.names[r]} opens with {rows.velocity[r]:.6g} (m/s or rad/s) at v; start with velocities that keep it closed."
        )
