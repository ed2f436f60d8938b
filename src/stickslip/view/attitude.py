"""Quaternions as angles that people read: roll, pitch and yaw, without jumps.

The body is first turned by yaw about z, then by pitch about its new y, then by roll about its newest x. Every attitude has two
such triples, (r, p, y) and (r + pi, pi - p, y + pi), and each angle whole turns to spare. Of all those the one is taken that is
nearest to the sample before, so that a somersault is one angle that goes on, not three that jump.
"""

from __future__ import annotations

import numpy as np

from stickslip.dynamics.tree import Floats

ANGLES = ("roll", "pitch", "yaw")


def roll_pitch_yaw(quaternions: Floats) -> Floats:
    """Angles (n, 3) in rad of quaternions wxyz (n, 4), each row as near as can be to the one before.

    They are NaN where a quaternion is not finite or has no length. The first row has its pitch between -pi/2 and pi/2.
    """
    known = np.isfinite(quaternions).all(axis=1) & quaternions.any(axis=1)
    angles = np.full((len(quaternions), 3), np.nan)
    if known.any():
        angles[known] = _without_jumps(_principal(quaternions[known]))
    return angles


def _principal(quaternions: Floats) -> Floats:
    """Angles (n, 3) in rad, the pitch between -pi/2 and pi/2."""
    quaternions = quaternions / np.abs(quaternions).max(axis=1, keepdims=True)  # so that no square overflows
    w, x, y, z = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    roll = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0))
    yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return np.column_stack([roll, pitch, yaw])


def _without_jumps(angles: Floats) -> Floats:
    """The same attitudes by the triples that follow each other most closely."""
    others = np.column_stack([angles[:, 0] + np.pi, np.pi - angles[:, 1], angles[:, 2] + np.pi])
    stay = _apart(angles[:-1], angles[1:])
    change = _apart(angles[:-1], others[1:])
    changed = np.concatenate([[0], np.cumsum(change < stay)]) % 2 == 1  # from one kind of triple to the other, and back
    return np.asarray(np.unwrap(np.where(changed[:, None], others, angles), axis=0))


def _apart(first: Floats, second: Floats) -> Floats:
    """How far triples (n, 3) are from each other, whole turns aside."""
    turn = (second - first + np.pi) % (2.0 * np.pi) - np.pi
    return np.asarray(np.abs(turn).sum(axis=1))
