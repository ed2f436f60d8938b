"""Contact problems in space: bodies that begin to slide, by closed forms and by Coulomb's law written down apart."""

from math import cos, sin

import numpy as np
import pytest

from coulomb_law import assert_lawful
from random_contacts_in_space import random_problem
from stickslip.complementarity import ContactProblem, Rows, Status

G = 9.81


@pytest.mark.parametrize("heading", [0.3, 1.2, 2.8, -0.7, -2.0])
@pytest.mark.parametrize(("along", "across"), [(2.0, 2.0), (2.0, 18.0), (1e-3, 5.0)])
def test_what_is_heavier_one_way_than_the_other_begins_to_slide_between_both(heading, along, across):
    """A gantry that bears 2 kg on a floor. A slip of size s that way takes a push of m_i s + mu N along each axis of it."""
    mu, s, weight = 0.5, 3.0, 2.0 * G
    way = np.array([cos(heading), sin(heading)])
    push = (np.array([along, across]) * s + mu * weight) * way
    problem = ContactProblem(
        mass=np.diag([along, across, 2.0]), bias=[*-push, weight], jacobian=np.eye(3)[[2, 0, 1]], friction=[mu]
    )
    solution = problem.solve()
    assert solution.word == "D"
    assert solution.acceleration == pytest.approx([*s * way, 0.0], rel=1e-9, abs=1e-9)
    assert solution.contact("contact 1").direction == pytest.approx(way, rel=1e-9, abs=1e-9)
    assert solution.force == pytest.approx([weight, *-mu * weight * way], rel=1e-9, abs=1e-9)
    assert [other.word for other in problem.solutions()] == ["D"]


@pytest.mark.parametrize("static", [1.0, 1.4])
def test_contacts_whose_tangents_give_way_differently_are_solved(static):
    """At random, with what is known to have a solution: all contacts at rest."""
    began = 0
    for seed in range(150):
        problem, cones = random_problem(np.random.default_rng(seed), static=static)
        solution = problem.solve()
        assert solution or problem.velocity.any(), f"seed {seed}: {solution.status.value}"
        if solution:
            began += "D" in solution.word
            assert_lawful(cones, solution.force, solution.contact_acceleration, 1e-8, f"seed {seed}")
    assert began > 75


def test_all_solutions_are_lawful():
    for seed in range(60):
        problem, cones = random_problem(np.random.default_rng(seed))
        for solution in problem.solutions():
            if solution:
                assert_lawful(cones, solution.force, solution.contact_acceleration, 1e-8, f"seed {seed}, word {solution.word}")


@pytest.mark.parametrize("planar", [True, False])
def test_a_contradiction_is_not_hidden_by_what_is_huge_elsewhere(planar):
    """A stop and a loop ask for opposite accelerations of one coordinate; in some units rounding leaves a tiny compliance."""
    rng = np.random.default_rng(0)
    rows = [[-1.0, 0.0], [-1.0, 1.0], [0.0, 0.0]][: 2 if planar else 3]
    for _ in range(200):
        ours, theirs, inertia = 10.0 ** rng.uniform(-3, 3, 3)
        problem = ContactProblem(
            mass=inertia * np.array([[2.0, -1.0], [-1.0, 1.0]]),
            bias=[0.0, inertia],
            jacobian=ours * np.array(rows),
            drift=ours * np.array([-1.0, -1.0, 0.0])[: len(rows)],
            velocity=np.array([0.0, -1.0, 0.0])[: len(rows)],
            friction=[0.25],
            bilateral=Rows(jacobian=[[-theirs, 0.0]], drift=[theirs]),
        )
        solution = problem.solve()
        assert solution.status is not Status.SOLVED
