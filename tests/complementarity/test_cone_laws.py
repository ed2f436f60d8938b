"""Contacts in space at random: every line of the law, what names, axes and units must not change, and bad input."""

from threading import Thread

import numpy as np
import pytest

from coulomb_law import assert_lawful
from random_cones import Cones, beyond_reach, solvable, touching_bodies
from stickslip.complementarity.cone import TOLERANCE, solve_cone
from stickslip.complementarity.cone_search import solve_cone_into
from stickslip.complementarity.status import Status
from stickslip.mechanism.errors import ArgumentError

SAME = 1e-7  # of the scale: motions and forces that differ by less are one


def solved(problem: Cones, **options):
    return solve_cone(
        problem.G, problem.c, problem.friction, static_friction=problem.static_friction, sliding=problem.sliding, **options
    )


def tame(seed: int) -> Cones:
    """A problem with one solution only: friction is small, and forces are determined."""
    rng = np.random.default_rng(seed)
    while True:
        problem = touching_bodies(rng, int(rng.integers(1, 5)))
        values = np.linalg.eigvalsh(problem.G)
        if values[0] > 1e-4 * values[-1]:
            return problem._replace(friction=0.2 * problem.friction, static_friction=0.2 * problem.friction)


def assert_same(solution, force, acceleration, word):
    assert solution
    assert solution.word == word
    np.testing.assert_allclose(solution.acceleration, acceleration, atol=SAME * np.abs(acceleration).max())
    np.testing.assert_allclose(solution.force, force, atol=SAME * np.abs(force).max())


# ---- the law -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", range(1, 13))
def test_what_has_a_solution_is_solved_and_keeps_every_line_of_the_law(k):
    rng = np.random.default_rng(k)
    for n in range(60):
        problem = solvable(rng, k)
        solution = solved(problem)
        assert solution.status is Status.SOLVED, f"{n}: {problem.name}"
        assert solution.residual <= TOLERANCE
        assert_lawful(problem, solution.force, solution.acceleration, TOLERANCE, f"{n}")


@pytest.mark.parametrize(
    ("force", "acceleration"),
    [
        ([10.0, -2.9, 0.0], [0.0, 1.1, 0.0]),  # slips with less friction than it has
        ([10.0, -3.1, 0.0], [0.0, 0.9, 0.0]),  # more than it has
        ([10.0, -2.9, 0.5], [0.0, 1.1, 0.5]),  # askew
        ([10.5, -3.15, 0.0], [0.5, 0.85, 0.0]),  # lifts, as convex cones let it
        ([0.0, 0.0, 0.0], [-10.0, 4.0, 0.0]),  # falls through
        ([-1.0, 0.0, 0.0], [-11.0, 4.0, 0.0]),  # pulls
        ([10.0, -3.0, 0.0], [0.0, 0.0, 0.0]),  # sticks, and does not obey its forces
        ([np.nan, 0.0, 0.0], [np.nan, 4.0, 0.0]),
    ],
)
def test_the_judge_of_these_tests_sees_what_is_wrong(force, acceleration):
    nothing = np.full((1, 2), np.nan)
    problem = Cones("point", np.eye(3), np.array([-10.0, 4.0, 0.0]), np.array([0.3]), np.array([0.3]), nothing)
    assert_lawful(problem, np.array([10.0, -3.0, 0.0]), np.array([0.0, 1.0, 0.0]), TOLERANCE)
    with pytest.raises(AssertionError):
        assert_lawful(problem, np.array(force), np.array(acceleration), 1e-3)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8])
def test_nothing_is_called_solved_that_breaks_the_law(k):
    """Sliding contacts and accelerations that no motion has: some of these problems have no solution."""
    rng = np.random.default_rng(100 + k)
    count = 0
    for n in range(60):
        problem = beyond_reach(rng, k)
        solution = solved(problem)
        assert solution.status in (Status.SOLVED, Status.UNDECIDED)
        assert (solution.residual <= TOLERANCE) == bool(solution)
        if solution:
            count += 1
            assert_lawful(problem, solution.force, solution.acceleration, TOLERANCE, f"{n}")
    assert count >= 50


@pytest.mark.parametrize("seed", range(20))
def test_letters_say_what_the_motion_does(seed):
    """S leaves without force, F neither leaves nor slips, D slips in its direction; static friction holds F only."""
    rng = np.random.default_rng(seed)
    problem = beyond_reach(rng, int(rng.integers(1, 9)))
    solution = solved(problem)
    tiny = 1e-8 * solution.scale
    for i, letter in enumerate(solution.word if solution else ""):
        f, u, d = solution.force[3 * i : 3 * i + 3], solution.acceleration[3 * i : 3 * i + 3], solution.directions[i]
        along = u[1:] if np.isnan(problem.sliding[i]).any() else problem.sliding[i]
        if letter == "S":
            assert (f == 0.0).all()
            assert np.linalg.norm(u) > 0.0
        if letter == "D":
            np.testing.assert_allclose(d, along / np.linalg.norm(along), atol=1e-9)
            np.testing.assert_allclose(f[1:], -problem.friction[i] * f[0] * d, atol=1e-7 * np.abs(solution.force).max())
        else:
            assert np.isnan(d).all()
        assert (letter == "F") == (np.isnan(problem.sliding[i]).any() and np.linalg.norm(u) <= tiny)


@pytest.mark.parametrize("seed", range(10))
def test_any_guess_leads_to_a_solution(seed):
    rng = np.random.default_rng(seed)
    problem = solvable(rng, int(rng.integers(1, 9)))
    for size in (1e-6, 1.0, 1e6):
        solution = solved(problem, guess=size * rng.standard_normal(len(problem.c)))
        assert solution
        assert_lawful(problem, solution.force, solution.acceleration, TOLERANCE)


@pytest.mark.parametrize("seed", range(10))
def test_a_solution_as_a_guess_is_kept_or_improved(seed):
    rng = np.random.default_rng(seed)
    problem = solvable(rng, int(rng.integers(1, 9)))
    first = solved(problem)
    again = solved(problem, guess=first.force)
    assert again.residual <= max(first.residual, 1e-15)
    np.testing.assert_allclose(again.acceleration, first.acceleration, atol=1e-9 * first.scale)


# ---- what must not matter ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_the_choice_of_tangents_does_not_matter(seed):
    problem = tame(seed)
    first, k = solved(problem), len(problem.friction)
    Q = np.eye(3 * k)
    for i, angle in enumerate(np.random.default_rng(seed).uniform(0.0, 2 * np.pi, k)):
        c, s = np.cos(angle), np.sin(angle)
        Q[3 * i + 1 : 3 * i + 3, 3 * i + 1 : 3 * i + 3] = (c, s), (-s, c)
    G = Q @ problem.G @ Q.T
    turned = solved(problem._replace(G=(G + G.T) / 2, c=Q @ problem.c))
    assert_same(turned, Q @ first.force, Q @ first.acceleration, first.word)


@pytest.mark.parametrize("seed", range(40))
def test_the_order_of_contacts_does_not_matter(seed):
    problem = tame(seed)
    first = solved(problem)
    order = np.random.default_rng(seed).permutation(len(problem.friction))
    rows = (3 * order[:, None] + np.arange(3)).ravel()
    permuted = solved(Cones("", problem.G[np.ix_(rows, rows)], problem.c[rows], *(values[order] for values in problem[3:])))
    assert_same(permuted, first.force[rows], first.acceleration[rows], "".join(first.word[i] for i in order))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("mass", "acceleration"), [(1e-9, 1e3), (37.0, 1e-8), (1e20, 1e-30), (1e-60, 1e60)])
def test_units_do_not_matter(seed, mass, acceleration):
    problem = tame(seed)
    first = solved(problem)
    other = solved(problem._replace(G=problem.G / mass, c=problem.c * acceleration))
    assert_same(other, first.force * mass * acceleration, first.acceleration * acceleration, first.word)


@pytest.mark.parametrize("seed", range(20))
def test_units_that_are_powers_of_two_do_not_even_change_a_bit(seed):
    rng = np.random.default_rng(seed)
    problem = solvable(rng, int(rng.integers(1, 13)))
    first = solved(problem)
    other = solved(problem._replace(G=problem.G * 2.0**-12, c=problem.c * 2.0**7))
    np.testing.assert_array_equal(other.force, first.force * 2.0**19)
    np.testing.assert_array_equal(other.acceleration, first.acceleration * 2.0**7)
    assert (other.residual, other.word) == (first.residual, first.word)


def test_threads_do_not_disturb_each_other_and_results_are_copies():
    problems = [solvable(np.random.default_rng(seed), 6) for seed in range(20)]
    first = [solved(problem) for problem in problems]
    kept = [solution.force.copy() for solution in first]
    results: dict[int, list] = {}

    def work(who):
        results[who] = [solved(problem) for problem in problems for _ in range(5)]

    threads = [Thread(target=work, args=(who,)) for who in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n, force in enumerate(kept):
        np.testing.assert_array_equal(first[n].force, force)
        for who in range(3):
            for solution in results[who][5 * n : 5 * n + 5]:
                np.testing.assert_array_equal(solution.force, force)


def test_there_is_one_compiled_kernel_whatever_is_given():
    for k in (0, 1, 3):
        solve_cone(np.eye(3 * k, dtype=int), [-1] * (3 * k), 1, guess=np.ones(6 * k)[::2])
        solve_cone(np.eye(3 * k)[:, ::-1][:, ::-1], -np.ones(3 * k), np.ones(k), sliding=np.full((k, 2), np.nan))
    assert len(solve_cone_into.signatures) == 1


def test_no_contacts_have_a_solution():
    solution = solve_cone(np.zeros((0, 0)), [], 0.5)
    assert solution
    assert (solution.word, solution.residual, solution.force.shape, solution.directions.shape) == ("", 0.0, (0,), (0, 2))


def test_without_drift_there_is_no_force():
    solution = solve_cone(np.eye(6), np.zeros(6), 0.5)
    assert solution
    assert (solution.word, solution.residual) == ("FF", 0.0)
    np.testing.assert_array_equal(solution.force, np.zeros(6))


# ---- bad input ---------------------------------------------------------------------------------------------------------

DOWN = [-9.81, 0.0, 0.0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"G": np.eye(2)}, r"G must have shape \(3, 3\), not \(2, 2\)"),
        ({"G": [[1.0], [0.0, 1.0]]}, r"G must be an array of shape \(3, 3\), not a ragged sequence"),
        ({"G": np.eye(3) * 1j}, "G must hold real numbers"),
        ({"G": np.diag([1.0, np.nan, 1.0])}, "G and c must hold finite numbers only"),
        ({"G": np.diag([1.0, 1.0, np.inf])}, "G and c must hold finite numbers only"),
        ({"G": np.eye(3) + np.eye(3, k=1)}, "G must be symmetric"),
        ({"G": np.diag([1.0, -1e-3, 1.0])}, "no negative number in its diagonal"),
        ({"G": 1e120 * np.eye(3)}, "must lie between 1e-100 and 1e100"),
        ({"c": [1e-120, 0.0, 0.0]}, "must lie between 1e-100 and 1e100"),
        ({"c": [np.nan, 0.0, 0.0]}, "G and c must hold finite numbers only"),
        ({"c": [-1.0, 0.0]}, r"must have shape \(0, 0\), not \(3, 3\)"),
        ({"c": [-1.0, 0.0, 0.0, 0.0]}, r"c must have shape \(3,\), not \(4,\)"),
        ({"c": [[-1.0], [0.0, 0.0]]}, "must have shape"),
        ({"friction": -0.5}, "friction must not be negative, but is -0.5 at contact 0"),
        ({"friction": np.nan}, "friction must hold finite numbers only"),
        ({"friction": [0.1, 0.2]}, r"friction must have shape \(1,\), not \(2,\)"),
        ({"friction": "rough"}, "friction must hold real numbers"),
        ({"static_friction": 0.4}, "static friction must not be less than dynamic friction, but is 0.4 < 0.5 at contact 0"),
        ({"static_friction": np.inf}, "static_friction must hold finite numbers only"),
        ({"sliding": [[3.0, 4.0]]}, r"sliding must hold unit vectors, .* but is \(3, 4\) at contact 0"),
        ({"sliding": [[np.nan, 1.0]]}, r"sliding must hold unit vectors, .* but is \(nan, 1\) at contact 0"),
        ({"sliding": [[0.0, 0.0]]}, "sliding must hold unit vectors"),
        ({"sliding": [1.0, 0.0]}, r"sliding must have shape \(1, 2\), not \(2,\)"),
        ({"guess": [1.0]}, r"guess must have shape \(3,\), not \(1,\)"),
        ({"guess": [np.nan, 0.0, 0.0]}, "guess must hold finite numbers only"),
        ({"tolerance": 0.0}, "tolerance must lie between 0 and 1, but is 0"),
        ({"tolerance": np.inf}, "tolerance must lie between 0 and 1, but is inf"),
        ({"tolerance": np.nan}, "tolerance must lie between 0 and 1, but is nan"),
    ],
)
def test_bad_input_gets_a_sentence(arguments, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        solve_cone(**({"G": np.eye(3), "c": DOWN, "friction": 0.5} | arguments))


@pytest.mark.parametrize("first", [1e-15, 1e-3, 1.0, 1e15])
@pytest.mark.parametrize("second", [1e-15, 1.0, 1e15])
def test_points_that_have_nothing_to_do_with_each_other_do_not_disturb_each_other(first, second):
    G = np.kron(np.diag([first, second]), np.eye(3))
    problem = Cones("", G, np.array([-9.81, 4.0, 0.0] * 2), np.full(2, 0.3), np.full(2, 0.3), np.full((2, 2), np.nan))
    solution = solved(problem)
    assert solution
    np.testing.assert_allclose(solution.acceleration, [0.0, 1.057, 0.0] * 2, atol=1e-9)
    np.testing.assert_allclose(solution.force / np.repeat([1 / first, 1 / second], 3), [9.81, -2.943, 0.0] * 2, atol=1e-9)


@pytest.mark.parametrize("first", [1e-290, 1e-99, 1e-50, 1e50, 1e99])
@pytest.mark.parametrize("second", [1e-50, 1.0, 1e50, 1e99])
def test_what_is_called_solved_at_the_ends_of_the_scale_is_so(first, second):
    G = np.kron(np.diag([first, second]), np.eye(3))
    solution = solve_cone(G, [-9.81, 4.0, 0.0] * 2, 0.3)
    if solution:
        np.testing.assert_allclose(solution.acceleration, [0.0, 1.057, 0.0] * 2, atol=1e-9)
        np.testing.assert_allclose(solution.force * np.repeat([first, second], 3), [9.81, -2.943, 0.0] * 2, atol=1e-9)


def test_a_force_that_is_too_large_for_a_number_is_no_solution():
    G = np.kron(np.diag([1e-310, 1.0]), np.eye(3))
    solution = solve_cone(G, [-9.81, 4.0, 0.0] * 2, 0.3)
    assert solution.status is Status.UNDECIDED
    assert not solution.residual <= TOLERANCE


def test_a_contact_that_gives_way_to_nothing_cannot_be_held():
    """Accelerations that no force changes: approaching is no solution, leaving is."""
    assert not solve_cone(np.zeros((3, 3)), DOWN, 0.5)
    assert solve_cone(np.zeros((3, 3)), [9.81, 0.0, 0.0], 0.5).word == "S"
