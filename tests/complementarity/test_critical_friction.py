"""The friction at which uniqueness is lost, against closed forms, P-matrices and counted solutions."""

from itertools import product
from math import atan, cos, inf, sin

import numpy as np
import pytest

from stickslip.complementarity import ContactProblem, Rows, critical_friction
from stickslip.complementarity.budget import BudgetError
from stickslip.mechanism.errors import ArgumentError, SingularInertiaError


def rod(angle: float, *, slip: float = -1.0, friction: float = 0.5) -> ContactProblem:
    """A uniform rod of 1 kg and 1 m on its lower tip, in coordinates (x, y, angle) of its centre."""
    c, s = cos(angle) / 2, sin(angle) / 2
    return ContactProblem(
        mass=np.diag([1.0, 1.0, 1 / 12]),
        bias=[0, 9.81, 0],
        jacobian=[[0, 1, -c], [1, 0, s]],
        velocity=[0, slip],
        friction=[friction],
    )


def random(seed: int, contacts: int, *, slip=0.0, rows: int | None = None) -> ContactProblem:
    rng = np.random.default_rng(seed)
    nv = 2 * contacts + 1 if rows is None else rows
    root = rng.standard_normal((nv, nv))
    return ContactProblem(
        mass=root @ root.T + 0.1 * np.eye(nv),
        bias=rng.standard_normal(nv),
        jacobian=rng.standard_normal((2 * contacts, nv)),
        velocity=np.tile([0.0, slip], contacts),
        friction=np.ones(contacts),
    )


def principal_minors(A: np.ndarray) -> list[float]:
    n = len(A)
    chosen = [np.flatnonzero(bits) for bits in product([0, 1], repeat=n) if any(bits)]
    return [np.linalg.det(A[np.ix_(rows, rows)]) for rows in chosen]


@pytest.mark.parametrize("slip", [-1.0, 0.0])
def test_painleves_rod(slip):
    """(1 + 3 cos^2) / (3 sin cos), which is least at the angle atan 2: 4/3."""
    assert critical_friction(rod(atan(2), slip=slip)) == pytest.approx(4 / 3, rel=1e-14)
    for angle in (0.3, 0.9, 1.2, 1.5):
        expected = (1 + 3 * cos(angle) ** 2) / (3 * sin(angle) * cos(angle))
        assert critical_friction(rod(angle, slip=slip)) == pytest.approx(expected, rel=1e-13)


def test_a_rod_that_is_dragged_the_other_way_has_none():
    assert critical_friction(rod(atan(2), slip=1.0)) == inf


def test_the_own_friction_of_the_problem_does_not_matter():
    assert critical_friction(rod(0.9, friction=0.0)) == critical_friction(rod(0.9, friction=3.0))


def test_ratios_weigh_contacts():
    assert critical_friction(rod(0.9), ratios=[2.0]) == pytest.approx(critical_friction(rod(0.9)) / 2, rel=1e-14)
    assert critical_friction(rod(0.9), ratios=[0.0]) == inf


@pytest.mark.parametrize("seed", range(12))
def test_sliding_contacts_have_a_p_matrix_up_to_it(seed):
    problem = random(seed, 3, slip=-1.0)
    mu = critical_friction(problem)
    if mu == inf:
        mu = 1e6
    W = np.linalg.inv(problem.mass)
    Jn, Jt = problem.jacobian[::2], problem.jacobian[1::2]
    for factor in (0.1, 0.5, 0.9, 0.999):
        assert min(principal_minors(Jn @ W @ (Jn + factor * mu * Jt).T)) > 0
    if mu < 1e6:
        assert min(principal_minors(Jn @ W @ (Jn + 1.001 * mu * Jt).T)) < 0


@pytest.mark.parametrize("seed", range(6))
def test_contacts_at_rest_have_one_solution_below_it_and_sometimes_another_number_above(seed):
    """Random biases: always one motion below; above, some bias has none or several."""
    rng = np.random.default_rng(seed)
    template = random(seed, 2)
    mu = critical_friction(template)
    assert 0 < mu < inf

    def numbers(friction: float) -> set[int]:
        found = set()
        for _ in range(40):
            problem = ContactProblem(
                mass=template.mass, bias=rng.standard_normal(template.nv), jacobian=template.jacobian, friction=[friction] * 2
            )
            solutions = problem.solutions()
            motions = {frozenset((sol.word, *sol.same_motion)) for sol in solutions}
            found.add(len(motions))
        return found

    assert numbers(0.98 * mu) == {1}
    assert numbers(3.0 * mu) != {1}


def test_sticking_matters_at_rest():
    """Slip patterns alone may keep their P-matrices longer than stuck contacts keep uniqueness, never the other way round."""
    both = [(critical_friction(random(seed, 2)), critical_friction(random(seed, 2), sticking=False)) for seed in range(8)]
    assert all(whole <= slipping for whole, slipping in both)
    assert any(whole < slipping for whole, slipping in both)


def test_a_table_is_ambiguous_at_any_friction():
    table = ContactProblem(
        mass=np.diag([2.0, 2.0, 0.3]),
        bias=np.zeros(3),
        jacobian=[[0, 1, -1], [1, 0, 1], [0, 1, 1], [1, 0, 1]],
        friction=[0.5, 0.5],
    )
    assert critical_friction(table) == 0.0
    assert critical_friction(table, sticking=False) > 0.0


def test_limits_dry_friction_and_loops_take_part():
    """A rod whose other end is held by a loop cannot tip: no friction is too large."""
    c, s = cos(atan(2)) / 2, sin(atan(2)) / 2
    free = rod(atan(2))
    more = {"mass": free.mass, "bias": free.bias, "jacobian": free.jacobian, "velocity": free.velocity, "friction": [0.5]}
    upright = Rows(jacobian=[[0.0, 0.0, 1.0]])
    assert critical_friction(ContactProblem(**more, bilateral=upright)) == inf
    assert critical_friction(ContactProblem(**more, limits=upright)) == pytest.approx(4 / 3)  # it may let go
    assert critical_friction(ContactProblem(**more, dry_friction=upright)) == pytest.approx(4 / 3)
    end = Rows(jacobian=[[0.0, 1.0, c]])
    held = critical_friction(ContactProblem(**more, bilateral=end))
    n, t, e = np.array([0, 1, -c]), np.array([1, 0, s]), np.array([0, 1, c])
    W = np.diag([1.0, 1.0, 12.0])
    W = W - np.outer(W @ e, W @ e) / (e @ W @ e)  # what is left to move when the end is held
    expected = -(n @ W @ n) / (n @ W @ t)
    assert held == pytest.approx(expected if expected > 0 else inf)


def test_sliding_in_space_has_a_known_direction():
    free = rod(atan(2))
    J = np.zeros((3, 3))
    J[:2] = free.jacobian
    problem = ContactProblem(mass=free.mass, bias=free.bias, jacobian=J, velocity=[0.0, -2.0, 0.0], friction=[0.1])
    assert critical_friction(problem) == pytest.approx(4 / 3, rel=1e-14)


def test_what_has_no_answer_says_so():
    J = np.zeros((3, 3))
    J[:2] = rod(0.9).jacobian
    with pytest.raises(ArgumentError, match="at rest in space"):
        critical_friction(ContactProblem(mass=np.eye(3), bias=np.zeros(3), jacobian=J, friction=[0.1]))
    with pytest.raises(SingularInertiaError, match="positive definite"):
        critical_friction(ContactProblem(mass=np.diag([1, 1, 0]), bias=np.zeros(3), jacobian=J[:2], friction=[0.1]))
    with pytest.raises(BudgetError, match="4096 words of modes, above the budget"):
        critical_friction(random(0, 6))
    with pytest.raises(ArgumentError, match="the ratio of friction of 'contact 1' must not be negative"):
        critical_friction(rod(0.9), ratios=[-1.0])
