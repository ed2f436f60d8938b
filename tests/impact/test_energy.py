"""Books of energy, momentum and friction over many random mechanisms and impacts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stickslip as ss
from random_impacts import impact_scene
from random_strikes import obeys, random_strike

MOST = 1000  # single impacts; where rows are nearly dependent a sequence may need more, and says so
KEEPING = [ss.Energetic(most=MOST), ss.Energetic(resolution="simultaneous"), ss.Energetic(order="listed", most=MOST)]
OTHERS = [
    ss.Newton(),
    ss.Poisson(),
    ss.Newton(resolution="sequential", most=MOST),
    ss.Poisson(resolution="sequential", most=MOST),
]


def ends(hit):
    """Whether it has an answer; a sequence may say that it did not end."""
    assert hit or (hit.status is ss.ImpactStatus.ENDLESS and hit.law.resolution == "sequential"), hit.reason
    return bool(hit)


def gain(hit):
    """Relative to the energy before."""
    return (hit.energy - hit.energy_before) / hit.energy_before


@given(seed=st.integers(0, 10**6), contacts=st.integers(1, 4), law=st.sampled_from(KEEPING))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_an_energetic_impact_in_the_plane_adds_no_energy(seed, contacts, law):
    problem, v = random_strike(np.random.default_rng(seed), contacts, planar=True, dependent=seed % 3 == 0)
    hit = ss.impact(problem, v, law)
    if ends(hit):
        assert obeys(hit) == []
        assert gain(hit) < 1e-12


@given(seed=st.integers(0, 10**6), contacts=st.integers(1, 2))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_an_energetic_impact_in_space_adds_no_energy(seed, contacts):
    problem, v = random_strike(np.random.default_rng(seed), contacts, planar=False)
    hit = ss.impact(problem, v, ss.Energetic(parts=20, most=100))
    if ends(hit):
        assert obeys(hit) == []
        assert gain(hit) < 1e-12


@given(seed=st.integers(0, 10**6), contacts=st.integers(1, 3), share=st.sampled_from([1.0, 0.7]), planar=st.booleans())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_dissipation_principle_leaves_no_more_energy_than_it_may(seed, contacts, share, planar):
    problem, v = random_strike(np.random.default_rng(seed), contacts, planar=planar)
    for energy in ("constraint", "attenuation"):
        hit = ss.impact(problem, v, ss.DissipationPrinciple(energy=energy, energetic_restitution=share))
        if hit:
            assert obeys(hit) == []
            assert hit.energy <= share * hit.energy_before * (1 + 1e-9)
        else:
            assert hit.status is ss.ImpactStatus.INFEASIBLE
            assert all(proof.verify() for proof in hit.exclusions)


@given(seed=st.integers(0, 10**6), contacts=st.integers(1, 3), law=st.sampled_from(OTHERS))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_inelastic_and_smooth_impacts_add_none_by_any_law(seed, contacts, law):
    """Newton and Poisson may add energy, but not where nothing is restored; nor without friction where e is the same.

    Newton's needs that nothing leaves: what leaves and is struck is stopped, where an elastic impact would turn it round.
    """
    rng = np.random.default_rng(seed)
    plain = {"friction": 0.0, "restitution": float(rng.uniform())} if seed % 2 else {"restitution": 0.0}
    problem, v = random_strike(rng, contacts, planar=seed % 4 < 2, **plain)
    hit = ss.impact(problem, v, law)
    leaves = (problem.jacobian @ v)[:: problem.rows_per_contact].max() > 0 and isinstance(law, ss.Newton) and seed % 2
    if ends(hit):
        assert obeys(hit) == []
        assert leaves or gain(hit) < 1e-9


def test_sequences_of_a_few_contacts_mostly_end():
    """That the tests above look at something."""
    rng = np.random.default_rng(3)
    strikes = [random_strike(rng, 2, planar=True) for _ in range(60)]
    assert sum(bool(ss.impact(problem, v, ss.Energetic(most=MOST))) for problem, v in strikes) >= 57


@pytest.mark.parametrize("seeds", [range(30 * k, 30 * k + 30) for k in range(4)], ids=lambda seeds: str(seeds.start))
def test_mechanisms_that_strike_floors_and_walls(seeds):
    """Chains of bodies in the plane and in space, loops and joint limits among them."""
    struck = unanswered = 0
    for seed in seeds:
        world, q, v, _ = impact_scene(seed, restitution=0.5)
        problem = ss.contact_problem(world, q, v)
        for law in (ss.Poisson(), ss.Energetic(parts=10, most=100)):
            hit = ss.impact(problem, v, law)
            if not hit:
                assert hit.status in (ss.ImpactStatus.ENDLESS, ss.ImpactStatus.UNDECIDED), (seed, law, hit.reason)
                unanswered += 1
                continue
            assert obeys_with_joints(hit), seed
            if law.keeps_energy:
                assert gain(hit) < 1e-11, seed
            struck += bool(hit.impulse.any())
    assert struck > 15
    assert unanswered < 5


def obeys_with_joints(hit):
    """Contacts push within friction, loops hold, nothing approaches; momentum with limits and loops."""
    rows, problem = hit.problem.stacked, hit.problem
    p = np.concatenate([hit.impulse, hit.limit_impulse, hit.loop_impulse])
    J = np.vstack([rows.jacobian[rows.contacts], rows.jacobian[rows.limits], rows.jacobian[rows.bilateral]])
    left = problem.mass @ (hit.velocity - hit.velocity_before) - J.T @ p
    speed = max(1.0, np.abs(hit.velocity).max())
    normal = (problem.jacobian @ hit.velocity)[:: problem.rows_per_contact]
    loops = rows.jacobian[rows.bilateral] @ (hit.velocity - hit.velocity_before)
    return (
        np.abs(left).max(initial=0.0) < 1e-8 * speed
        and (normal > -1e-7 * speed).all()
        and np.abs(loops).max(initial=0.0) < 1e-8 * speed
    )


def test_newton_adds_energy_where_friction_turns_slip_round():
    """Kane's puzzle, in one line: a tip that would stick has its normal speed turned round whatever friction did to it."""
    G = np.array([[1.75, -1.299], [-1.299, 3.25]])
    problem = ss.ContactProblem(mass=np.linalg.inv(G), bias=[0, 0], jacobian=np.eye(2), friction=[0.5], restitution=[1.0])
    v = np.array([-1.0, 0.8])
    newton, energetic = ss.impact(problem, v, ss.Newton()), ss.impact(problem, v, ss.Energetic())
    assert gain(newton) > 0.01
    assert gain(energetic) < 0.0
    assert newton.certificate  # it keeps every line that it promises, and energy is not one of them
    assert not any("energy" in line.sentence for line in newton.certificate.lines)


# ---- other ways to the same --------------------------------------------------------------------------------------------


def at_velocity(problem, v):
    """The same problem, of a mechanism that moves with v."""
    return ss.ContactProblem(
        mass=problem.mass,
        bias=problem.bias,
        jacobian=problem.jacobian,
        velocity=problem.jacobian @ v,
        friction=problem.friction,
        restitution=problem.restitution,
    )


@pytest.mark.parametrize("seed", range(40))
def test_poisson_in_the_plane_is_paper_2s_two_lcps(seed):
    rng = np.random.default_rng(seed)
    problem, v = random_strike(rng, int(rng.integers(1, 4)), planar=True)
    told = at_velocity(problem, v)
    first = told.forms.compression()
    compressed = first.recover(ss.lcp.solve(first.A, first.b).z)
    second = told.forms.decompression(compressed)
    both = second.recover(ss.lcp.solve(second.A, second.b).z)
    hit = ss.impact(problem, v, ss.Poisson())
    assert hit.velocity == pytest.approx(v + both.velocity_change, abs=1e-8 * max(1.0, np.abs(hit.velocity).max()))


@pytest.mark.parametrize("seed", range(20))
def test_poisson_in_space_is_near_polygons_of_many_edges(seed):
    rng = np.random.default_rng(seed)
    problem, v = random_strike(rng, int(rng.integers(1, 3)), planar=False)
    told = at_velocity(problem, v)
    first = told.forms.compression(directions=256)
    compressed = first.recover(ss.lcp.solve(first.A, first.b).z)
    second = told.forms.decompression(compressed, directions=256)
    both = second.recover(ss.lcp.solve(second.A, second.b).z)
    hit = ss.impact(problem, v, ss.Poisson())
    assert hit.impulse == pytest.approx(both.impulse, abs=2e-2 * np.abs(hit.impulse).max())


@pytest.mark.parametrize("seed", range(30))
def test_poisson_obeys_coulomb_in_each_phase(seed):
    """For one contact in space: |p_t| = mu p_n against the slip where it slips, at the end of each phase."""
    problem, v = random_strike(np.random.default_rng(seed), 1, planar=False)
    J = problem.jacobian
    G, u, mu, e = J @ np.linalg.solve(problem.mass, J.T), J @ v, problem.friction[0], problem.restitution[0]
    hit = ss.impact(problem, v, ss.Poisson())
    compressed = ss.impact(problem, v, ss.Poisson(restitution=0.0)).impulse
    for p, before in ((compressed, u), (hit.impulse - compressed, u + G @ compressed)):
        after = before + G @ p
        slip = np.linalg.norm(after[1:])
        if slip > 1e-7:
            assert p[1:] == pytest.approx(-mu * p[0] * after[1:] / slip, abs=1e-7)
        assert np.linalg.norm(p[1:]) <= mu * p[0] + 1e-9
    restored = hit.impulse[0] - compressed[0]
    left = (J @ hit.velocity)[0]
    assert restored >= e * compressed[0] - 1e-9
    assert min(restored - e * compressed[0], left) < 1e-8
