"""Classes of matrices: known examples and closed forms first, then searches and samples that know nothing of the criteria."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.copositive import SearchProof, SplitProof, search
from stickslip.complementarity.definite import DirectionProof, SemidefiniteProof, Shape
from stickslip.complementarity.exact import fractions
from stickslip.complementarity.exact_linear import inertia
from stickslip.complementarity.exploration import explore
from stickslip.complementarity.fraction_free import direction, form, integers, symmetric_part
from stickslip.complementarity.matrix_class import LABELS, MatrixClass, classify
from stickslip.complementarity.p_matrix import DefiniteProof, NotPProof, PMatrixProof
from stickslip.complementarity.q_matrix import FeasibleProof, InfeasibleProof, LonelyProof, game
from stickslip.complementarity.system import of_complementarity
from stickslip.mechanism.errors import ArgumentError

HORN = np.array([[1, -1, 1, 1, -1], [-1, 1, -1, 1, 1], [1, -1, 1, -1, 1], [1, 1, -1, 1, -1], [-1, 1, 1, -1, 1]]) * 1.0


def answers(c: MatrixClass):
    return tuple(getattr(c, name).value for name in LABELS)


# ---- examples --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("A", "expected"),  # P, definite, semidefinite, copositive, Q
    [
        (np.zeros((0, 0)), ("yes", "yes", "yes", "yes", "yes")),
        ([[2, 1], [1, 2]], ("yes", "yes", "yes", "yes", "yes")),
        ([[1, 3], [-0.5, 1]], ("yes", "no", "no", "yes", "yes")),
        ([[1, -3], [0, 1]], ("yes", "no", "no", "no", "yes")),
        ([[1, 2], [2, 1]], ("no", "no", "no", "yes", "yes")),  # not negative, with a positive diagonal
        ([[1, 1], [1, 1]], ("no", "no", "yes", "yes", "yes")),
        ([[1, -1], [-1, 1]], ("no", "no", "yes", "yes", "no")),
        ([[0, 1], [-1, 0]], ("no", "no", "yes", "yes", "no")),
        ([[0, -1], [1, 1]], ("no", "no", "yes", "yes", "no")),
        ([[0, 1], [1, 0]], ("no", "no", "no", "yes", "no")),
        ([[0, 2], [1, 1]], ("no", "no", "no", "yes", "no")),
        (np.zeros((2, 2)), ("no", "no", "yes", "yes", "no")),
        (-np.eye(3), ("no", "no", "no", "no", "no")),
        ([[1, -2], [-2, 1]], ("no", "no", "no", "no", "no")),
        ([[-1, 2], [2, -1]], ("no", "no", "no", "no", "undecided")),
        (HORN, ("no", "no", "no", "yes", "undecided")),
        (HORN + 0.01 * np.eye(5), ("no", "no", "no", "yes", "yes")),
        (HORN - 0.01 * np.eye(5), ("no", "no", "no", "no", "undecided")),
    ],
)
def test_examples(A, expected):
    c = classify(A)
    assert answers(c) == expected
    assert c.verify()
    for label, answer in zip(LABELS.values(), expected, strict=True):
        assert f"{label}: {answer}; " in str(c)
    assert len(str(c).splitlines()) == len(LABELS)


def test_horns_matrix_is_copositive_to_the_last_digit():
    """It is copositive although no part of it explains that, and zero inside a face of three rows of the simplex."""
    c = classify(HORN)
    assert isinstance(c.proofs["copositive"], SearchProof)
    assert not c.proofs["copositive"].strict
    found = search(symmetric_part(HORN), 5)
    assert found.negative is None
    assert form(symmetric_part(HORN), found.zero) == 0
    for i, j in combinations(range(5), 2):
        A = HORN.copy()
        A[i, j] = np.nextafter(A[i, j], -2)
        assert classify(A).copositive is Answer.NO
    units = 2.0 ** np.random.default_rng(0).integers(-100, 100, 5)
    assert classify(HORN * units * units[:, None]).copositive is Answer.YES


# ---- copositive: closed forms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "c"),
    [(4, -6, 9), (4, -6, np.nextafter(9, 8)), (0, 0, 1), (0, -5e-324, 1), (1, 5, 0), (-1e-300, 9, 9), (0.1, -0.1, 0.1)]
    + [(1e-200, -1, 1e200), (1e-200, -1, 1.1e200), (1 / 49, -1, 49), (0.1, -1, 10)],
)
def test_two_rows(a, b, c):
    """Copositive: a, c >= 0, and b >= 0 or b^2 <= a c."""
    expected = a >= 0 and c >= 0 and (b >= 0 or Fraction(b) ** 2 <= Fraction(a) * Fraction(c))
    found = classify([[a, b], [b, c]])
    assert found.copositive is (Answer.YES if expected else Answer.NO)
    assert found.verify()


def test_three_rows():
    """With ones on the diagonal: p, q, r >= -1 and p + q + r + 1 + sqrt(2 (1 + p) (1 + q) (1 + r)) >= 0."""
    rng = np.random.default_rng(1)
    found = [0, 0]
    for _ in range(400):
        p, q, r = rng.uniform(-1.2, 0.6, 3)
        expected = min(p, q, r) >= -1 and p + q + r + 1 + np.sqrt(2 * (1 + p) * (1 + q) * (1 + r)) >= 0
        units = rng.uniform(0.1, 10, 3)
        A = np.array([[1, p, q], [p, 1, r], [q, r, 1]]) * units * units[:, None]
        assert (search(symmetric_part(A), 3).negative is None) == expected
        assert classify(A).copositive is (Answer.YES if expected else Answer.NO)
        found[int(expected)] += 1
    assert min(found) > 100


def largest_clique(adjacent):
    n = len(adjacent)
    sizes = [len(s) for k in range(1, n + 1) for s in combinations(range(n), k) if adjacent[np.ix_(s, s)].sum() == k * (k - 1)]
    return max(sizes)


@pytest.mark.parametrize("seed", range(12))
def test_graphs(seed):
    """Motzkin and Straus: number (1 - A) - 1 is copositive from the size of the largest clique of the graph A on."""
    rng = np.random.default_rng(seed)
    n = 4 + seed % 5
    adjacent = np.triu(rng.uniform(size=(n, n)) < 0.6, 1)
    adjacent = (adjacent | adjacent.T).astype(float)
    clique = largest_clique(adjacent)
    below, at, above = (
        search(symmetric_part(number * (1 - adjacent) - 1), n) for number in (clique - 0.001, clique, clique + 0.001)
    )
    assert below.negative is not None
    assert at.negative is None
    assert at.zero is not None
    assert above == (None, None)
    S = symmetric_part(clique * (1 - adjacent) - 1)
    assert min(at.zero) >= 0
    assert form(S, at.zero) == 0


def test_zero_pivots():
    """x^T S x = 2 (x3 - x1) x2 is negative only where rows with zeros on the diagonal meet."""
    S = np.zeros((4, 4))
    S[1, 2] = S[2, 1] = -1
    assert classify(S).copositive is Answer.NO
    S[1, 1] = 5
    assert classify(S).copositive is Answer.NO
    S[2, 2] = 0.2
    assert classify(S).copositive is Answer.YES
    S[2, 2] = np.nextafter(0.2, 0)
    assert classify(S).copositive is Answer.NO


# ---- samples and other searches ----------------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
def test_samples_of_forms(seed):
    """No sample contradicts a yes, and every no comes with its vector."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 6
    A = rng.standard_normal((n, n)) + np.diag(rng.uniform(0, 4, n))
    if seed % 2:
        A = np.rint(A)
    c = classify(A)
    assert c.verify()
    x = rng.standard_normal((2000, n))
    anywhere = np.einsum("ki,ij,kj->k", x, A, x).min()
    above = np.einsum("ki,ij,kj->k", abs(x), A, abs(x)).min()
    for answer, least in ((c.positive_definite, anywhere), (c.positive_semidefinite, anywhere), (c.copositive, above)):
        assert answer in (Answer.YES, Answer.NO)
        if answer is Answer.YES:
            assert least >= -1e-12
    eigenvalue = np.linalg.eigvalsh(A + A.T)[0]
    if abs(eigenvalue) > 1e-9:
        assert c.positive_definite is (Answer.YES if eigenvalue > 0 else Answer.NO)
    order = [Answer.YES, Answer.NO]
    assert order.index(c.positive_definite) >= order.index(c.positive_semidefinite) >= order.index(c.copositive)
    assert c.positive_definite is not Answer.YES or c.p is Answer.YES
    assert c.p is not Answer.YES or c.q is Answer.YES


@given(st.integers(0, 10**6))
def test_definiteness_of_singular_matrices(seed):
    """Against the pivots over fractions, for integers of every rank."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 5
    X = rng.integers(-2, 3, (n, n)) * (rng.uniform(size=n) < 0.7)
    A = X @ X.T - rng.integers(0, 2) * np.diag(rng.integers(0, 2, n)) + (K := rng.integers(-3, 4, (n, n))) - K.T
    S = fractions(A + A.T)
    definite, semidefinite = inertia(S)
    c = classify(A)
    assert (c.positive_definite is Answer.YES, c.positive_semidefinite is Answer.YES) == (definite, semidefinite)
    assert c.verify()
    for flat in (True, False):
        x = direction(symmetric_part(A), flat=flat)
        assert (x is None) == (definite if flat else semidefinite)
        if x is not None:
            assert any(x)
            assert form(symmetric_part(A), x) < (1 if flat else 0)


def has_solution(A, b):
    found = explore(of_complementarity(A, b), most=1)
    assert found.leaves or found.complete
    return bool(found.leaves)


@given(st.integers(0, 10**6))
def test_existence_against_enumeration(seed):
    """Of problems with small integers: a solution for every b that is tried where A is a Q-matrix, else none for its b."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 4
    A = rng.integers(-1, 4, (n, n)) + 0.0
    if seed % 3 == 0:
        X = rng.integers(-1, 2, (n, n))
        A = X @ X.T + (K := rng.integers(-2, 3, (n, n))) - K.T + 0.0
    c = classify(A)
    if c.q is Answer.YES:
        tried = [rng.integers(-5, 6, n) for _ in range(4)]
        assert all(has_solution(A, b + 0.0) for b in tried)
    elif c.q is Answer.NO:
        proof = c.proofs["q"]
        if isinstance(proof, InfeasibleProof):
            b = -np.sign(np.array(proof.y)) + 0.0
        else:
            b = np.ones(n)
            b[proof.row] = -1.0
        assert not has_solution(A, b)


@given(st.lists(st.lists(st.integers(-4, 4), min_size=5, max_size=5), min_size=5, max_size=5))
def test_games_show_what_they_say(rows):
    feasible, vector = game(rows)
    A, v = np.array(rows), np.array(vector)
    assert v.min() >= 0
    if feasible:
        assert (A @ v).min() > 0
    else:
        assert v.max() > 0
        assert (v @ A).max() <= 0


def test_games_with_a_known_value():
    """Matching pennies is fair, and raising all of its payments by anything decides it."""
    pennies = np.array([[1, -1], [-1, 1]])
    feasible, y = game(pennies.tolist())
    assert not feasible
    assert y[0] == y[1] > 0
    assert game((1000 * pennies + 1).tolist())[0]
    assert not game((1000 * pennies - 1).tolist())[0]
    cycle = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert not game(cycle.tolist())[0]
    cycle[0, 0] = 1
    assert game(cycle.tolist())[0]


# ---- budgets and bad input ---------------------------------------------------------------------------------------------


def mixed(n, seed=0):
    rng = np.random.default_rng(seed)
    K = rng.standard_normal((n, n))
    return (np.eye(n) + K - K.T) * np.exp(rng.uniform(-2, 2, n))[:, None]


def test_beyond_the_budgets_some_of_it_is_still_known():
    A = mixed(10)
    c = classify(A, largest=9)
    assert c.p is Answer.UNDECIDED
    assert "largest = 9 rows" in str(c)
    assert c.positive_definite is Answer.NO
    assert c.verify()
    assert classify(A).p is Answer.YES


def test_copositivity_beyond_the_budget():
    A = np.kron(np.eye(2), HORN) + 0.01 * np.eye(10)
    c = classify(A, largest_search=9)
    assert (c.copositive, c.q) == (Answer.UNDECIDED, Answer.UNDECIDED)
    assert "largest_search = 9; give a larger one" in str(c)
    assert "Q-matrix: undecided; unknown" in str(c)
    assert classify(A).copositive is Answer.YES
    assert classify(A).q is Answer.YES
    A[0, 9] = -5  # a pair of rows is enough
    assert classify(A, largest_search=9).copositive is Answer.NO


def test_large_matrices():
    c = classify(3 * np.eye(130) - np.eye(130, k=1) - np.eye(130, k=-1))
    assert (c.p, c.q) == (Answer.YES, Answer.YES)
    assert c.positive_definite is Answer.UNDECIDED
    assert "130 rows are more than the 100" in str(c)


@pytest.mark.parametrize(("A", "sentence"), [([[1, 2]], "square"), ([[np.nan]], "finite"), ([["x"]], "real numbers")])
def test_bad_matrices(A, sentence):
    with pytest.raises(ArgumentError, match=f"A must .*{sentence}"):
        classify(A)


def test_what_is_given_may_change_afterwards():
    A = np.eye(2)
    c = classify(A)
    A[:] = 0
    assert c.verify()
    with pytest.raises(ValueError, match="read-only"):
        c.A[0, 0] = 5


# ---- what was altered is rejected --------------------------------------------------------------------------------------


def altered(c: MatrixClass, name: str, proof):
    return replace(c, proofs={**c.proofs, name: proof})


def test_proofs_of_another_matrix_are_rejected():
    c = classify(np.eye(3))
    other = classify(2 * np.eye(3))
    for name in LABELS:
        assert other.proofs[name].holds()
        assert not altered(c, name, other.proofs[name]).verify()
    assert not replace(c, A=other.A).verify()


def test_proofs_of_another_question_are_rejected():
    A = np.array([[1.0, 3.0], [-0.5, 1.0]])  # a P-matrix, copositive, not definite
    c = classify(A)
    for name in ("positive_definite", "positive_semidefinite", "copositive"):
        assert not altered(c, name, PMatrixProof(c.A, Answer.YES)).verify()
    assert not altered(c, "p", c.proofs["copositive"]).verify()
    assert not altered(c, "positive_definite", c.proofs["positive_semidefinite"]).verify()
    assert not altered(c, "p", PMatrixProof(c.A, Answer.NO)).verify()
    assert altered(c, "p", PMatrixProof(c.A, Answer.YES)).verify()
    assert not altered(c, "p", NotPProof(c.A, (0,))).verify()
    assert not altered(c, "anything", c.proofs["p"]).verify()


def test_copositive_is_not_strictly_copositive():
    """Only strictly copositive matrices have solutions for every b: [[0]] is copositive."""
    for A in (np.zeros((1, 1)), np.array([[0.0, 1.0], [1.0, 0.0]]), HORN):
        c = classify(A)
        assert not altered(c, "q", SplitProof(c.A, strict=False)).verify()
        assert not altered(c, "q", SearchProof(c.A, strict=False)).verify()
        assert not SplitProof(A, strict=True).holds()
        assert not SearchProof(A, strict=True).holds()
        assert SearchProof(A, strict=False).holds()
    strictly = classify(HORN + np.eye(5))
    assert altered(strictly, "q", SearchProof(strictly.A, strict=True)).verify()


def test_vectors_that_show_nothing_are_rejected():
    indefinite = np.array([[1.0, -3.0], [0.0, 1.0]])
    assert DirectionProof(indefinite, (1, 1), Shape.COPOSITIVE).holds()
    for x in ((-1, -1), (1, -1), (0, 0), (1, 0), (1,), (1, 1, 1)):
        assert not DirectionProof(indefinite, x, Shape.COPOSITIVE).holds()
    assert DirectionProof(indefinite, (-1, -1), Shape.SEMIDEFINITE).holds()
    singular = np.ones((2, 2))
    assert DirectionProof(singular, (1, -1), Shape.DEFINITE).holds()
    assert not DirectionProof(singular, (1, -1), Shape.SEMIDEFINITE).holds()
    assert not DirectionProof(singular, (0, 0), Shape.DEFINITE).holds()
    assert not DirectionProof(indefinite * np.nan, (1, 1), Shape.DEFINITE).holds()


def test_semidefinite_matrices_that_are_not_are_rejected():
    A = np.ones((3, 3))
    assert SemidefiniteProof(A).holds()
    A[2, 2] = np.nextafter(1, 0)
    assert not SemidefiniteProof(A).holds()
    assert not SemidefiniteProof(A[:2]).holds()
    assert not DefiniteProof(np.ones((3, 3))).holds()
    assert not SplitProof(HORN, strict=False).holds()
    assert not SearchProof(HORN - 1e-3, strict=False).holds()
    assert not SearchProof(HORN * np.nan, strict=False).holds()


def test_wrong_evidence_of_existence_is_rejected():
    A = np.array([[0.0, 2.0], [1.0, 1.0]])
    assert LonelyProof(A, 0).holds()
    for row in (1, 2, -1):
        assert not LonelyProof(A, row).holds()
    assert not LonelyProof(np.array([[0.0, 2.0], [-1.0, 1.0]]), 0).holds()
    fair = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert InfeasibleProof(fair, (1, 1)).holds()
    for y in ((1, 0), (0, 0), (-1, -1), (1,), (1, 1, 1)):
        assert not InfeasibleProof(fair, y).holds()
    ones = np.ones((2, 2))
    assert FeasibleProof(ones, (1, 0)).holds()
    for x in ((0, 0), (2, -1), (1,)):
        assert not FeasibleProof(ones, x).holds()
    assert not FeasibleProof(np.array([[-1.0, 2.0], [2.0, -1.0]]), (1, 1)).holds()


def test_integers_are_the_matrix_in_other_units():
    A = np.array([[0.75, -1.5], [3.0, 0.0]])
    assert integers(A) == [[1, -2], [4, 0]]
    assert symmetric_part(A) == [[2, 2], [2, 0]]
