"""A thousand random mechanisms and impacts, by every law that keeps energy: none gains any, none breaks its lines."""

import numpy as np
import pytest

import stickslip as ss
from random_impacts import INSTANT, impact_scene
from random_strikes import obeys, random_strike

pytestmark = pytest.mark.verify


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
def test_none_of_a_thousand_impacts_gains_energy(planar):
    laws = [
        ss.Energetic(most=1000) if planar else ss.Energetic(most=50, parts=10),
        ss.Energetic(resolution="simultaneous") if planar else ss.DissipationPrinciple(energy="attenuation"),
        ss.DissipationPrinciple(),
        ss.DissipationPrinciple(energy="attenuation", energetic_restitution=0.8),
    ]
    worst, ends = -np.inf, []
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        problem, v = random_strike(rng, 1 + seed % 3, planar=planar, dependent=planar and seed % 5 == 0)
        law = laws[seed // 3 % len(laws)]
        hit = ss.impact(problem, v, law)
        ends.append(hit.status)
        if hit:
            assert obeys(hit) == [], seed
            assert hit.certificate, seed
            worst = max(worst, (hit.energy - hit.energy_before) / hit.energy_before)
        elif hit.status is ss.ImpactStatus.INFEASIBLE:
            assert all(proof.verify() for proof in hit.exclusions), seed
    assert worst < 1e-10
    assert ends.count(ss.ImpactStatus.SOLVED) > 900
    assert ends.count(ss.ImpactStatus.UNDECIDED) + ends.count(ss.ImpactStatus.INACCURATE) <= 5
    print(f"largest gain {worst:.1e}; { ({status.name: ends.count(status) for status in set(ends)}) }")


def test_poissons_law_is_that_of_time_stepping():
    """Written twice, as Python and as kernels: the same velocities, but where contacts wedge a body and answers are several."""
    alike = []
    for seed in range(150):
        world, q, v, directions = impact_scene(seed, restitution=0.5)
        if directions:
            continue
        hit = ss.impact(ss.contact_problem(world, q, v), v)
        run = ss.simulate(world, q, v, INSTANT, "time-stepping", dt=INSTANT)
        if hit and run.outcome is ss.Outcome.FINISHED:
            alike.append(np.abs(run.v[1] - hit.velocity).max() < 1e-6 * max(1.0, np.abs(hit.velocity).max()))
    assert len(alike) > 100
    assert np.mean(alike) > 0.95
    print(f"{sum(alike)} of {len(alike)} alike")
