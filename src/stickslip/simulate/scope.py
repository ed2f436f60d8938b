"""What time stepping cannot do as yet: said by name before a run, never left out in silence."""

from __future__ import annotations

from stickslip.contact.world import World
from stickslip.mechanism.errors import ArgumentError


def refuse_what_is_not_stepped(world: World) -> None:
    """Raise an `ArgumentError` that names what a world holds beyond the stepper."""
    description = world.mechanism.description
    for joint in description.moving_joints:
        if joint.limited:
            raise ArgumentError(f"time stepping does not know joint limits yet, but joint {joint.name!r} has some.")
        if joint.dry_friction > 0:
            raise ArgumentError(f"time stepping does not know dry friction in joints yet, but joint {joint.name!r} has some.")
    if world.mechanism.loop_rows:
        raise ArgumentError("time stepping does not know loops and couplings yet, but the mechanism has some.")
    for material in {material for _, material in world.materials_by_pair()}:
        if material.static_friction != material.friction or material.transition is not None:
            raise ArgumentError("time stepping has one coefficient of friction; event-driven simulation will know two.")
    if world.detector.searches:
        raise ArgumentError(
            "time stepping does not know pairs of shapes that need a search yet: cylinders, ellipsoids, meshes."
        )
