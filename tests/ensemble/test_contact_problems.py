"""Thousands of random contact problems: every line of the tables, every route to a solution, every certificate."""

from dataclasses import replace

import numpy as np
import pytest

from contact_lcps import contact_lcp
from random_contact_problems import random_problem, table_lines
from stickslip import lcp
from stickslip.complementarity import Answer, Status
from stickslip.complementarity.budget import BudgetError

pytestmark = pytest.mark.verify

BATCHES = 20
TOLERANCE = 1e-9


def one_of(solution, solutions) -> bool:
    """Whether all solutions have one of this word and motion, but for what its family leaves open."""
    size = 1.0 + np.abs(solution.acceleration).max(initial=0.0)
    for other in solutions:
        if other.word == solution.word or solution.word in other.same_motion:
            gap = solution.acceleration - other.acceleration
            directions = np.vstack([other.family.motion, other.family.free])
            gap = gap - directions.T @ np.linalg.lstsq(directions.T, gap, rcond=None)[0]
            if np.abs(gap).max(initial=0.0) <= 1e-6 * size:
                return True
    return False


@pytest.mark.parametrize("batch", range(BATCHES))
def test_ten_thousand_solutions_satisfy_paper_0s_tables(batch):
    """500 problems in each batch; half of them singular or with static friction, all lines to 1e-9 of the largest term."""
    solved = 0
    for seed in range(500 * batch, 500 * (batch + 1)):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng)
        tau = rng.standard_normal(problem.nu)
        sol = problem.solve(tau)
        assert sol.status in (Status.SOLVED, Status.NO_SOLUTION), f"seed {seed}: {sol.status.value}"
        if sol:
            solved += 1
            for line, violation in table_lines(problem, sol):
                assert violation <= TOLERANCE, f"seed {seed}, word {sol.word}: {line} is violated by {violation:.2g}"
    assert solved > 300


@pytest.mark.parametrize("batch", range(BATCHES))
def test_enumeration_finds_what_was_found(batch):
    for seed in range(100 * batch, 100 * (batch + 1)):
        rng = np.random.default_rng(10**6 + seed)
        problem = random_problem(rng, contacts=1 + seed % 3)
        tau = rng.standard_normal(problem.nu)
        sol = problem.solve(tau)
        everything = problem.solutions(tau)
        assert bool(sol) == bool(everything), f"seed {seed}: {sol.status.value} {[other.word for other in everything]}"
        for other in everything:
            assert other, f"seed {seed}, word {other.word}: {other.status.value}"
            for line, violation in table_lines(problem, other):
                assert violation <= TOLERANCE, f"seed {seed}, word {other.word}: {line} is violated by {violation:.2g}"
        if sol:
            assert one_of(sol, everything), f"seed {seed}: {sol.word} is not among {[x.word for x in everything]}"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_certificates_of_contact_problems_replay_exactly(batch):
    undecided = 0
    for seed in range(50 * batch, 50 * (batch + 1)):
        rng = np.random.default_rng(2 * 10**6 + seed)
        problem = random_problem(rng, contacts=1 + seed % 3)
        tau = rng.standard_normal(problem.nu)
        sol = problem.solve(tau)
        certificate = sol.certificate
        assert certificate.verify(), f"seed {seed}"
        undecided += Answer.UNDECIDED in (certificate.existence, certificate.motion, certificate.force)
        if certificate.existence is not Answer.UNDECIDED:
            assert (certificate.existence is Answer.YES) == bool(sol), f"seed {seed}"
    assert undecided <= 2


@pytest.mark.parametrize("batch", range(BATCHES))
def test_certificates_of_complementarity_problems_replay_exactly_and_altered_ones_do_not(batch):
    """100 in each batch, of up to 12 pairs: definite, indefinite, singular, of small integers, of contact."""
    undecided = 0
    for seed in range(100 * batch, 100 * (batch + 1)):
        A, b = some_lcp(seed)
        solution = lcp.solve(A, b)
        certificate = solution.certificate
        assert certificate.verify(), f"seed {seed}"
        answers = certificate.existence, certificate.motion, certificate.force
        undecided += Answer.UNDECIDED in answers
        for name, proof in certificate.proofs.items():
            altered = replace(certificate, proofs={**certificate.proofs, name: corrupted(proof)})
            assert not altered.verify(), f"seed {seed}: a corrupted {type(proof).__name__} passes"
    assert undecided <= 2


def some_lcp(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3 * 10**6 + seed)
    n = 1 + seed % 12
    kind = (seed // 12) % 5
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    if kind == 1:
        A = A @ A.T
    elif kind == 2:
        X = rng.standard_normal((n, max(1, n - 2)))
        A, b = X @ X.T, X @ rng.standard_normal(X.shape[1])
    elif kind == 3:
        n = min(n, 7)
        A, b = rng.integers(-2, 3, (n, n)).astype(float), rng.integers(-2, 3, n).astype(float)
    elif kind == 4:
        A, b = contact_lcp(rng, 1 + seed % 2)
    return A, b


def corrupted(proof):
    """The same proof with one of its parts changed so that it says something false."""
    if hasattr(proof, "active"):
        return replace(proof, A=0 * proof.A, b=-np.abs(proof.b) - 1.0)
    if hasattr(proof, "A"):
        return replace(proof, A=-proof.A)
    if hasattr(proof, "first"):
        return replace(proof, second=proof.first)
    if hasattr(proof, "point"):
        return replace(proof, point=proof.point + 1e-3 * proof.system.scale)
    if hasattr(proof, "centre"):
        return replace(proof, centre=proof.centre + 1e-3 * proof.system.scale)
    return replace(proof, exclusions=proof.exclusions[1:])


@pytest.mark.parametrize("size", [4, 8, 12, 24, 48])
def test_ten_thousand_complementarity_problems_of_contact_are_all_solved(size):
    rng = np.random.default_rng(size)
    for k in range(10_000):
        A, b = contact_lcp(rng, size // 4)
        solution = lcp.solve(A, b)
        assert solution, f"problem {k}: {solution.status.value}"
        z, w = solution.z, solution.w
        terms = np.abs(A) @ z + np.abs(b)
        assert (z >= 0).all()
        assert (w >= 0).all()
        assert not (z * w).any()
        assert np.abs(A @ z + b - w).max() <= TOLERANCE * terms.max(), f"problem {k}"


def test_enumeration_of_complementarity_problems_finds_what_lemke_found():
    for seed in range(2000):
        rng = np.random.default_rng(seed)
        A, b = contact_lcp(rng, 1 + seed % 3)
        solution = lcp.solve(A, b)
        near = []
        for other in lcp.solutions(A, b):
            assert other, f"seed {seed}: {other.status.value}"
            gap = solution.z - other.z
            near.append(np.abs(gap - other.directions.T @ (other.directions @ gap)).max() / (1 + np.abs(solution.z).max()))
        assert min(near) < 1e-7, f"seed {seed}"


def test_every_enumeration_ends_within_its_budget():
    rng = np.random.default_rng(0)
    with pytest.raises(BudgetError, match="the budget of 100"):
        lcp.solutions(np.zeros((14, 14)), np.abs(rng.standard_normal(14)) * 0.0, budget=100)
