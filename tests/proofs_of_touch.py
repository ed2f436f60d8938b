"""What a touch must satisfy, judged by shapes as a textbook has them.

The smallest touch proves itself. Its witness points lie in the shapes, so that the distance is not larger than the gap; and
along its normal the shapes are at least as far apart as the gap, so that it is not smaller and the normal is common to both.
"""

from __future__ import annotations

import numpy as np
import pytest

from contact_scenes import Seen, two_bodies
from convex_shapes import outside, support
from stickslip.contact.touch import NUMBER


def random_position(rng, spread: float) -> np.ndarray:
    mech = two_bodies(None)
    twist = [rng.uniform(-0.2, 0.2, 3), rng.standard_normal(3), rng.uniform(-spread, spread, 3), rng.standard_normal(3)]
    return mech.integrate(mech.neutral(), np.concatenate(twist))


def poses(q):
    return [two_bodies(None).body_pose(q, name) for name in ("first", "second")]


def check_all_touches(seen: Seen, a, b, q, tolerance: float) -> None:
    """Unit normals across the gaps, witness points in both shapes, a number for each touch."""
    pose_a, pose_b = poses(q)
    assert np.linalg.norm(seen.normal, axis=1) == pytest.approx(np.ones(len(seen)), abs=1e-14)
    assert seen.on_second == pytest.approx(seen.on_first + seen.gap[:, None] * seen.normal, abs=1e-13)
    for p, r in zip(seen.on_first, seen.on_second, strict=True):
        assert outside(a, p, pose_a) <= tolerance
        assert outside(b, r, pose_b) <= tolerance
    assert len(set(seen.identities[:, NUMBER])) == len(seen)


def check_common_normal(seen: Seen, k: int, a, b, q, tolerance: float) -> None:
    """Neither shape goes beyond its witness point along the normal, so that with the other check these are on the surfaces."""
    pose_a, pose_b = poses(q)
    n = seen.normal[k]
    assert support(a, n[None], pose_a)[0] == pytest.approx(n @ seen.on_first[k], abs=tolerance)
    assert support(b, -n[None], pose_b)[0] == pytest.approx(-n @ seen.on_second[k], abs=tolerance)
