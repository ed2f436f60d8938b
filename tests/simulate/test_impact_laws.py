"""Inelastic impacts of random mechanisms on floors, walls and joint limits: what they must not do, whatever they do."""

import pytest

from random_impacts import gain, obeys_its_law, struck


@pytest.mark.parametrize("seeds", [range(20 * k, 20 * k + 20) for k in range(5)], ids=lambda seeds: str(seeds.start))
def test_an_inelastic_impact_takes_energy_and_keeps_its_law(seeds):
    for seed in seeds:
        world, run = struck(seed)
        assert gain(run) < 1e-10, seed
        assert obeys_its_law(world, run), seed
