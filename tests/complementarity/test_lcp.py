"""Linear complementarity problems: textbook cases, all solutions by brute force, guesses, equations, and bad input."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contact_lcps import contact_lcp
from stickslip import lcp
from stickslip.complementarity import BudgetError, Status
from stickslip.mechanism.errors import ArgumentError


def assert_solves(A, b, solution, tolerance=1e-9):
    """Written down apart from the package: w = A z + b, both not negative, one of each pair zero."""
    A, b = np.array(A, dtype=float), np.array(b, dtype=float)
    z, w = solution.z, solution.w
    assert (z >= 0).all()
    assert (w >= 0).all()
    assert not (z * w).any()
    terms = np.abs(A) @ z + np.abs(b)
    least = 1e-6 * terms.max(initial=0.0)  # rows whose terms are nothing but round-off
    assert (np.abs(A @ z + b - w) <= tolerance * np.maximum(terms, least)).all()


def brute_force(A, b):
    """The isolated solutions of a problem all of whose bases are regular, basis after basis."""
    n, found = len(b), []
    for active in product([False, True], repeat=n):
        a = np.flatnonzero(active)
        z = np.zeros(n)
        z[a] = np.linalg.solve(A[np.ix_(a, a)], -b[a])
        w = A @ z + b
        w[a] = 0.0
        if (z >= 0).all() and (w >= 0).all():
            found.append(z)
    return found


# ---- textbook problems ---------------------------------------------------------------------------------------------


def test_two_pairs_by_hand():
    solution = lcp.solve([[2, 1], [1, 2]], [-5, -6])
    assert solution.status is Status.SOLVED
    assert solution.z == pytest.approx([4 / 3, 7 / 3], rel=1e-15)
    assert not solution.w.any()
    assert solution.residual < 1e-14
    assert (solution.certificate.motion, solution.certificate.force) == ("unique", "unique")
    assert solution.certificate.verify()


def test_nothing_to_push_against_needs_no_pivot():
    solution = lcp.solve(-np.eye(3), [1.0, 0.0, 2.0])
    assert not solution.z.any()
    assert solution.w.tolist() == [1.0, 0.0, 2.0]
    assert solution.pivots == 0


def test_a_problem_without_pairs():
    solution = lcp.solve(np.zeros((0, 0)), [])
    assert solution
    assert solution.z.shape == (0,)
    assert len(lcp.solutions([], [])) == 1


def murty(n):
    """Lemke's method, covering by ones, needs 2^n pivots on these; the solution is (2^n, 0, …, 0)."""
    return np.eye(n) + 2 * np.tril(np.ones((n, n)), -1), -np.cumsum(2.0 ** np.arange(n, 0, -1))


@pytest.mark.parametrize("n", range(1, 13))
def test_murtys_family_takes_exponentially_many_pivots(n):
    A, b = murty(n)
    solution = lcp.solve(A, b)
    assert solution
    assert solution.z.tolist() == [2.0**n] + [0.0] * (n - 1)
    assert solution.pivots == 2**n
    assert lcp.is_p_matrix(A)
    assert [other.z.tolist() for other in lcp.solutions(A, b)] == [solution.z.tolist()]


def test_a_limit_on_pivots_is_said_to_have_been_reached():
    A, b = murty(10)
    assert lcp.solve(A, b, limit=2, budget=0).status is Status.PIVOT_LIMIT
    helped = lcp.solve(A, b, limit=2)  # a search helps out
    assert helped.z[0] == 1024.0


def test_two_solutions():
    solutions = lcp.solutions([[-1.0]], [1.0])
    assert sorted(solution.z[0] for solution in solutions) == [0.0, 1.0]
    assert [solution.dimension for solution in solutions] == [0, 0]


def test_infinitely_many_solutions_are_a_face():
    """z_1 - z_2 = 1: a ray, the same w throughout."""
    A, b = [[1, -1], [-1, 1]], [-1, 1]
    (face,) = lcp.solutions(A, b)
    assert face.dimension == 1
    assert np.abs(face.directions[0]) == pytest.approx(np.sqrt([0.5, 0.5]))
    assert face.z[0] - face.z[1] == pytest.approx(1.0)
    assert face.z[1] > 0.0  # inside the face, not at its end
    assert lcp.solve(A, b).dimension == 1
    assert lcp.solve(A, b).certificate.force == "ambiguous"
    assert lcp.solve(A, b).certificate.motion == "unique"


def test_faces_of_several_dimensions():
    (plane,) = lcp.solutions(np.zeros((2, 2)), [0.0, 0.0])
    assert plane.dimension == 2
    rays = lcp.solutions([[0, 1], [1, 0]], [0, 0])  # two that meet
    assert [ray.dimension for ray in rays] == [1, 1]
    assert abs(rays[0].directions @ rays[1].directions.T) == pytest.approx(np.zeros((1, 1)))
    simplex = lcp.solutions(np.ones((4, 4)), -np.ones(4))
    assert [face.dimension for face in simplex] == [3]
    assert simplex[0].z.sum() == pytest.approx(1.0)


def test_no_solution_is_proved():
    for A, b in (([[-1.0]], [-1.0]), ([[0, 1], [0, 0]], [1, -1]), ([[0.0]], [-1e-3])):
        solution = lcp.solve(A, b)
        assert solution.status is Status.NO_SOLUTION
        assert not solution
        assert np.isnan(solution.z).all()
        assert lcp.solutions(A, b) == []
        assert solution.certificate.existence == "no"
        assert solution.certificate.verify()
        assert lcp.solve(A, b, budget=0).status is Status.RAY


def test_a_degenerate_problem_that_cycles_without_a_rule_for_ties():
    """Kostreva's: Lemke's method with ties broken by index goes round in a circle here."""
    A = [[1, 2, 0], [0, 1, 2], [2, 0, 1]]
    solution = lcp.solve(A, [-1, -1, -1])
    assert solution.z == pytest.approx([1 / 3] * 3)
    assert_solves(A, [-1, -1, -1], solution)


@given(st.integers(0, 10**6))
def test_degenerate_problems_of_small_integers(seed):
    """Ties everywhere. Positive semidefinite: Lemke's method solves them if anything does."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 8
    X = rng.integers(-1, 2, (n, 1 + seed % 4))
    K = rng.integers(-1, 2, (n, n))
    A, b = (X @ X.T + K - K.T).astype(float), rng.integers(-1, 2, n).astype(float)
    solution = lcp.solve(A, b)
    everything = lcp.solutions(A, b)
    if solution:
        assert_solves(A, b, solution)
        assert everything
    else:
        assert solution.status is Status.NO_SOLUTION
        assert not everything


# ---- all solutions -------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
def test_all_solutions_are_those_of_brute_force(seed):
    rng = np.random.default_rng(seed)
    n = 1 + seed % 6
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    expected = brute_force(A, b)
    found = lcp.solutions(A, b)
    assert len(found) == len(expected)
    for z in expected:
        assert min(np.abs(solution.z - z).max() for solution in found) < 1e-6 * (1 + np.abs(z).max())
    for solution in found:
        assert_solves(A, b, solution)
        assert solution.dimension == 0
    assert bool(lcp.solve(A, b)) == bool(expected)


@given(st.integers(0, 10**6))
def test_enumeration_finds_what_lemke_found(seed):
    """Contact problems in the plane, whose friction makes them degenerate: sigma is open where nothing touches."""
    rng = np.random.default_rng(seed)
    A, b = contact_lcp(rng, 1 + seed % 3)
    solution = lcp.solve(A, b, budget=0)
    assert_solves(A, b, solution)
    near = []
    for other in lcp.solutions(A, b):
        assert_solves(A, b, other)
        along = other.directions.T @ (other.directions @ (solution.z - other.z))
        near.append(np.abs(solution.z - other.z - along).max() / (1 + np.abs(solution.z).max()))
    assert min(near) < 1e-7


def test_a_budget_that_is_too_small_is_named():
    with pytest.raises(BudgetError, match="the budget of 3"):
        lcp.solutions(np.eye(4), -np.ones(4), budget=3)


@given(st.integers(0, 10**6), st.floats(-150, 150), st.floats(-150, 150))
def test_units_do_not_matter(seed, power_of_w, power_of_z):
    """Another unit for each w and z: the solution is the same in these units, and so is the number of all solutions."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 5
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    row = 10.0 ** (power_of_w + rng.uniform(-3, 3, n))
    column = 10.0 ** (power_of_z + rng.uniform(-3, 3, n))
    scaled_A, scaled_b = row[:, None] * A * column, row * b
    plain, scaled = lcp.solve(A, b), lcp.solve(scaled_A, scaled_b)
    assert bool(plain) == bool(scaled)
    assert len(lcp.solutions(A, b)) == len(lcp.solutions(scaled_A, scaled_b))
    if scaled:
        assert_solves(scaled_A, scaled_b, scaled)


# ---- guesses -------------------------------------------------------------------------------------------------------


def test_a_right_guess_takes_no_pivots_and_a_wrong_one_does_no_harm():
    rng = np.random.default_rng(1)
    for contacts in (1, 2, 4, 8):
        A, b = contact_lcp(rng, contacts)
        first = lcp.solve(A, b)
        again = lcp.solve(A, b * 1.01, guess=first)
        assert again.pivots == 0
        assert again.z == pytest.approx(1.01 * first.z, rel=1e-9, abs=1e-12)
        assert lcp.solve(A, b, guess=first.basis != 0).pivots == 0
        wrong = lcp.solve(A, b, guess=first.basis == 0)
        assert_solves(A, b, wrong)


def test_a_guess_chooses_among_several_solutions():
    A, b = [[-1.0]], [1.0]
    assert lcp.solve(A, b, guess=[True]).z[0] == 1.0
    assert lcp.solve(A, b, guess=[False]).z[0] == 0.0


# ---- equations -----------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
def test_pairs_that_are_equations(seed):
    rng = np.random.default_rng(seed)
    n, m = 1 + seed % 4, 1 + seed % 3
    X = rng.standard_normal((n + m, n + m))
    A, b = X @ X.T + 0.1 * np.eye(n + m), rng.standard_normal(n + m)
    free = sorted(rng.choice(n + m, m, replace=False).tolist())
    solution = lcp.solve(A, b, free=free)
    assert solution
    assert solution.free == tuple(free)
    rest = np.setdiff1d(np.arange(n + m), free)
    assert A @ solution.z + b == pytest.approx(solution.w, rel=1e-9, abs=1e-9)
    assert not solution.w[free].any()
    assert (solution.z[rest] >= 0).all()
    assert (solution.w >= 0).all()
    assert not (solution.z * solution.w).any()
    (other,) = lcp.solutions(A, b, free=free)
    assert other.z == pytest.approx(solution.z, rel=1e-7, abs=1e-8)
    certificate = solution.certificate
    assert (certificate.existence, certificate.motion, certificate.force) == ("yes", "unique", "unique")
    assert certificate.verify()


def test_equations_that_repeat_each_other_are_no_hindrance():
    """Two loops that say the same: their impulses are open, the rest is not."""
    rng = np.random.default_rng(0)
    J = rng.standard_normal((4, 5))
    J[3] = -2.0 * J[2]
    A, b = J @ J.T, J @ rng.standard_normal(5)
    solution = lcp.solve(A, b, free=[2, 3])
    assert solution
    assert solution.dimension == 1
    assert solution.certificate.force == "ambiguous"
    assert solution.certificate.motion == "unique"
    assert solution.certificate.verify()


def test_equations_that_contradict_each_other():
    A, b = np.zeros((2, 2)), np.array([1.0, 1.0])
    A[0, 0] = 1.0
    solution = lcp.solve(A, b, free=[1])
    assert solution.status is Status.NO_SOLUTION
    assert solution.certificate.verify()


# ---- never a wrong answer --------------------------------------------------------------------------------------------


def test_results_belong_to_their_owner():
    A, b = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-5.0, -6.0])
    first = lcp.solve(A, b)
    kept = first.z.copy()
    lcp.solve(A, [-1.0, 0.0])
    A[:], b[:] = 0.0, 0.0
    assert (first.z == kept).all()
    assert first.certificate.verify()


@pytest.mark.parametrize("huge", [1e150, 1e300])
def test_overflow_is_no_success(huge):
    rng = np.random.default_rng(0)
    for _ in range(50):
        n = int(rng.integers(1, 6))
        A, b = rng.standard_normal((n, n)) * huge, rng.standard_normal(n) * huge
        solution = lcp.solve(A, b)
        if solution:
            assert np.isfinite(solution.z).all()
            assert_solves(A / huge, b / huge, replace(solution, w=solution.w / huge))


def test_nearly_singular_problems_are_solved_or_said_not_to_be():
    rng = np.random.default_rng(0)
    for exponent in range(4, 18):
        for _ in range(20):
            X = rng.standard_normal((5, 3))
            A = X @ X.T + 10.0**-exponent * np.eye(5)
            b = rng.standard_normal(5)
            solution = lcp.solve(A, b)
            if solution:
                assert_solves(A, b, solution)


@pytest.mark.parametrize(
    ("A", "b", "sentence"),
    [
        ([[1.0, 2.0]], [1.0], r"A must be a square matrix of the size of b, \(1, 1\), not \(1, 2\)"),
        (np.eye(2), [1.0], r"A must be a square matrix"),
        (np.eye(2), [[1.0, 1.0]], r"b must be a vector \(n,\)"),
        ([[1.0, 2.0], [3.0]], [1.0, 2.0], "A must be an array, not a ragged sequence"),
        ([["1"]], [1.0], "A must hold real numbers"),
        ([[1j]], [1.0], "A must hold real numbers"),
        ([[np.nan]], [-1.0], "A and b must hold finite numbers only"),
        ([[1.0]], [np.inf], "A and b must hold finite numbers only"),
        (None, None, "must hold real numbers"),
    ],
)
def test_bad_problems(A, b, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        lcp.solve(A, b)
    with pytest.raises(ArgumentError):
        lcp.solutions(A, b)


def test_bad_options():
    A, b = np.eye(2), -np.ones(2)
    for free in ([2], [-1], [0.5], ["a"]):
        with pytest.raises(ArgumentError, match="free must"):
            lcp.solve(A, b, free=free)
    for guess in ([True], [1, 0], "FS", lcp.solve([[1.0]], [-1.0])):
        with pytest.raises(ArgumentError, match="a guess must be a solution of a problem of this size, or 2 truth values"):
            lcp.solve(A, b, guess=guess)
    with pytest.raises(ArgumentError, match="finite numbers only"):
        lcp.solve(np.array([[np.nan, 0], [0, 1]]), b, free=[0])


def test_a_solution_tells_its_story():
    assert "z_1 = 1.33333" in str(lcp.solve([[2, 1], [1, 2]], [-5, -6]))
    assert repr(lcp.solve([[1.0]], [-1.0])) == "<LcpSolution of 1 pairs: SOLVED>"
    assert "there is no solution" in str(lcp.solve([[-1.0]], [-1.0]))


@pytest.mark.parametrize("noise", [0.0, *10.0 ** np.arange(-300, 0, 20), 1e-19, 1e-17, 1e-15, 1e-14, 1e-12])
def test_a_contact_that_rests_beside_one_that_moves_may_have_round_off_for_a_velocity(noise):
    """Two contacts of paper 2 that know nothing of each other, one of which hardly moves."""

    def block(n, t, mu):
        return [[n, 0, 0, 0], [0, t, -t, 1], [0, -t, t, 1], [mu, -1, -1, 0]]

    A = np.zeros((8, 8))
    A[:4, :4], A[4:, 4:] = block(1, 3.25, 0.4), block(1, 2, 0.4)
    b = np.array([-0.08, 0, 0, 0, 0, noise, -noise, 0])
    solution = lcp.solve(A, b, budget=0)
    assert solution
    assert solution.z[0] == pytest.approx(0.08)
    assert (solution.w >= 0).all()
    assert np.abs(A @ solution.z + b - solution.w).max() <= 1e-9 * 0.08
