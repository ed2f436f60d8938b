"""What is proved of linear complementarity problems: exactly replayed, and rejected once anything is altered."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contact_lcps import contact_lcp
from stickslip import lcp
from stickslip.complementarity.answer import Answer
from stickslip.complementarity.lcp_certificate import BasisProof


def answers(c):
    return c.existence, c.motion, c.force


@pytest.mark.parametrize(
    ("A", "b", "expected"),
    [
        ([[2, 1], [1, 2]], [-5, -6], ("yes", "unique", "unique")),
        ([[1, -1], [-1, 1]], [-1, 1], ("yes", "unique", "ambiguous")),
        ([[-1]], [1], ("yes", "ambiguous", "ambiguous")),
        ([[-1]], [-1], ("no", "none", "none")),
        ([[0]], [0], ("yes", "unique", "ambiguous")),
        ([[1, 5], [0, 1]], [-1, -1], ("yes", "unique", "unique")),  # a P-matrix that is not definite
    ],
)
def test_small_problems(A, b, expected):
    certificate = lcp.solve(A, b).certificate
    assert answers(certificate) == expected
    assert certificate.verify()


def test_a_matrix_that_decides_needs_no_search():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 40))
    solution = lcp.solve(X @ X.T + 0.1 * np.eye(40), rng.standard_normal(40))
    assert "x^T A x is positive" in solution.certificate.proofs["motion"].sentence
    assert solution.certificate.verify()
    minors = lcp.solve([[1, 5], [0, 1]], [-1, -1]).certificate.proofs["force"]
    assert "minor" in minors.sentence


def test_existence_rests_on_a_basis_that_is_solved_exactly():
    solution = lcp.solve([[2, 1], [1, 2]], [-5, -6])
    proof = solution.certificate.proofs["existence"]
    assert isinstance(proof, BasisProof)
    assert proof.active == (0, 1)
    for active in ((0,), (1,), (), (0, 0), (0, 5)):
        assert not replace(proof, active=active).holds()
    assert not replace(proof, b=-proof.b).holds()
    assert not replace(proof, A=-proof.A).holds()
    assert not replace(proof, A=np.ones((2, 2))).holds()


def test_altered_problems_are_rejected():
    rng = np.random.default_rng(1)
    for _ in range(20):
        n = int(rng.integers(2, 6))
        A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
        solution = lcp.solve(A, b)
        certificate = solution.certificate
        assert certificate.verify()
        for name, proof in certificate.proofs.items():
            other = replace(certificate, proofs={**certificate.proofs, name: _altered(proof)})
            assert not other.verify()


def _altered(proof):
    """The same claim about another problem, or the opposite claim about the same."""
    if hasattr(proof, "active"):
        return replace(proof, A=0 * proof.A, b=-np.abs(proof.b) - 1.0)
    if hasattr(proof, "A"):
        return replace(proof, A=-proof.A)
    if hasattr(proof, "first"):
        return replace(proof, second=proof.first)
    if hasattr(proof, "point"):
        return replace(proof, point=proof.point + 1e-3)
    return replace(proof, exclusions=proof.exclusions[1:])


@given(st.integers(0, 10**6))
def test_certificates_agree_with_all_solutions(seed):
    rng = np.random.default_rng(seed)
    n = 1 + seed % 5
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    if seed % 3 == 0:
        A, b = rng.integers(-1, 2, (n, n)).astype(float), rng.integers(-1, 2, n).astype(float)
    certificate = lcp.solve(A, b).certificate
    everything = lcp.solutions(A, b)
    assert certificate.verify()
    if certificate.existence is not Answer.UNDECIDED:
        assert (certificate.existence is Answer.YES) == bool(everything)
    several = len(everything) > 1 or any(solution.dimension for solution in everything)
    if certificate.force is Answer.UNIQUE:
        assert not several
    if certificate.force is Answer.AMBIGUOUS:
        assert several


@pytest.mark.parametrize("contacts", [1, 2])
def test_contact_problems_of_paper_2_are_certified(contacts):
    rng = np.random.default_rng(contacts)
    for _ in range(10):
        certificate = lcp.solve(*contact_lcp(rng, contacts)).certificate
        assert certificate.existence is Answer.YES
        assert certificate.verify()


@given(st.integers(0, 10**6))
def test_theorem_1_of_paper_1_by_enumeration(seed):
    """One solution for every b if and only if A is a P-matrix; otherwise some b has none or several."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 4
    A = rng.integers(-3, 4, (n, n)).astype(float) + rng.choice([0.0, 2.0]) * np.eye(n)
    if lcp.is_p_matrix(A):
        for _ in range(10):
            assert len(lcp.solutions(A, rng.integers(-5, 6, n).astype(float))) == 1
        return
    for b in _where_a_minor_fails(A):
        found = lcp.solutions(A, b)
        if len(found) != 1 or found[0].dimension:
            return
    raise AssertionError("a matrix with a minor that is not positive has one solution for every b that was tried")


def _where_a_minor_fails(A):
    """Right-hand sides with two solutions, from vectors whose signs A reverses, and others.

    A reverses the sign of x if x_i (A x)_i <= 0 for all i, and there is such an x unless A is a P-matrix. Then one b has the
    solutions z = x+ and z = x-, with w = (A x)- and (A x)+.
    """
    n = len(A)
    rng = np.random.default_rng(0)
    for signs in np.ndindex(*(2,) * n):
        for chosen in np.ndindex(*(2,) * n):
            a = np.flatnonzero(chosen)
            if not len(a):
                continue
            values, vectors = np.linalg.eig(A[np.ix_(a, a)] * (2 * np.array(signs)[a] - 1))
            for value, vector in zip(values, vectors.T, strict=True):
                if abs(value.imag) < 1e-9 and abs(vector.imag).max() < 1e-9:
                    x = np.zeros(n)
                    x[a] = vector.real
                    yield np.maximum(A @ x, 0.0) - A @ np.maximum(x, 0.0)
    for _ in range(200):
        yield rng.standard_normal(n)
        yield rng.integers(-2, 3, n).astype(float)
