"""What a run's numbers are over time, as curves with names and units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stickslip.contact.naming import is_meant
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.numbers import shown
from stickslip.simulate import Trajectory
from stickslip.view.attitude import ANGLES, roll_pitch_yaw

TOTAL = "total"  # what the sum of the other curves is called


class Curve(NamedTuple):
    """One number over time: `values` (n,), in `unit`."""

    name: str
    unit: str
    values: Floats

    @property
    def swing(self) -> float:
        """From its least to its greatest value; 0 if none is known."""
        known = self.values[np.isfinite(self.values)]
        return float(np.ptp(0.5 * known)) if len(known) else 0.0  # halves, since the difference may overflow


def positions(run: Trajectory, joints: Sequence[str]) -> list[Curve]:
    """The positions of joints; where a joint has a quaternion, roll, pitch and yaw take its place."""
    layout = run.layout
    found = []
    for joint in joints:
        where, _ = layout.coordinates(joint)
        turns = [turn for turn, _ in layout.turns if turn.stop == where.stop]
        straight = range(where.start, turns[0].start if turns else where.stop)
        found += [Curve(layout.position_names[i], layout.position_units[i], run.q[:, i]) for i in straight]
        for turn in turns:
            angles = roll_pitch_yaw(run.q[:, turn])
            found += [Curve(f"{joint}.{name}", "rad", angles[:, k]) for k, name in enumerate(ANGLES)]
    return found


def velocities(run: Trajectory, joints: Sequence[str]) -> list[Curve]:
    """The velocities of joints."""
    layout = run.layout
    units = {"m s-1": "m/s", "rad s-1": "rad/s"}
    rows = [i for joint in joints for i in range(layout.nv)[layout.coordinates(joint)[1]]]
    return [Curve(layout.velocity_names[i], units[layout.velocity_units[i]], run.v[:, i]) for i in rows]


def inputs(run: Trajectory, joints: Sequence[str]) -> list[Curve]:
    """The inputs: those of the motors that are called like the joints, if there are such, else all."""
    motors = run.layout.motors
    meant = [joint for joint in joints if joint in motors] or list(motors)
    return [Curve(motor, "N or N m", run.tau[:, motors.index(motor)]) for motor in meant]


def normal_forces(run: Trajectory, contacts: Sequence[str]) -> list[Curve]:
    """The normal forces of contacts, zero where they are not closed."""
    return [Curve(name, "N", run.contact(name).force[:, 0]) for name in contacts]


def tangential_forces(run: Trajectory, contacts: Sequence[str]) -> list[Curve]:
    """The friction forces of contacts: along +t in the plane, their size in space."""
    forces = {name: run.contact(name).force[:, 1:] for name in contacts}
    return [
        Curve(name, "N", force[:, 0] if force.shape[1] == 1 else np.linalg.norm(force, axis=1))
        for name, force in forces.items()
    ]


def energies(run: Trajectory) -> list[Curve]:
    """Kinetic and potential energy and their sum."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = run.energy.sum(axis=1)
    parts = ("kinetic", run.energy[:, 0]), ("potential", run.energy[:, 1]), (TOTAL, total)
    return [Curve(name, "J", values) for name, values in parts]


def chosen_joints(run: Trajectory, wanted: Sequence[str] | str | None) -> list[str]:
    """The joints that are meant; all if none are named."""
    joints = run.layout.joints
    if wanted is None:
        return list(joints)
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    for name in names:
        if name not in joints:
            near = did_you_mean(name, joints) if isinstance(name, str) else "."
            raise ArgumentError(f"there is no joint {shown(name)} in this run{near}")
    return names


def chosen_contacts(run: Trajectory, wanted: Sequence[str] | str | None) -> list[str]:
    """The contacts that are meant, as in `Trajectory.contact`, but "toe" may stand for several; all if none are named."""
    known = run.contact_names
    if wanted is None:
        return list(known)
    found: list[str] = []
    for name in [wanted] if isinstance(wanted, str) else list(wanted):
        meant = [other for other in known if isinstance(name, str) and is_meant(other, name)]
        if not meant:
            near = did_you_mean(name, known) if isinstance(name, str) else "."
            raise ArgumentError(f"no contact {shown(name)} was ever closed in this run{near}")
        found += [other for other in meant if other not in found]
    return found
