"""Every pair of shapes in space at thousands of positions: gaps that prove themselves."""

from itertools import product

import numpy as np
import pytest

from contact_scenes import SOLIDS, Seen, pair_of
from convex_shapes import apart
from proofs_of_touch import check_all_touches, check_common_normal, poses, random_position

pytestmark = pytest.mark.verify

POSITIONS = 400


@pytest.mark.parametrize(("a", "b"), list(product(SOLIDS, SOLIDS)))
def test_gaps_prove_themselves(a, b):
    """Apart, exactly; in each other, the gap is the depth along its own normal, and no other touch gets out sooner."""
    detector, rng = pair_of(SOLIDS[a], SOLIDS[b], None), np.random.default_rng(2024)
    for _ in range(POSITIONS):
        q = random_position(rng, 1.0)
        seen = Seen(detector, q)
        along = apart(SOLIDS[a], SOLIDS[b], seen.normal, *poses(q))
        k = int(np.argmin(seen.gap)) if seen.gap.min() > 0 else int(np.argmax(along))
        assert np.abs(seen.gap - along[k]).min() < 1e-9
        if seen.gap.min() > 0:
            check_all_touches(seen, SOLIDS[a], SOLIDS[b], q, 1e-9)
            check_common_normal(seen, k, SOLIDS[a], SOLIDS[b], q, 1e-9)
