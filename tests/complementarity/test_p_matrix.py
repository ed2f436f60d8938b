"""P-matrices: closed forms first, all minors one by one second, and the theorems that say the same in other words."""

import time
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.budget import BudgetError
from stickslip.complementarity.exact import fractions
from stickslip.complementarity.exact_linear import solved
from stickslip.complementarity.fraction_free import Path, integers, minor, primitive
from stickslip.complementarity.minor_bounds import leading_minors, principal_minors, with_bounds
from stickslip.complementarity.p_matrix import LARGEST, DefiniteProof, NotPProof, PMatrixProof, failing_minor, is_p_matrix
from stickslip.complementarity.q_matrix import game
from stickslip.mechanism.errors import ArgumentError

ABOVE, BELOW = np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0)


def sets_of(n):
    return (chosen for size in range(1, n + 1) for chosen in combinations(range(n), size))


def exact_minors(A):
    """All principal minors, each by itself, over fractions."""
    F = fractions(A)
    return [solved([[F[i][j] for j in s] for i in s], [[] for _ in s])[0] for s in sets_of(len(A))]


def cyclic(n, a):
    """The identity, and `a` beside it in a cycle: all proper minors are one, the determinant is 1 - (-a)^n."""
    return np.eye(n) + a * np.roll(np.eye(n), 1, axis=1)


def turning(n, seed, diagonal=1.0):
    """A P-matrix far from symmetric: a rotation's generator and a diagonal, in mixed units; nothing but minors shows it."""
    rng = np.random.default_rng(seed)
    K = rng.standard_normal((n, n))
    return (diagonal * np.eye(n) + K - K.T) * np.exp(rng.uniform(-2, 2, n))[:, None] * np.exp(rng.uniform(-2, 2, n))


# ---- closed forms ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b"),
    [(0.5, 2.0), (0.1, 10.0), (1 / 3, 3.0), (0.7, 1 / 0.7), (ABOVE, 1.0), (BELOW, 1.0), (ABOVE, BELOW), (BELOW, ABOVE)]
    + [(1e200, 1e-200), (1e-320, 1e300), (-1.0, 1.0), (-1e300, 1e300), (0.0, 1e300), (49.0, 1 / 49)],
)
def test_two_rows_are_decided_by_their_product(a, b):
    assert is_p_matrix([[1, a], [b, 1]]) == (Fraction(a) * Fraction(b) < 1)


def test_both_answers_occur_within_a_rounding_of_one():
    """0.1 is more than a tenth and 1/49 is rounded down: floating point calls both products one."""
    assert 49.0 * (1 / 49) < 1.0 == 0.1 * 10.0
    assert not is_p_matrix([[1, 0.1], [10, 1]])
    assert is_p_matrix([[1, 49], [1 / 49, 1]])


@pytest.mark.parametrize("n", [2, 3, 4, 7, 10, 15, 18])
@pytest.mark.parametrize("a", [1.0, -1.0, ABOVE, BELOW, -ABOVE, -BELOW, 0.5, 3.0, -3.0])
def test_a_cycle_is_decided_by_its_determinant(n, a):
    assert is_p_matrix(cyclic(n, a)) == (1 - (-Fraction(a)) ** n > 0)


@pytest.mark.parametrize("n", [1, 5, 60])
def test_murtys_matrix(n):
    """Lemke's path through it is exponentially long, and yet it is triangular with ones."""
    A = np.eye(n) + 2 * np.tril(np.ones((n, n)), -1)
    assert is_p_matrix(A)
    assert is_p_matrix(A.T)
    A[n // 2, n // 2] = 0
    assert not is_p_matrix(A)


@pytest.mark.parametrize("angle", [0.0, 1.0, 1.57, 1.58, 3.0])
def test_rotations(angle):
    c, s = np.cos(angle), np.sin(angle)
    assert is_p_matrix([[c, -s], [s, c]]) == (c > 0)


def test_chains_and_rings_of_springs():
    """A chain that is held at its ends is positive definite, at any length; a ring that nothing holds is singular."""
    chain = 2 * np.eye(200) - np.eye(200, k=1) - np.eye(200, k=-1)
    assert is_p_matrix(chain)
    one_way = np.roll(np.eye(50), 1, axis=1)
    assert not is_p_matrix(2 * np.eye(50) - one_way - one_way.T)
    assert is_p_matrix(2 * np.eye(50) - 0.99 * one_way - one_way.T)
    assert not is_p_matrix(2 * np.eye(50) - 1.01 * one_way - one_way.T)


def test_definite_matrices_of_any_size():
    X = np.random.default_rng(0).standard_normal((150, 150))
    A = X @ X.T + np.eye(150)
    assert is_p_matrix(A)
    assert is_p_matrix(A + 5 * (X - X.T))
    assert not is_p_matrix(A - 200 * np.eye(150))


def test_dominant_matrices_of_any_size():
    rng = np.random.default_rng(1)
    A = rng.uniform(-1, 1, (120, 120))
    np.fill_diagonal(A, 0)
    np.fill_diagonal(A, np.abs(A).sum(axis=1) * 1.001)
    units = 10.0 ** rng.uniform(-100, 100, 120)
    assert is_p_matrix(A)
    assert is_p_matrix(A.T * units)


def test_the_hilbert_matrix_as_rounded():
    """Its leading minors fall to 1e-80; up to 12 rows rounding leaves it definite, and beyond that not."""
    for n in (5, 12, 14):
        H = 1 / (np.arange(n)[:, None] + np.arange(n) + 1)
        assert is_p_matrix(H) == all(minor(integers(H), range(k)) > 0 for k in range(1, n + 1))


@pytest.mark.parametrize(
    ("entry", "expected"), [(36, True), (np.nextafter(37, 0), True), (37, False), (np.nextafter(37, 99), False)]
)
def test_pascals_triangle_in_mixed_units(entry, expected):
    """All minors of the symmetric Pascal matrix of 9 rows are positive, down to its determinant of one.

    The entry of row 1 and column 0 of its inverse is -36, so that raising that of row 0 and column 1 by 1/36 makes it singular.
    """
    A = np.array([[36.0 * comb(i + j, i) for j in range(9)] for i in range(9)])
    A[0, 1] = entry
    assert is_p_matrix(A * 2.0 ** np.random.default_rng(1).integers(-20, 20, 9)) == expected


# ---- all minors, one by one ------------------------------------------------------------------------------------------


def test_random_matrices_against_all_determinants():
    rng = np.random.default_rng(2)
    found = [0, 0]
    for k in range(300):
        n = 1 + k % 7
        A = rng.standard_normal((n, n)) + np.diag(rng.uniform(0, 3, n))
        expected = all(np.linalg.det(A[np.ix_(s, s)]) > 0 for s in sets_of(n))
        assert is_p_matrix(A) == expected
        found[expected] += 1
    assert min(found) > 80


def test_small_integers_against_exact_determinants():
    rng = np.random.default_rng(3)
    smallest = []
    for k in range(400):
        n = 1 + k % 5
        A = rng.integers(-2, 3, (n, n)) + np.diag(rng.integers(0, 3, n))
        if k % 2 and n > 1:  # two rows alike, and the columns: minors with both of them are zero
            A[n - 1], A[:, n - 1] = A[0], A[:, 0]
            A[n - 1, n - 1] = A[0, 0]
        least = min(exact_minors(A))
        assert is_p_matrix(A) == (least > 0)
        smallest.append(np.sign(least))
    assert smallest.count(0) > 30
    assert smallest.count(1) > 50
    assert smallest.count(-1) > 50


def test_what_rounding_leaves_of_singular_matrices():
    """Minors that are zero but for the rounding of the entries: floating point could only guess their signs."""
    rng = np.random.default_rng(4)
    found = [0, 0]
    for _ in range(200):
        X, Y = rng.uniform(0.1, 1, (4, 2)), rng.uniform(-0.1, 0.1, (4, 2))
        A = X @ (X + Y * rng.integers(0, 2)).T * rng.uniform(1, 2, 4)
        A += np.diag(rng.uniform(0, 1e-16, 4) * rng.integers(0, 3))
        expected = min(exact_minors(A)) > 0
        assert is_p_matrix(A) == expected
        found[expected] += 1
    assert min(found) >= 5


def test_doubt_deep_in_the_recursion():
    """Two rows whose minor is a rounding away from zero, anywhere among others that hardly depend on them."""
    others = 1e-30 * turning(12, 0)
    np.fill_diagonal(others, 1)
    for pair in [(0, 1), (0, 11), (5, 6), (10, 11)]:
        for last, expected in ((BELOW, True), (1.0, False), (ABOVE, False)):
            A = others.copy()
            A[np.ix_(pair, pair)] = [[1.0, 1.0], [last, 1.0]]
            assert is_p_matrix(A) == expected
            assert (failing_minor(A, 12, exact=True) is None) == expected


def test_ones():
    assert not is_p_matrix(np.ones((15, 15)))
    assert failing_minor(np.ones((15, 15)), 15) == (0, 1)


# ---- the same in other words -----------------------------------------------------------------------------------------


def test_every_change_of_signs_leaves_a_positive_vector():
    """A is a P-matrix if and only if for every diagonal D of signs there is x >= 0 with D A D x > 0."""
    rng = np.random.default_rng(5)
    found = [0, 0]
    for k in range(120):
        n = 1 + k % 4
        A = rng.integers(-3, 4, (n, n)) + np.diag(rng.integers(0, 6, n))
        signs = (np.array(s) for s in product((1, -1), repeat=n))
        always = all(game((A * s * s[:, None]).tolist())[0] for s in signs)
        assert is_p_matrix(A) == always
        found[always] += 1
    assert min(found) > 30


def small_matrices():
    entries = st.integers(-3, 5)
    sizes = st.integers(1, 5)
    return sizes.flatmap(lambda n: st.lists(st.lists(entries, min_size=n, max_size=n), min_size=n, max_size=n))


@given(small_matrices(), st.randoms(use_true_random=False))
def test_units_order_and_transposition_do_not_matter(rows, random):
    A = np.array(rows, dtype=float)
    n = len(A)
    expected = is_p_matrix(A)
    assert is_p_matrix(A.T) == expected
    order = random.sample(range(n), n)
    assert is_p_matrix(A[np.ix_(order, order)]) == expected
    left, right = ([2.0 ** random.randint(-500, 500) for _ in range(n)] for _ in range(2))  # 1e-150 to 1e150
    assert is_p_matrix(A * np.array(left)[:, None] * right) == expected


@given(st.integers(0, 10**6))
def test_decimal_units_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    n = 2 + seed % 5
    A = rng.standard_normal((n, n)) + np.diag(rng.uniform(0, 3, n))
    left, right = 10.0 ** rng.uniform(-150, 150, (2, n))
    assert is_p_matrix(A * left[:, None] * right) == is_p_matrix(A)


@given(st.integers(0, 10**6))
def test_principal_submatrices_inherit_and_integers_agree(seed):
    rng = np.random.default_rng(seed)
    n = 2 + seed % 6
    A = rng.standard_normal((n, n)) + np.diag(rng.uniform(0, 3, n))
    chosen = failing_minor(A, n)
    exactly = failing_minor(A, n, exact=True)
    assert (chosen is None) == (exactly is None)
    if chosen is None:
        assert all(is_p_matrix(np.delete(np.delete(A, i, 0), i, 1)) for i in range(n))
    else:
        assert NotPProof(A, chosen).holds()
        assert NotPProof(A, exactly).holds()


# ---- floats at the end of their range --------------------------------------------------------------------------------

HUGE, TINY = 1e308, 5e-324


@pytest.mark.parametrize(
    ("A", "expected"),
    [
        (np.zeros((3, 3)), False),
        (np.ones((6, 6)), False),
        ([[-0.0]], False),
        ([[TINY]], True),
        (np.diag([TINY, HUGE, 1.0]), True),
        ([[1e-200, 1], [-1, 1e-200]], True),
        ([[1e-200, 1], [1, 1e-200]], False),
        ([[1e-200, 1e-200], [1e-200, 1e-200]], False),
        ([[1e-200, 1e-201], [1e-201, 1e-200]], True),
        ([[HUGE, HUGE], [HUGE, HUGE]], False),
        ([[HUGE, HUGE], [-HUGE, HUGE]], True),
        ([[HUGE, TINY], [HUGE, TINY]], False),
        ([[HUGE, 0.5 * HUGE], [HUGE, HUGE]], True),
        ([[HUGE, TINY], [HUGE, 2 * TINY]], True),
        ([[TINY, HUGE], [-TINY, TINY]], True),
        ([[TINY, HUGE, 0], [0, TINY, HUGE], [HUGE, 0, TINY]], True),  # the determinant is HUGE^3
        ([[TINY, HUGE, 0], [0, TINY, HUGE], [-HUGE, 0, TINY]], False),
        ([[1, 1e300, 1e300], [-1e300, 1, 1e300], [-1e300, -1e300, 1]], True),
        ([[1, 1e300, 1e300], [-1e300, 1, 1e300], [-1e300, 1e300, 1]], False),
    ],
)
def test_extreme_entries(A, expected):
    assert is_p_matrix(A) == expected
    assert (min(exact_minors(np.array(A))) > 0) == expected


def test_what_counts_as_a_matrix():
    assert is_p_matrix([])
    assert is_p_matrix(np.zeros((0, 0)))
    assert is_p_matrix([[2, 1], [1, 2]])
    A = np.array([[1.0, 4.0], [0.2, 1.0]])
    A.flags.writeable = False
    assert is_p_matrix(A)
    assert is_p_matrix(A.T)
    assert A.tolist() == [[1.0, 4.0], [0.2, 1.0]]


@pytest.mark.parametrize(
    ("A", "sentence"),
    [
        (np.ones((2, 3)), r"A must be a square matrix, not an array of shape \(2, 3\)"),
        (1.0, r"A must be a square matrix, not an array of shape \(\)"),
        ([[1], [1, 2]], "A must be a square matrix, not a ragged sequence"),
        ([[1, np.nan], [0, 1]], "A must hold finite numbers only"),
        ([[np.inf]], "A must hold finite numbers only"),
        ([["a"]], "A must hold real numbers"),
        ([[1j]], "A must hold real numbers"),
    ],
)
def test_bad_matrices(A, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        is_p_matrix(A)


# ---- budget and speed ------------------------------------------------------------------------------------------------


def test_the_budget_is_named():
    A = turning(LARGEST + 1, 1)
    with pytest.raises(BudgetError, match=r"21 rows of A depend on each other.*largest = 20 rows. Give a larger one"):
        is_p_matrix(A)
    assert is_p_matrix(A, largest=21)
    with pytest.raises(BudgetError, match="largest = 3 rows"):
        is_p_matrix(turning(4, 1), largest=3)
    A[7, 7] = 0.0
    assert not is_p_matrix(A)


def test_only_rows_that_depend_on_each_other_count():
    """Sixty rows in five blocks, which depend on each other in one direction only, and shuffled."""
    rng = np.random.default_rng(6)
    A = np.zeros((60, 60))
    for k in range(0, 60, 12):
        A[k : k + 12, k : k + 12] = turning(12, k)
        A[k : k + 12, k + 12 :] = rng.standard_normal((12, 48 - k))
    order = rng.permutation(60)
    shuffled = A[np.ix_(order, order)]
    assert is_p_matrix(shuffled)
    assert PMatrixProof(shuffled).holds()
    A[12:24, 12:24] = np.kron([[1, 2], [2, 1]], np.eye(6))
    chosen = failing_minor(A[np.ix_(order, order)], LARGEST)
    assert sorted(order[list(chosen)] // 12) == [1, 1]


def test_fifteen_rows_within_ten_milliseconds():
    A = turning(15, 2)
    assert np.linalg.eigvalsh(A + A.T)[0] < 0  # so that no short cut applies
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        assert is_p_matrix(A)
        best = min(best, time.perf_counter() - start)
    assert best < 0.01


def test_the_bounds_hold_and_are_worth_having():
    """Every entry of the triangular factor is within its bound, however small pivots are, and for others that is narrow."""
    for seed in range(40):
        n, diagonal = 8, 10.0 ** -(seed % 4)
        A = turning(n, seed, diagonal)
        Q, E = with_bounds(A, 0.0, 1)
        _, reached = leading_minors(Q, E)
        M = fractions(A)
        for k in range(min(reached + 1, n)):
            for j in range(k, n):
                error = abs(Fraction(Q[0, k, j]) - M[k][j])
                assert error <= Fraction(E[0, k, j])
            for i in range(k + 1, n):
                M[i] = [x - M[i][k] / M[k][k] * y for x, y in zip(M[i], M[k], strict=True)]
        if diagonal == 1.0:
            assert reached == n
            assert (E[0].diagonal() <= 1e-11 * Q[0].diagonal()).all()


def test_the_bounds_cover_errors_of_the_entries():
    """Of two rows, at all corners of the box of what the entries may be; the worst of them comes close to the bound."""
    rng = np.random.default_rng(10)
    for _ in range(20):
        A = rng.uniform(0.5, 2, (2, 2)) * rng.choice((-1, 1), (2, 2))
        A[0, 0] = abs(A[0, 0])
        error = rng.uniform(0, 1e-3, (2, 2))
        Q, E = with_bounds(A, error, 1)
        leading_minors(Q, E)
        corners = (fractions(A + error * np.reshape(signs, (2, 2))) for signs in product((-1, 1), repeat=4))
        worst = max(abs(C[1][1] - C[1][0] * C[0][1] / C[0][0] - Fraction(Q[0, 1, 1])) for C in corners)
        assert worst <= Fraction(E[0, 1, 1]) <= Fraction(1.01) * worst


def test_each_kernel_has_one_signature():
    is_p_matrix(turning(3, 0))
    assert len(leading_minors.signatures) == len(principal_minors.signatures) == 1


def test_schur_complements_along_a_path_are_those_of_each_set():
    A = np.random.default_rng(8).integers(-9, 10, (7, 7)) + 0.0
    path = Path(A)
    rows = primitive(A)
    for chosen in [[], [0], [0, 2], [0, 2, 3], [0, 2, 5], [1], [1, 4, 5], [1, 4], [1, 4, 5], []]:
        left = path.beyond(chosen)
        first = chosen[-1] + 1 if chosen else 0
        for k in range(first, 7):
            assert left[k - first][k - first] == minor(rows, [*chosen, k])


# ---- proofs ----------------------------------------------------------------------------------------------------------


def test_proofs_hold():
    A = turning(12, 3)
    start = time.perf_counter()
    assert PMatrixProof(A).holds()
    assert time.perf_counter() - start < 1.0
    assert PMatrixProof(A).answer is Answer.UNIQUE
    assert PMatrixProof(A, Answer.YES).holds()
    assert "one solution whatever b is" in PMatrixProof(A).sentence
    symmetric = A @ A.T
    assert DefiniteProof(symmetric).holds()
    assert DefiniteProof(symmetric, Answer.YES).answer is Answer.YES
    assert PMatrixProof(np.zeros((0, 0))).holds()
    wrong = NotPProof(np.array([[1.0, 0, 2], [0, 1, 0], [2, 0, 1]]), (0, 2))
    assert wrong.holds()
    assert wrong.answer is Answer.NO
    assert "rows 0 and 2" in wrong.sentence
    assert "row 1 is" in NotPProof(np.zeros((2, 2)), (1,)).sentence


def test_every_failing_minor_is_proved():
    rng = np.random.default_rng(9)
    for k in range(60):
        n = 2 + k % 7
        A = rng.standard_normal((n, n)) + np.eye(n)
        chosen = failing_minor(A, n)
        if chosen is None:
            assert PMatrixProof(A).holds()
        else:
            assert NotPProof(A, chosen).holds()
            assert not PMatrixProof(A).holds()


def test_a_definite_matrix_needs_more_than_positive_minors():
    A = np.array([[1.0, 3.0], [-0.5, 1.0]])
    assert PMatrixProof(A).holds()
    assert not DefiniteProof(A).holds()
    assert not DefiniteProof(np.ones((2, 2))).holds()


@pytest.mark.parametrize("kind", [PMatrixProof, DefiniteProof])
def test_altered_matrices_are_noticed(kind):
    proof = kind(cyclic(9, BELOW) if kind is PMatrixProof else 2 * np.eye(9) + 0.1)
    assert proof.holds()
    for i in range(9):
        A = proof.A.copy()
        A[i, i] = 0.0
        assert not replace(proof, A=A).holds()
    for A in (-proof.A, proof.A * np.nan, proof.A[:5], proof.A[0], cyclic(8, ABOVE)):
        assert not replace(proof, A=A).holds()
    assert not replace(proof, answer=Answer.NO).holds()
    assert not replace(proof, answer=Answer.UNDECIDED).holds()


def test_a_rounding_in_one_entry_is_noticed():
    proof = PMatrixProof(cyclic(10, -BELOW))
    assert proof.holds()
    A = proof.A.copy()
    A[A < 0] = -1.0
    assert not replace(proof, A=A).holds()


@pytest.mark.parametrize("chosen", [(), (0,), (0, 1), (0, 0), (2, 0, 2), (0, 3), (-1, 0), (1, 2)])
def test_wrong_rows_are_rejected(chosen):
    A = np.array([[1.0, 0, 2], [0, 1, 0], [2, 0, 1]])
    assert NotPProof(A, (2, 0)).holds()
    assert NotPProof(A, (0, 1, 2)).holds()
    assert not NotPProof(A, chosen).holds()
    assert not NotPProof(np.eye(3), (0, 2)).holds()
    assert not NotPProof(np.full((3, 3), np.nan), (0, 2)).holds()
