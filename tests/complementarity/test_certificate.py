"""Certificates replay exactly, say what is true, and are rejected once anything in them is altered."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.certificate import Certificate, judge
from stickslip.complementarity.exploration import Exclusion, explore
from stickslip.complementarity.proof import LARGEST, EnumerationProof, ExclusionProof, PointProof, TwoPointsProof
from stickslip.complementarity.system import of_complementarity


def certificate(A, b, **options):
    system = of_complementarity(np.array(A, dtype=float), np.array(b, dtype=float))
    return judge(system, **options)


def answers(c: Certificate):
    return c.existence, c.motion, c.force


@pytest.mark.parametrize(
    ("A", "b", "expected"),
    [
        ([[2, 1], [1, 2]], [-5, -6], ("yes", "unique", "unique")),
        ([[1, -1], [-1, 1]], [-1, 1], ("yes", "unique", "ambiguous")),  # z1 - z2 = 1: a ray
        ([[-1]], [1], ("yes", "ambiguous", "ambiguous")),  # z = 0 or 1
        ([[-1]], [-1], ("no", "none", "none")),
        ([[0]], [0], ("yes", "unique", "ambiguous")),  # any z
        ([[0]], [1], ("yes", "unique", "unique")),
        ([[0]], [-1], ("no", "none", "none")),
        ([[0, 1], [1, 0]], [0, 0], ("yes", "ambiguous", "ambiguous")),  # two rays that meet
    ],
)
def test_small_problems(A, b, expected):
    c = certificate(A, b)
    assert answers(c) == expected
    assert c.verify()
    for name, answer in zip(("existence", "motion", "force"), expected, strict=True):
        assert f"{name}: {answer}" in str(c)


def test_a_search_that_was_cut_off_proves_existence_and_difference_only():
    X = np.random.default_rng(0).standard_normal((8, 8))
    c = certificate(X @ X.T, -np.ones(8), budget=20)
    assert answers(c) == ("yes", "undecided", "undecided")
    assert "budget" in str(c)
    assert c.verify()
    c = certificate(-np.eye(4), np.ones(4), budget=6)
    assert answers(c) == ("yes", "ambiguous", "ambiguous")
    assert c.verify()
    c = certificate(np.eye(3), np.ones(3), budget=0)
    assert answers(c) == ("undecided", "undecided", "undecided")


@given(st.integers(0, 10**6))
@example(759)
@example(1299)
def test_random_problems_are_decided_and_verified(seed):
    rng = np.random.default_rng(seed)
    n = 1 + seed % 5
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    if seed % 3 == 0:
        X = rng.standard_normal((n, max(1, n - 2)))
        A = X @ X.T  # singular: forces are often ambiguous, motion never
    c = certificate(A, b)
    assert c.verify()
    if seed % 3 == 0:
        assert c.motion != Answer.AMBIGUOUS
    if Answer.UNDECIDED in answers(c):  # only where solutions are larger than what the proofs speak of
        (leaf, *_) = explore(of_complementarity(A, b)).leaves
        assert np.abs(leaf.point / of_complementarity(A, b).scale).max() > LARGEST / 10


# ---- what was altered is rejected ------------------------------------------------------------------------------------

RNG = np.random.default_rng(3)
X = RNG.standard_normal((5, 5))
UNIQUE = X @ X.T, RNG.standard_normal(5)


def with_proof(c: Certificate, name: str, proof) -> Certificate:
    return replace(c, proofs={**c.proofs, name: proof})


def test_a_wrong_point_is_rejected():
    c = certificate(*UNIQUE)
    proof = c.proofs["existence"]
    for point in (proof.point + 1e-6, proof.point * np.nan, -proof.point):
        assert not with_proof(c, "existence", replace(proof, point=point)).verify()
    other = tuple(1 - taken for taken in proof.path)
    assert not with_proof(c, "existence", replace(proof, path=other)).verify()
    assert not with_proof(c, "existence", replace(proof, path=proof.path[:-1])).verify()


def test_exclusions_that_do_not_exclude_are_rejected():
    c = certificate(*UNIQUE)
    proof = c.proofs["motion"]
    assert isinstance(proof, EnumerationProof)
    for k, exclusion in enumerate(proof.exclusions):
        for wrong in (0 * exclusion.multipliers, exclusion.multipliers[::-1], exclusion.multipliers + 1.0):
            fake = Exclusion(exclusion.path, wrong)
            altered = replace(proof, exclusions=(*proof.exclusions[:k], fake, *proof.exclusions[k + 1 :]))
            if (wrong != exclusion.multipliers).any():
                assert not altered.holds() or np.array_equal(np.sign(wrong), np.sign(exclusion.multipliers))


def test_a_combination_that_is_left_out_is_noticed():
    proof = certificate(*UNIQUE).proofs["motion"]
    for k in range(len(proof.exclusions)):
        assert not replace(proof, exclusions=proof.exclusions[:k] + proof.exclusions[k + 1 :]).holds()
    assert not replace(proof, leaves=()).holds()


def test_a_wrong_centre_is_rejected():
    proof = certificate(*UNIQUE).proofs["motion"]
    assert not replace(proof, centre=proof.centre + 1e-4).holds()


def test_two_points_that_are_one_are_rejected():
    c = certificate([[-1]], [1])
    proof = c.proofs["motion"]
    assert isinstance(proof, TwoPointsProof)
    assert not with_proof(c, "motion", replace(proof, second=proof.first)).verify()


def test_no_solution_is_not_believed_of_a_problem_that_has_one():
    system = of_complementarity(*UNIQUE)
    found = explore(system)
    assert not ExclusionProof(system, found.exclusions).holds()
    everything = (*found.exclusions, Exclusion(found.leaves[0].path, np.ones(5)))
    assert not ExclusionProof(system, everything).holds()


def test_an_answer_needs_the_proof_of_that_answer():
    c = certificate(*UNIQUE)
    assert not with_proof(c, "motion", c.proofs["existence"]).verify()
    assert not with_proof(c, "existence", c.proofs["force"]).verify()
    assert isinstance(c.proofs["existence"], PointProof)


def test_data_that_were_altered_after_the_fact_are_noticed():
    """The proofs rest on the numbers of the problem: with others they do not hold."""
    proof = certificate(*UNIQUE).proofs["motion"]
    other = replace(proof.system, constant=proof.system.constant[::-1].copy())
    assert not replace(proof, system=other).holds()
