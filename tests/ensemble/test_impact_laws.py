"""Thousands of impacts in the plane and in space, with polygons and with the cone, on loops and joint limits."""

import pytest

from random_impacts import gain, obeys_its_law, struck

pytestmark = pytest.mark.verify


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_none_of_a_thousand_impacts_gains_energy_or_breaks_its_law(restitution):
    gains, impacts = [], 0
    for seed in range(1000):
        world, run = struck(seed, restitution)
        assert obeys_its_law(world, run), seed
        gains.append(gain(run))
        impacts += bool(run.events)
    assert max(gains) < 1e-10
    assert impacts > 600
