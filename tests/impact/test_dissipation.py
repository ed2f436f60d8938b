"""Paper 4's law against brute force, solvers of another kind, and what it says on paper."""

import numpy as np
import pytest
from scipy.optimize import minimize

import stickslip as ss
from random_strikes import obeys, random_strike
from stickslip.impact import friction_curve


def compliance(problem):
    return problem.jacobian @ np.linalg.solve(problem.mass, problem.jacobian.T)


def impulses(problem, v, slips):
    """(3.13) for tangential velocities (..., m) after the impact, normal ones by (3.2)."""
    size, u = problem.rows_per_contact, problem.jacobian @ v
    after = np.zeros((*np.shape(slips)[:-1], len(u)))
    after[..., ::size] = -problem.restitution * u[::size]
    after[..., [r for r in range(len(u)) if r % size]] = slips
    return (after - u) @ np.linalg.inv(compliance(problem)), after


def allowed(problem, v, slips, most=np.inf):
    """Whether slips (..., m) keep (4.6), (4.7) and (5.9), with the jump of friction at rest, and their values (4.5)."""
    size = problem.rows_per_contact
    stuck, _ = impulses(problem, v, np.zeros(np.shape(slips)[-1]))
    p, after = impulses(problem, v, slips)
    good, value = np.ones(np.shape(slips)[:-1], dtype=bool), np.zeros(np.shape(slips)[:-1])
    tiny = 1e-9 * np.abs(p).max()
    for i in range(len(problem.contacts)):
        n, still = size * i, problem.static_friction[i]
        need = np.linalg.norm(stuck[n + 1 : n + size]) / stuck[n] if stuck[n] > 0 else np.inf
        moving = min(problem.friction[i], need)
        x = np.linalg.norm(np.asarray(slips)[..., (size - 1) * i : (size - 1) * (i + 1)], axis=-1)
        mu = np.where(x == 0, still, moving)
        good &= (p[..., n] >= -tiny) & (np.linalg.norm(p[..., n + 1 : n + size], axis=-1) <= mu * p[..., n] + tiny)
        value += (still - mu) ** 2 + x**2
    u = problem.jacobian @ v
    gain = ((p * (u + after)).sum(axis=-1)) / 2
    return good & (gain <= most + 1e-9), value


def approaching_strike(rng, contacts, *, planar):
    """All contacts approach, so that all take part."""
    while True:
        problem, v = random_strike(rng, contacts, planar=planar)
        if ((problem.jacobian @ v)[:: problem.rows_per_contact] < 0).all():
            return problem, v


# ---- against all slips on a grid -----------------------------------------------------------------------------------


@pytest.mark.parametrize("energy", ["free", "constraint"])
@pytest.mark.parametrize("seed", range(30))
def test_no_slip_on_a_line_is_better(seed, energy):
    rng = np.random.default_rng(seed)
    problem, v = approaching_strike(rng, 1, planar=True)
    law = ss.DissipationPrinciple(energy=energy, energetic_restitution=0.9, release=False)
    hit = ss.impact(problem, v, law)
    most = np.inf if energy == "free" else -0.1 * (v @ problem.mass @ v) / 2
    scale = 20 * np.abs(problem.jacobian @ v).max()
    line = np.concatenate([[0.0], np.linspace(-scale, scale, 400_001)])[:, None]
    good, value = allowed(problem, v, line, most)
    assert bool(hit) == bool(good.any())
    if hit:
        own = (problem.jacobian @ hit.velocity)[1:2]
        own[np.abs(own) < 1e-9 * scale] = 0.0
        fine, mine = allowed(problem, v, own, most)
        assert fine
        assert mine <= value[good].min() + 1e-9


@pytest.mark.parametrize("seed", range(12))
def test_no_slips_on_a_plane_are_better(seed):
    rng = np.random.default_rng(seed)
    problem, v = approaching_strike(rng, 2, planar=True)
    hit = ss.impact(problem, v, ss.DissipationPrinciple(energy="free", release=False))
    scale = 10 * np.abs(problem.jacobian @ v).max()
    axis = np.concatenate([[0.0], np.linspace(-scale, scale, 1201)])
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    good, value = allowed(problem, v, grid)
    if not hit:
        assert hit.status is ss.ImpactStatus.INFEASIBLE
        assert not good.any()
        assert len(hit.exclusions) == 4
        assert all(proof.verify() for proof in hit.exclusions)
        return
    own = (problem.jacobian @ hit.velocity)[1::2]
    own[np.abs(own) < 1e-9 * scale] = 0.0
    fine, mine = allowed(problem, v, own)
    assert fine
    assert mine <= value[good].min(initial=np.inf) + 1e-9


@pytest.mark.parametrize("energy", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_in_space_no_start_of_another_solver_finds_less(seed, energy):
    """SLSQP from many starts on the slip of one contact, which must not stick."""
    rng = np.random.default_rng(seed)
    problem, v = approaching_strike(rng, 1, planar=False)
    share = 0.8
    law = ss.DissipationPrinciple(
        energy="constraint" if energy else "free", energetic_restitution=share if energy else 1.0, release=False
    )
    hit = ss.impact(problem, v, law)
    most = (share - 1.0) * (v @ problem.mass @ v) / 2 if energy else np.inf
    if hit and hit.word == "F":
        assert allowed(problem, v, np.zeros(2), most)[0]
        return
    u = problem.jacobian @ v
    limits = [
        {
            "type": "ineq",
            "fun": lambda x: (
                problem.friction[0] * impulses(problem, v, x)[0][0] - np.linalg.norm(impulses(problem, v, x)[0][1:])
            ),
        }
    ]
    if energy:
        limits.append(
            {"type": "ineq", "fun": lambda x: most - impulses(problem, v, x)[0] @ (u + impulses(problem, v, x)[1]) / 2}
        )
    best = np.inf
    for _ in range(15):
        start = 3 * np.abs(u).max() * rng.standard_normal(2)
        other = minimize(
            lambda x: x @ x, start, jac=lambda x: 2 * x, constraints=limits, method="SLSQP", options={"ftol": 1e-14}
        )
        if other.success and min(limit["fun"](other.x) for limit in limits) > -1e-7:
            best = min(best, other.fun)
    if not hit:
        assert best == np.inf
        assert all(proof.verify() for proof in hit.exclusions)
        return
    own = (problem.jacobian @ hit.velocity)[1:]
    assert min(limit["fun"](own) for limit in limits) > -1e-9
    assert own @ own <= best * (1 + 1e-6)


# ---- many at random ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("contacts", [1, 2, 3])
def test_it_answers_or_says_why_not(planar, contacts):
    rng = np.random.default_rng(7 * contacts + planar)
    ends = []
    for _ in range(40):
        problem, v = random_strike(rng, contacts, planar=planar)
        hit = ss.impact(problem, v, ss.DissipationPrinciple(energy="free"))
        ends.append(hit.status)
        if hit:
            assert obeys(hit) == []
        else:
            assert all(proof.verify() for proof in hit.exclusions)
            assert hit.exclusions or hit.status is not ss.ImpactStatus.INFEASIBLE
    assert ends.count(ss.ImpactStatus.SOLVED) >= 38
    assert set(ends) <= {ss.ImpactStatus.SOLVED, ss.ImpactStatus.INFEASIBLE}


def test_rows_that_depend_on_each_other_are_refused_as_in_the_paper():
    """A box that lands flat on two corners in the plane: four rows, three coordinates."""
    problem = ss.ContactProblem(
        mass=np.diag([1.0, 1.0, 0.1]),
        bias=np.zeros(3),
        jacobian=[[0, 1, -1], [1, 0, 0.5], [0, 1, 1], [1, 0, 0.5]],
        friction=[0.5, 0.5],
    )
    hit = ss.impact(problem, [0.0, -1.0, 0.0], ss.DissipationPrinciple(release=False))
    assert hit.status is ss.ImpactStatus.DEPENDENT
    assert "no answer" in str(hit)


def test_an_exclusion_cannot_be_forged():
    rng = np.random.default_rng(0)
    while True:
        problem, v = random_strike(rng, 2, planar=True)
        hit = ss.impact(problem, v, ss.DissipationPrinciple(energy="free", release=False))
        if hit.status is ss.ImpactStatus.INFEASIBLE:
            break
    from dataclasses import replace

    proof = hit.exclusions[-1]
    assert proof.verify()
    assert not replace(proof, b=-np.abs(proof.b)).verify()
    assert not replace(proof, multipliers=-proof.multipliers).verify()


# ---- energy --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_attenuation_takes_momentum_that_no_contact_took(seed):
    """(5.3) scales all velocities; (5.4) does not follow: impulses scaled like that would change them otherwise."""
    rng = np.random.default_rng(seed)
    problem, v = random_strike(rng, 1, planar=True)
    hit = ss.impact(problem, v, ss.DissipationPrinciple(energy="attenuation", energetic_restitution=0.2))
    assert hit
    assert hit.energy <= 0.2 * hit.energy_before * (1 + 1e-12)
    free = ss.impact(problem, v, ss.DissipationPrinciple(energy="free"))
    assert hit.impulse == pytest.approx(free.impulse, abs=1e-12)
    assert hit.velocity == pytest.approx(hit.scale * free.velocity, abs=1e-12)
    if hit.scale < 1:
        assert hit.energy == pytest.approx(0.2 * hit.energy_before, rel=1e-12)
        along = problem.jacobian.T @ np.linalg.lstsq(problem.jacobian.T, hit.unexplained, rcond=None)[0]
        if problem.nv > 2:
            assert np.linalg.norm(hit.unexplained - along) > 1e-6
    else:
        assert hit.unexplained == pytest.approx(np.zeros(problem.nv), abs=1e-9)


def test_a_bound_on_energy_that_no_slip_meets_is_named():
    """An elastic head-on rebound keeps all energy: half of it cannot be had by choosing slips."""
    problem = ss.ContactProblem(mass=np.eye(2), bias=[0, 0], jacobian=[[0, 1], [1, 0]], friction=[0.5], restitution=[1.0])
    hit = ss.impact(problem, [0.0, -1.0], ss.DissipationPrinciple(energetic_restitution=0.5))
    assert hit.status is ss.ImpactStatus.INFEASIBLE
    assert "no slip leaves at most 0.5 of the kinetic energy" in hit.reason
    assert all(proof.verify() for proof in hit.exclusions)


# ---- friction curves -------------------------------------------------------------------------------------------------


def test_the_curve_of_a_point_mass_is_a_cone():
    """(4.2): mu = abs(v_t+ - v_t-) / ((1 + e) abs(v_n-))."""
    problem = ss.ContactProblem(mass=2 * np.eye(2), bias=[0, 0], jacobian=[[0, 1], [1, 0]], friction=[0.2], restitution=[0.5])
    curve = friction_curve(problem, [3.0, -1.0], "contact 1")
    assert curve.at_rest == pytest.approx(2.0, rel=1e-12)
    assert curve.at([0.0, 1.5, 3.0, 4.5]) == pytest.approx([2.0, 1.0, 0.0, 1.0], abs=1e-12)
    assert curve.asymptote == np.inf


@pytest.mark.parametrize("seed", range(10))
def test_the_law_ends_where_the_curve_crosses_the_friction(seed):
    rng = np.random.default_rng(seed)
    while True:
        problem, v = random_strike(rng, 1, planar=True)
        hit = ss.impact(problem, v, ss.DissipationPrinciple(energy="free"))
        if hit and hit.word in "RL":
            break
    curve = friction_curve(problem, v, "contact 1")
    slip = (problem.jacobian @ hit.velocity)[1]
    assert curve.at_rest > problem.static_friction[0]
    assert curve.at([slip])[0] == pytest.approx(problem.friction[0], rel=1e-8)
    assert curve.at([1e9])[0] == pytest.approx(curve.asymptote, rel=1e-6) or curve.at([-1e9])[0] == pytest.approx(
        curve.asymptote, rel=1e-6
    )


def test_the_transition_lets_a_slow_slip_be_slower():
    """With a curve (4.10) as wide as the slip itself friction is larger, and p_t = mu(v) p_n where it ends."""
    problem = ss.ContactProblem(mass=np.eye(2), bias=[0, 0], jacobian=[[0, 1], [1, 0]], friction=[0.2], static_friction=[0.5])
    sharp = ss.impact(problem, [0.6, -1.0], ss.DissipationPrinciple())
    curve = ss.Stribeck(speed=0.5)
    soft = ss.impact(problem, [0.6, -1.0], ss.DissipationPrinciple(transition=curve))
    assert sharp.velocity[0] == pytest.approx(0.4, abs=1e-12)
    slip = soft.velocity[0]
    assert slip < 0.4
    assert 0.6 - slip == pytest.approx(0.2 + 0.3 * np.exp(-slip / 0.5), abs=1e-9)
    thin = ss.impact(problem, [0.6, -1.0], ss.DissipationPrinciple(transition=ss.Stribeck(speed=1.4e-4)))
    assert thin.velocity == pytest.approx(sharp.velocity, abs=1e-12)
