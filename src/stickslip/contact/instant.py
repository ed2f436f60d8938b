"""The contact problem of an instant: everything that a world and a state say about what may happen next."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from stickslip.complementarity.problem import ContactProblem
from stickslip.contact.detector import Found
from stickslip.contact.joint_rows import check_joints, dry_friction_rows, limit_rows, loop_rows
from stickslip.contact.material import Material
from stickslip.contact.rows import DEGENERATE
from stickslip.contact.world import TOLERANCE, World, length
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown

THRESHOLD = 1e-9  # m/s and rad/s: what rounding leaves of a velocity that is zero


def contact_problem(
    world: World, q: Any, v: Any, *, tolerance: float = TOLERANCE, thresholds: float = THRESHOLD
) -> ContactProblem:
    """The contact problem of `world` at q (nq,) and v (nv,), in m, rad and s.

    It holds the contacts that are closed, their gaps between -`tolerance` and `tolerance` (m), in the order of their ids; joint
    limits that are reached within it (m or rad); dry friction of joints; loops. A deeper overlap is an `OverlapError` that
    names the pair. Velocities within `thresholds`, in m/s and rad/s, count as zero. Where a material has a transition, friction
    is that of the present slip.

    >>> import stickslip as ss
    >>> b = ss.MechanismBuilder(plane="xz")
    >>> b.body("block", mass=1.0, inertia=0.1, shapes=[ss.Box(size=(0.4, 0.4, 0.2))])
    >>> b.planar("root", child="block")
    >>> world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 1))])
    >>> ss.contact_problem(world, [0.0, 0.1, 0.0], [0.0, 0.0, 0.0]).solve().word
    'FF'
    """
    if not isinstance(world, World):
        raise ArgumentError(f"a contact problem is made of a World, not of {shown(world)}.")
    mechanism = world.mechanism
    q, v = mechanism._q(q), mechanism._v(v)
    tolerance, threshold = length(tolerance, "the tolerance"), length(thresholds, "the threshold")
    found = world.found(q, tolerance)
    world.refuse_overlap(found, tolerance)
    check_joints(mechanism, q, tolerance)
    rows = world.detector.rows(q, v, found)
    if rows.status == DEGENERATE:
        _refuse_degenerate(world, q, v, found)
    mechanism._good(rows.status, None)
    materials = [world.material_between(found, k) for k in range(len(found.touches))]
    return ContactProblem(
        mass=mechanism.mass_matrix(q),
        bias=mechanism.bias(q, v),
        input_map=mechanism.input_map(),
        jacobian=rows.jacobian,
        drift=rows.drift,
        velocity=rows.velocity,
        friction=_friction(materials, rows.velocity, threshold),
        static_friction=[material.static_friction for material in materials],
        restitution=[material.restitution for material in materials],
        thresholds=threshold,
        contacts=[world.contact(found, k) for k in range(len(materials))],
        limits=limit_rows(mechanism, q, v, tolerance, threshold),
        dry_friction=dry_friction_rows(mechanism, v, threshold),
        bilateral=loop_rows(mechanism, q, v),
    )


def _refuse_degenerate(world: World, q: Floats, v: Floats, found: Found) -> NoReturn:
    """Name the contacts whose rows cannot be had."""
    names = []
    for k in range(len(found.touches)):
        alone = Found(1, found.touches[k : k + 1], found.identities[k : k + 1])
        if world.detector.rows(q, v, alone).status == DEGENERATE:
            names.append(repr(world.contact(found, k).name))
    raise ArgumentError(
        f"nothing says how the point of contact moves at {', '.join(names)}: two surfaces that are flat or straight, or two "
        "edges or corners without width, meet there in one point; move one of the bodies a little."
    )


def _friction(materials: list[Material], velocity: Floats, threshold: float) -> list[float]:
    """Friction of sliding for every contact; where there is a transition, that of the present slip."""
    slips = np.linalg.norm(velocity.reshape(len(materials), -1)[:, 1:], axis=1).tolist() if materials else []
    return [
        material.friction if material.transition is None else material.at(slip if slip > threshold else 0.0)
        for material, slip in zip(materials, slips, strict=True)
    ]
