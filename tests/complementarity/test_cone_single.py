"""One contact in space: what the solver finds is one of all solutions, which a quartic gives and a scan over angles confirms.

It separates, sticks, or slips against a direction e with f = f_n (1, mu e), u_n = 0 and u_t along -e. That leaves the angle
of e and one equation, that u_t has no part across e: times (G_nn + mu G_nt . e) it is a trigonometric polynomial of degree two.
"""

import numpy as np
import pytest

from stickslip.complementarity.cone import solve_cone

SAMPLES = 8  # of a polynomial with five coefficients
ON_CIRCLE = 1e-6  # how far from 1 the size of a root may be


def slip_force(G, c, mu, e):
    """The force that slips against e: f_n so that u_n = 0."""
    return -c[0] / (G[0, 0] + mu * G[0, 1:] @ e) * np.array([1.0, mu * e[0], mu * e[1]])


def across(G, c, mu, angles):
    """u_t across e times (G_nn + mu G_nt . e) at angles (m,), and what that factor is."""
    e = np.stack([np.cos(angles), np.sin(angles)])
    pull = G[0, 0] + mu * G[0, 1:] @ e
    slip = c[1:, None] * pull - c[0] * (G[1:, :1] + mu * G[1:, 1:] @ e)
    return slip[1] * e[0] - slip[0] * e[1], pull


def slip_angles(G, c, mu):
    """All angles with no part across: the roots on the unit circle of the polynomial that samples determine."""
    values, _ = across(G, c, mu, 2 * np.pi * np.arange(SAMPLES) / SAMPLES)
    coefficients = np.fft.fft(values) / SAMPLES
    roots = np.roots([coefficients[2], coefficients[1], coefficients[0], coefficients[-1], coefficients[-2]])
    return np.angle(roots[np.abs(np.abs(roots) - 1.0) < ON_CIRCLE])


def all_forces(G, c, mu):
    """Forces of every solution."""
    found = [("S", np.zeros(3))] if c[0] >= 0.0 else []
    stuck = -np.linalg.solve(G, c)
    if stuck[0] > 0.0 and np.hypot(*stuck[1:]) <= mu * stuck[0]:
        found.append(("F", stuck))
    for angle in slip_angles(G, c, mu):
        e = np.array([np.cos(angle), np.sin(angle)])
        f = slip_force(G, c, mu, e)
        if f[0] > 0.0 and (G @ f + c)[1:] @ e < 0.0:
            found.append(("D", f))
    return found


def random_contact(rng):
    """G of a stiff or a soft contact whose directions are coupled, and c that is mostly approaching."""
    axes = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    G = axes @ np.diag(10.0 ** rng.uniform(-1.5, 1.5, 3)) @ axes.T
    return (G + G.T) / 2, rng.standard_normal(3) - (1.0, 0.0, 0.0), rng.uniform(0.05, 3.0)


def test_what_is_found_is_one_of_all_solutions():
    rng = np.random.default_rng(1)
    several = 0
    for n in range(3000):
        G, c, mu = random_contact(rng)
        every = all_forces(G, c, mu)
        several += len(every) > 1
        solution = solve_cone(G, c, mu)
        assert solution, f"{n}: {every}"
        near = [word for word, f in every if np.abs(f - solution.force).max() <= 1e-6 * max(1.0, np.abs(f).max())]
        assert solution.word in near, f"{n}: {solution.word} {solution.force} is none of {every}"
    assert several >= 10


@pytest.mark.parametrize("batch", range(10))
def test_every_solution_is_found_from_its_neighbourhood(batch):
    """Also where there are three: each is where Newton's method ends that starts next to it."""
    rng = np.random.default_rng(100 + batch)
    for n in range(100):
        G, c, mu = random_contact(rng)
        for word, f in all_forces(G, c, mu):
            solution = solve_cone(G, c, mu, guess=f * (1.0 + 1e-9))
            assert solution.word == word, f"{n}: {word}"
            np.testing.assert_allclose(solution.force, f, atol=1e-6 * max(1.0, np.abs(f).max()))


@pytest.mark.parametrize("seed", range(40))
def test_the_number_of_solutions_is_odd(seed):
    """G is positive definite, so that every c has solutions, one more of one kind than of the other: none was overlooked."""
    G, c, mu = random_contact(np.random.default_rng(200 + seed))
    assert len(all_forces(G, c, mu)) % 2 == 1


@pytest.mark.parametrize("seed", range(40))
def test_a_scan_over_all_angles_finds_the_same_slips(seed):
    G, c, mu = random_contact(np.random.default_rng(300 + seed))
    angles = np.linspace(-np.pi, np.pi, 200_001)
    values, pull = across(G, c, mu, angles)
    crossed = np.flatnonzero(values[:-1] * values[1:] <= 0.0)
    scanned = [slip_force(G, c, mu, np.array([np.cos(a), np.sin(a)])) for a in angles[crossed] + 0.5 * (angles[1] - angles[0])]
    slips = [f for f in scanned if f[0] > 0.0 and (G @ f + c)[1:] @ f[1:] < 0.0]
    roots = [f for word, f in all_forces(G, c, mu) if word == "D"]
    assert len(slips) == len(roots)
    for f in roots:
        assert min(np.abs(f - other).max() for other in slips) <= 1e-3 * np.abs(f).max()
    if (pull > 0.0).all() and len(slips) == 1 and c[0] < 0.0 and len(all_forces(G, c, mu)) == 1:
        assert solve_cone(G, c, mu).word == "D"


def test_a_contact_with_three_solutions():
    """Friction 2 couples with the normal direction so that it may separate, stick or slip; the guess decides."""
    G = np.array([(1.0, 1.2, 0.0), (1.2, 2.0, 0.0), (0.0, 0.0, 1.0)])
    c, mu = np.array([0.1, 1.0, 0.0]), 2.0
    every = dict(all_forces(G, c, mu))
    assert sorted(every) == ["D", "F", "S"]
    for word, f in every.items():
        assert solve_cone(G, c, mu, guess=f).word == word
