"""Thousands of random contacts in space: those that have a solution are solved, and nothing is called solved that is not."""

import numpy as np
import pytest

from coulomb_law import assert_lawful
from random_cones import Cones, beyond_reach, solvable
from stickslip.complementarity.cone import TOLERANCE, ConeSolution, solve_cone
from stickslip.complementarity.status import Status

pytestmark = pytest.mark.verify

BATCHES = 20
MOST = 12  # contacts


def solved(problem: Cones, guess: object = None) -> ConeSolution:
    return solve_cone(
        problem.G, problem.c, problem.friction, static_friction=problem.static_friction, sliding=problem.sliding, guess=guess
    )


def assert_solved(problem: Cones, solution: ConeSolution, what: str) -> None:
    assert solution.status is Status.SOLVED, f"{what} {problem.name}: the residual is {solution.residual:.2g}"
    assert solution.residual <= TOLERANCE
    assert_lawful(problem, solution.force, solution.acceleration, TOLERANCE, what)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_ten_thousand_problems_are_all_solved(batch):
    """500 in each batch, of 1 to 12 contacts: to 1e-10 of the largest acceleration, every line of the law."""
    for seed in range(500 * batch, 500 * (batch + 1)):
        rng = np.random.default_rng(seed)
        problem = solvable(rng, 1 + seed % MOST)
        assert_solved(problem, solved(problem), f"seed {seed}")


@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_follows_from_what_was_is_solved_too(batch):
    """Impulses and accelerations that change a little or a lot from instant to instant, the last forces as a guess."""
    for seed in range(20 * batch, 20 * (batch + 1)):
        rng = np.random.default_rng(10**6 + seed)
        problem = solvable(rng, 1 + seed % MOST)._replace(sliding=np.full((1 + seed % MOST, 2), np.nan))
        force = None
        for instant in range(10):
            solution = solved(problem, force)
            assert_solved(problem, solution, f"seed {seed}, instant {instant}")
            change = problem.G @ rng.standard_normal(len(problem.c))
            step = rng.choice(
                [1e-3, 1e-1, 0.9]
            )  # less than 1: nothing but round-off might be left * np.abs(problem.c).max() / np.abs(change).max()
            problem, force = problem._replace(c=problem.c + step * change), solution.force


@pytest.mark.parametrize("batch", range(BATCHES))
def test_nothing_is_called_solved_that_breaks_the_law(batch):
    """Sliding contacts and accelerations that no motion has: most of these problems have a solution, and some have none."""
    count = 0
    for seed in range(100 * batch, 100 * (batch + 1)):
        rng = np.random.default_rng(2 * 10**6 + seed)
        problem = beyond_reach(rng, 1 + seed % 8)
        solution = solved(problem)
        if solution:
            count += 1
            assert_solved(problem, solution, f"seed {seed}")
        else:
            assert solution.status is Status.UNDECIDED
    assert count >= 90
