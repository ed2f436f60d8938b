"""What certificates say of contacts in space that stick or begin to slide, where the circle of friction is no polygon."""

from dataclasses import replace
from math import cos, pi, sin

import numpy as np
import pytest

from random_cones import point_rows
from random_contacts_in_space import random_problem
from stickslip.complementarity import Answer, ContactProblem, Status
from stickslip.complementarity.contact_proofs import IndependenceProof
from stickslip.complementarity.facets import regular, sectors
from stickslip.complementarity.narrowing import NarrowingProof

G = 9.81


def cart(push, *, friction=0.5, static=None) -> ContactProblem:
    """2 kg on a floor under a push (2,)."""
    return ContactProblem(
        mass=2.0 * np.eye(3),
        bias=[-push[0], -push[1], 2.0 * G],
        jacobian=np.eye(3)[[2, 0, 1]],
        friction=[friction],
        static_friction=None if static is None else [static],
    )


def box_on_slope(angle: float, turn: float, friction: float) -> ContactProblem:
    """A cube of 2 kg on its corners, at rest on a slope."""
    feet = 0.2 * np.array([(1, 1, -1), (-1, 1, -1), (-1, -1, -1), (1, -1, -1)])
    axes = np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    weight = 2.0 * G * np.array([sin(angle) * cos(turn), sin(angle) * sin(turn), -cos(angle)])
    return ContactProblem(
        mass=np.diag([2.0, 2.0, 2.0, 0.05, 0.05, 0.05]),
        bias=[*-weight, 0.0, 0.0, 0.0],
        jacobian=np.vstack([point_rows(axes, foot) for foot in feet]),
        friction=[friction] * 4,
    )


def answers(problem: ContactProblem):
    certificate = problem.solve().certificate
    assert certificate.verify()
    return certificate.existence, certificate.motion, certificate.force


YES, UNIQUE, AMBIGUOUS, NO, NONE = Answer.YES, Answer.UNIQUE, Answer.AMBIGUOUS, Answer.NO, Answer.NONE


# ---- what slips ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heading", [0.0, 0.7, 2.0, -1.1, pi])
def test_what_begins_to_slide_can_slide_in_one_way_only(heading):
    """Even barely: with a push that exceeds friction by 1 %."""
    for excess in (1.01, 1.5, 20.0):
        problem = cart(excess * 0.5 * 2.0 * G * np.array([cos(heading), sin(heading)]))
        assert problem.solve().word == "D"
        assert answers(problem) == (YES, UNIQUE, UNIQUE)


def test_a_body_that_begins_to_slide_and_to_turn_can_do_so_in_one_way_only():
    axes = np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    problem = ContactProblem(
        mass=np.diag([2.0, 2.0, 2.0, 0.1, 0.2, 0.3]),
        bias=[-14.0, -3.0, 2.0 * G, 0.0, 0.0, 0.5],
        jacobian=np.vstack([point_rows(axes, foot) for foot in [(0.5, 0, 0), (-0.3, 0.4, 0), (-0.3, -0.4, 0)]]),
        friction=[0.3, 0.5, 0.4],
    )
    assert problem.solve().word == "DDD"
    certificate = problem.solve().certificate
    assert (certificate.motion, certificate.force) == (UNIQUE, UNIQUE)
    assert certificate.verify()
    assert isinstance(certificate.proofs["motion"], NarrowingProof)
    assert "narrowed down" in str(certificate)


def test_static_friction_leaves_the_motion_open():
    """Between both coefficients what is at rest may stay there, or go; both solutions are shown."""
    problem = cart([0.5 * 2.0 * G, 0.0], friction=0.4, static=0.6)
    assert [solution.word for solution in problem.solutions()] == ["F", "D"]
    assert answers(problem) == (YES, AMBIGUOUS, AMBIGUOUS)
    assert answers(cart([0.3 * 2.0 * G, 0.0], friction=0.4, static=0.6)) == (YES, UNIQUE, UNIQUE)
    assert answers(cart([0.7 * 2.0 * G, 0.0], friction=0.4, static=0.6)) == (YES, UNIQUE, UNIQUE)


def test_what_comes_apart_bears_nothing_and_leaves_the_forces_of_the_others_determined():
    """A cart in a corner, pulled off the wall: six rows for three coordinates."""
    J = np.eye(3)[[2, 0, 1, 0, 1, 2]]
    problem = ContactProblem(mass=2.0 * np.eye(3), bias=[-20.0, 3.0, 2.0 * G], jacobian=J, friction=[0.5, 0.5])
    assert problem.solve().word == "DS"
    assert answers(problem) == (YES, UNIQUE, UNIQUE)
    stuck = ContactProblem(mass=2.0 * np.eye(3), bias=[3.0, 0.0, 2.0 * G], jacobian=J, friction=[0.5, 0.5])
    assert stuck.solve().word == "FF"
    assert answers(stuck) == (YES, UNIQUE, AMBIGUOUS)


def test_one_motion_is_never_certified_where_there_are_several():
    """Against all solutions that are found; at random there are some of both kinds."""
    seen = set()
    for seed in range(30):
        problem, _ = random_problem(np.random.default_rng(10**4 + seed), static=1.0 + seed % 2)
        solution = problem.solve()
        if not solution:
            continue
        certificate = solution.certificate
        motions = [other.acceleration for other in problem.solutions() if other]
        several = any(np.abs(a - motions[0]).max() > 1e-6 * (1.0 + np.abs(a).max()) for a in motions)
        assert certificate.motion is not (UNIQUE if several else AMBIGUOUS), f"seed {seed}"
        seen.add(certificate.motion)
    assert {UNIQUE, AMBIGUOUS} <= seen


@pytest.mark.parametrize("seed", [1125, 2238])
def test_no_solution_is_proved_where_it_takes_fine_polygons(seed):
    problem, _ = random_problem(np.random.default_rng(seed))
    assert problem.solve().status is Status.NO_SOLUTION
    assert answers(problem) == (NO, NONE, NONE)
    assert problem.solutions() == []


# ---- what sticks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("angle", "turn"), [(0.4, 0.0), (0.4, 0.3)])
def test_a_box_that_its_friction_holds_on_a_slope_stays_there(angle, turn):
    """Four corners, 0.8 to 0.85 of the friction used up; only polygons of more than eight sides tell."""
    problem = box_on_slope(angle, turn, 0.5)
    assert problem.solve().word == "FFFF"
    assert answers(problem) == (YES, UNIQUE, AMBIGUOUS)


# ---- sectors, and what was altered ---------------------------------------------------------------------------------


def test_sectors_leave_nothing_out():
    for parts in (regular(5), sectors([0.3, 1.0, 2.9, 4.1, 5.0], whole_turn=True)):
        for one, other in zip(parts, [*parts[1:], parts[0]], strict=True):
            assert one.last == other.first
        for part in parts:
            for first, last in ((part.first, part.middle), (part.middle, part.last)):
                assert first[0] * last[1] - first[1] * last[0] > 0.0
                assert np.dot(first, last) > part.inner


def narrowing() -> tuple[ContactProblem, NarrowingProof]:
    problem = cart([12.0, 5.0])
    proof = problem.solve().certificate.proofs["motion"]
    assert isinstance(proof, NarrowingProof)
    assert proof.holds()
    return problem, proof


def test_altered_proofs_of_slip_are_rejected():
    _, proof = narrowing()
    for k, step in enumerate(proof.steps):
        before, after = proof.steps[:k], proof.steps[k + 1 :]
        for wrong in (
            step._replace(exclusions=step.exclusions[1:]),
            step._replace(leaves=()),
            step._replace(exclusions=tuple(replace(e, multipliers=0 * e.multipliers) for e in step.exclusions)),
        ):
            if wrong.exclusions != step.exclusions or not wrong.leaves:
                assert not replace(proof, steps=(*before, wrong, *after)).holds(), f"step {k}"
    assert not replace(proof, steps=()).holds()
    assert not replace(proof, steps=proof.steps[:-1]).holds()
    assert not replace(proof, steps=proof.steps[1:]).holds()
    assert not replace(proof, centre=proof.centre + 1e-6).holds()
    assert not replace(proof, angles={0: proof.angles[0] + 0.1}).holds()
    assert not replace(proof, problem=cart([12.0, 5.1])).holds()


def test_independence_needs_the_motion_that_it_speaks_of():
    problem, proof = narrowing()
    force = problem.solve().certificate.proofs["force"]
    assert isinstance(force, IndependenceProof)
    assert force.holds()
    assert not replace(force, motion=replace(proof, centre=proof.centre + 1e-6)).holds()
    assert force.existence is not None
    moved = replace(force.existence, point=force.existence.point + 1e-3)
    assert not replace(force, existence=moved).holds()
