"""Friction that may be as large as a given radius: the impulse on a disc that a quadratic form sends back least."""

from __future__ import annotations

import numpy as np

from stickslip.dynamics.tree import Floats

ROUNDS = 200


def on_disc(H: Floats, c: Floats, radius: float) -> Floats:
    """x (2,) with abs(x) <= radius for which H x + c is zero, or opposite to x on the rim. H (2, 2) is positive semidefinite.

    On the rim H x + c = -shift x with shift > 0: in the axes of H that is one decreasing function of the shift.
    """
    values, axes = np.linalg.eigh((H + H.T) / 2)
    values = np.maximum(values, 0.0)
    part = -(axes.T @ c)
    if radius == 0.0 or not part.any():
        return np.zeros(2)
    if values[0] > 1e-14 * values[1]:
        inside = part / values
        if np.hypot(*inside) <= radius:
            return np.asarray(axes @ inside)
    low, high = 0.0, float(np.hypot(*part)) / radius
    for _ in range(ROUNDS):
        shift = 0.5 * (low + high)
        if shift in (low, high):
            break
        if np.hypot(*(part / (values + shift))) > radius:
            low = shift
        else:
            high = shift
    return np.asarray(axes @ (part / (values + high)))
