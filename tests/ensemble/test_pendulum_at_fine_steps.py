"""Paper 2's pendulum over five seconds, at steps from 1 ms down to 8 us: of second order, from 30 um to 5 nm."""

import numpy as np
import pytest

from pendulums import minimal, redundant, way_of_the_last

pytestmark = pytest.mark.verify


@pytest.mark.parametrize("reading", ["A", "B"])
def test_both_techniques_converge_to_one_motion(reading):
    finest, _ = way_of_the_last(*minimal(reading), 1e-3 / 128)
    for technique in (minimal, redundant):
        errors = [np.abs(way_of_the_last(*technique(reading), 1e-3 / 2**k)[0] - finest).max() for k in (0, 2, 4, 6)]
        assert errors[0] < 1e-3
        assert errors[-1] < 1e-6
        assert errors[0] / errors[1] > 8  # by 16, were it of second order where contacts begin, too
        assert errors[1] / errors[2] > 8
        assert errors[3] < errors[2] / 3  # the reference is not exact either
