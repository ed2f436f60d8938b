"""The step of least change against NumPy's least squares and pseudo-inverse, singular systems included."""

import numba
import numpy as np
import pytest

from stickslip.complementarity.least_change import RANK_TOLERANCE, least_change

TOLERANCE = 1e-9


@numba.njit
def call(columns, m, tolerance, b, norms, order, gram, x):
    return least_change(columns, m, tolerance, b, norms, order, gram, x)


def solve(A, b, spare=0, tolerance=RANK_TOLERANCE):
    """x and the rank; `spare` rows and columns of the arrays are not used, and hold NaN."""
    m = len(b)
    size = m + spare
    columns, gram = np.full((size, size), np.nan), np.full((size, size), np.nan)
    right, norms, x = np.full(size, np.nan), np.full(size, np.nan), np.full(size, np.nan)
    columns[:m, :m], right[:m] = A.T, b
    rank = call(columns, m, tolerance, right, norms, np.zeros(size, dtype=np.int64), gram, x)
    assert np.isnan(x[m:]).all()
    return x[:m], rank


def of_rank(rng, m, rank):
    """(m, m), with singular values between 0.1 and 10."""
    left, right = np.linalg.qr(rng.standard_normal((m, m)))[0], np.linalg.qr(rng.standard_normal((m, m)))[0]
    values = np.concatenate([10.0 ** rng.uniform(-1, 1, rank), np.zeros(m - rank)])
    return left @ np.diag(values) @ right


@pytest.mark.parametrize("seed", range(60))
def test_the_shortest_of_the_best(seed):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 25))
    rank = int(rng.integers(0, m + 1)) if seed % 2 else m
    A, b = of_rank(rng, m, rank), rng.standard_normal(m)
    x, found = solve(A, b, spare=seed % 3)
    expected, _, its_rank, _ = np.linalg.lstsq(A, b, rcond=1e-11)
    assert found == its_rank == rank
    np.testing.assert_allclose(x, expected, atol=TOLERANCE, rtol=TOLERANCE)
    np.testing.assert_allclose(x, np.linalg.pinv(A, rcond=1e-11) @ b, atol=TOLERANCE, rtol=TOLERANCE)


def test_two_supports_under_one_load_share_it():
    x, rank = solve(np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([3.0, 3.0]))
    assert rank == 1
    np.testing.assert_allclose(x, [1.5, 1.5], rtol=1e-15)


def test_a_contradiction_is_met_half_way():
    """x = 1 and x = 3, of a matrix that has its second column empty."""
    x, rank = solve(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([1.0, 3.0]))
    assert rank == 1
    np.testing.assert_allclose(x, [2.0, 0.0], atol=1e-15)


def test_nothing_is_changed_by_a_matrix_of_zeros():
    x, rank = solve(np.zeros((3, 3)), np.array([1.0, 2.0, 3.0]))
    assert rank == 0
    assert (x == 0.0).all()


def test_an_ill_conditioned_matrix_is_no_singular_one():
    """A column of 1e-9 counts, one of 1e-14 does not."""
    x, rank = solve(np.diag([1.0, 1e-9]), np.array([1.0, 1.0]))
    assert rank == 2
    np.testing.assert_allclose(x, [1.0, 1e9], rtol=1e-12)
    x, rank = solve(np.diag([1.0, 1e-14]), np.array([1.0, 1.0]))
    assert rank == 1
    np.testing.assert_allclose(x, [1.0, 0.0], atol=1e-15)


def test_without_a_tolerance_only_zeros_are_singular():
    x, rank = solve(np.diag([1.0, 1e-14]), np.array([1.0, 1.0]), tolerance=0.0)
    assert rank == 2
    np.testing.assert_allclose(x, [1.0, 1e14], rtol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_the_solution_is_no_matter_of_the_order(seed):
    rng = np.random.default_rng(100 + seed)
    A, b, order = of_rank(rng, 9, 6), rng.standard_normal(9), rng.permutation(9)
    x, _ = solve(A, b)
    permuted, _ = solve(A[:, order], b)
    np.testing.assert_allclose(permuted, x[order], atol=TOLERANCE)
