"""All solutions of small systems: by closed form, and against a linear program for every combination of alternatives."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from stickslip.complementarity.certificate import judge
from stickslip.complementarity.exploration import explore, explore_into
from stickslip.complementarity.system import (
    FREE,
    NEGATIVE,
    POSITIVE,
    ZERO,
    Alternative,
    System,
    both,
    of_complementarity,
)

LIMITS = {FREE: (None, None), POSITIVE: (0, None), NEGATIVE: (None, 0), ZERO: (0, 0)}


def system_of(matrix, constant, signs, choices):
    m, n = np.shape(matrix)
    return System(
        matrix=np.array(matrix, dtype=float).reshape(m, n),
        constant=np.array(constant, dtype=float),
        signs=np.array(signs, dtype=np.int64),
        scale=np.ones(m + n),
        choices=tuple(tuple(Alternative(f"{k}", tuple(conditions)) for k, conditions in enumerate(c)) for c in choices),
        motion=np.arange(m),
        force=np.arange(m, m + n),
    )


class Oracle:
    """The same by SciPy's linear programs, one combination of alternatives at a time."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.equations = np.hstack([np.eye(len(system.constant)), -system.matrix])

    def solve(self, path, objective):
        bounds = [LIMITS[int(s)] for s in self.system.signs_along(path)]
        return linprog(objective, A_eq=self.equations, b_eq=self.system.constant, bounds=bounds, method="highs")

    def paths(self):
        """The combinations that have a solution."""
        everything = itertools.product(*(range(len(choice)) for choice in self.system.choices))
        return {path for path in everything if self.solve(path, np.zeros(self.system.size)).status == 0}

    def dimension(self, path):
        """Of the polyhedron: variables less the rank of the equations and of what its signs hold at zero."""
        held = []
        for v, sign in enumerate(self.system.signs_along(path)):
            unit = np.eye(self.system.size)[v]
            if sign == ZERO:
                held.append(unit)
            elif sign in (POSITIVE, NEGATIVE):
                most = self.solve(path, -sign * unit)
                if most.status == 0 and -most.fun < 1e-9:
                    held.append(unit)
        return self.system.size - np.linalg.matrix_rank(np.vstack([self.equations, *held]))


def check(system: System) -> None:
    found, oracle = explore(system), Oracle(system)
    assert found.complete
    assert {leaf.path for leaf in found.leaves} == oracle.paths()
    m = len(system.constant)
    for leaf in found.leaves:
        assert leaf.dimension == oracle.dimension(leaf.path)
        assert np.allclose(leaf.point[:m], system.matrix @ leaf.point[m:] + system.constant, atol=1e-9)
        assert np.allclose(leaf.directions[:, :m], leaf.directions[:, m:] @ system.matrix.T, atol=1e-9)
        for value, sign in zip(leaf.point, system.signs_along(leaf.path), strict=True):
            assert value >= -1e-9 or sign in (FREE, NEGATIVE)
            assert value <= 1e-9 or sign in (FREE, POSITIVE)


def ranges(oracle: Oracle, variables) -> list[tuple[float, float]]:
    """Of each variable its least and greatest value in all solutions."""
    found = []
    for v in variables:
        ends = []
        for towards in (1.0, -1.0):
            results = [oracle.solve(path, towards * np.eye(oracle.system.size)[v]) for path in oracle.paths()]
            ends.append(towards * min(-np.inf if result.status == 3 else result.fun for result in results))
        found.append((ends[0], ends[1]))
    return found


def check_certificate(system: System) -> None:
    """The answers of `judge` are those of the oracle, and hold."""
    certificate, oracle = judge(system), Oracle(system)
    assert certificate.verify()
    assert certificate.existence == ("yes" if oracle.paths() else "no")
    if oracle.paths():
        for answer, which in ((certificate.motion, system.motion), (certificate.force, system.force)):
            same = all(high - low < 1e-9 for low, high in ranges(oracle, which))
            assert answer == ("unique" if same else "ambiguous")


SMALL = st.integers(-2, 2).map(float)


@st.composite
def complementarity(draw):
    n = draw(st.integers(1, 4))
    A = draw(st.lists(SMALL, min_size=n * n, max_size=n * n))
    return of_complementarity(np.array(A).reshape(n, n), np.array(draw(st.lists(SMALL, min_size=n, max_size=n))))


@st.composite
def systems(draw):
    """Anything: free variables, equations, choices of one to three alternatives with any signs."""
    m, n = draw(st.integers(0, 4)), draw(st.integers(1, 4))
    sign = st.sampled_from([FREE, POSITIVE, NEGATIVE, ZERO])
    condition = st.tuples(st.integers(0, m + n - 1), sign)
    choice = st.lists(st.lists(condition, max_size=2), min_size=1, max_size=3)
    return system_of(
        np.reshape(draw(st.lists(SMALL, min_size=m * n, max_size=m * n)), (m, n)),
        draw(st.lists(SMALL, min_size=m, max_size=m)),
        draw(st.lists(sign, min_size=m + n, max_size=m + n)),
        draw(st.lists(choice, max_size=3)),
    )


@given(complementarity())
def test_complementarity_problems_with_many_ties(system):
    check(system)


@given(systems())
@settings(max_examples=200)
def test_any_system(system):
    check(system)


@given(systems())
@settings(max_examples=30)
def test_certificates_of_any_system(system):
    check_certificate(system)


@given(complementarity())
@settings(max_examples=30)
def test_certificates_of_complementarity_problems_with_many_ties(system):
    check_certificate(system)


@pytest.mark.parametrize("seed", range(20))
def test_random_complementarity_problems(seed):
    rng = np.random.default_rng(seed)
    n = 1 + seed % 5
    check(of_complementarity(rng.standard_normal((n, n)), rng.standard_normal(n)))


def test_minus_the_identity_has_a_solution_for_every_set():
    """w = b - z with b > 0: each pair may be (b, 0) or (0, b)."""
    found = explore(of_complementarity(-np.eye(6), np.arange(1.0, 7.0)))
    assert len(found.leaves) == 2**6
    assert len({leaf.path for leaf in found.leaves}) == 2**6
    for leaf in found.leaves:
        assert sorted(leaf.point[leaf.point > 0.5]) == pytest.approx(range(1, 7))


def test_a_line_of_solutions():
    (leaf,) = (leaf for leaf in explore(of_complementarity(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, 1.0]))).leaves
               if leaf.dimension)  # fmt: skip
    assert leaf.directions[0][2:] @ [1, -1] == pytest.approx(0)
    assert leaf.point[2] - leaf.point[3] == pytest.approx(1)
    assert (leaf.point[2:] > 0.1).all()


def test_the_budget_is_kept_and_said():
    system = of_complementarity(-np.eye(8), np.ones(8))
    found = explore(system, budget=20)
    assert not found.complete
    assert found.tried == 20
    found = explore(system, most=3)
    assert not found.complete
    assert len(found.leaves) == 3


def test_the_work_follows_what_is_possible_rather_than_the_combinations():
    """A positive definite problem of 16 pairs has 65536 combinations and one solution."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((16, 16))
    found = explore(of_complementarity(X @ X.T, rng.standard_normal(16)))
    assert found.complete
    assert len(found.leaves) == 1
    assert found.tried < 2000


def test_a_large_count_of_leaves_makes_room_for_itself():
    assert len(explore(of_complementarity(-np.eye(9), np.ones(9))).leaves) == 2**9


def test_two_signs_at_once():
    assert both.py_func(POSITIVE, NEGATIVE) == ZERO
    assert both.py_func(FREE, NEGATIVE) == NEGATIVE
    assert both.py_func(POSITIVE, FREE) == POSITIVE
    assert both.py_func(ZERO, POSITIVE) == ZERO


def test_one_signature():
    check(of_complementarity(np.eye(2), np.ones(2)))
    check(system_of(np.ones((1, 3)), [1], [0, 0, 1, 2], [[[(0, 1)], []]]))
    assert len(explore_into.signatures) == 1
