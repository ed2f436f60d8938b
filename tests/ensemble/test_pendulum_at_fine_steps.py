"""Paper 2's pendulum over five seconds, at steps from 1 ms down to 8 us: 15 mm at the first, a tenth of one at the finest."""

import numpy as np
import pytest

from pendulums import minimal, redundant, way_of_the_last

pytestmark = pytest.mark.verify


@pytest.mark.parametrize("reading", ["A", "B"])
def test_both_techniques_converge_to_one_motion(reading):
    finest, _ = way_of_the_last(*minimal(reading), 1e-3 / 128)
    for technique in (minimal, redundant):
        errors = [np.abs(way_of_the_last(*technique(reading), 1e-3 / 2**k)[0] - finest).max() for k in (0, 2, 4, 6)]
        assert errors[0] < 15e-3
        assert errors[-1] < 1e-4
        assert errors[0] / errors[1] == pytest.approx(4, rel=0.2)
        assert errors[1] / errors[2] == pytest.approx(4, rel=0.4)  # the reference is not exact either
        assert errors[3] < errors[2] / 3
