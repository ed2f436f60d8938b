"""Other units for every coordinate, every contact, mass and time: the same words, motions and certificates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_contact_problems import random_problem
from stickslip.complementarity import Answer, ContactProblem, Rows


def in_other_units(problem: ContactProblem, rng: np.random.Generator, spread: float) -> tuple[ContactProblem, np.ndarray]:
    """(the same problem, what its accelerations (nv,) are multiplied by); each unit up to 10^spread times larger or smaller.

    Velocities stay as they are: at one instant only their signs count, and their thresholds.
    """
    coordinate, contact = (10.0 ** rng.uniform(-spread, spread, n) for n in (problem.nv, len(problem.contacts)))
    loop = 10.0 ** rng.uniform(-spread, spread, len(problem.bilateral))
    energy, time = 10.0 ** rng.uniform(-spread, spread, 2)
    rows = np.repeat(contact, problem.rows_per_contact)
    force = energy * time / coordinate  # of a generalised force
    return ContactProblem(
        mass=energy * problem.mass / np.outer(coordinate, coordinate),
        bias=force * problem.bias,
        input_map=force[:, None] * problem.input_map,
        jacobian=rows[:, None] * problem.jacobian / coordinate,
        drift=time * rows * problem.drift,
        velocity=problem.velocity,
        friction=problem.friction,
        static_friction=problem.static_friction,
        thresholds=problem.thresholds,
        bilateral=Rows(
            jacobian=loop[:, None] * problem.bilateral.jacobian / coordinate,
            drift=time * loop * problem.bilateral.drift,
        ),
    ), time * coordinate


def words(problem, tau):
    return sorted(solution.word for solution in problem.solutions(tau))


@given(st.integers(0, 10**6))
@pytest.mark.parametrize("spread", [3.0, 6.0])
def test_units_do_not_matter(spread, seed):
    """A third of these has massless coordinates, whose inertia says nothing of their unit."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, contacts=1 + seed % 3)
    if seed % 2:
        loop = Rows(jacobian=rng.standard_normal((1, problem.nv)), drift=rng.standard_normal(1))
        problem = with_loop(problem, loop)
    tau = rng.standard_normal(problem.nu)
    other, unit = in_other_units(problem, rng, spread)
    one, two = problem.solve(tau), other.solve(tau)
    assert one.status is two.status
    assert words(problem, tau) == words(other, tau)
    if one and one.certificate.motion is Answer.UNIQUE:  # of what has mass
        momentum = problem.mass @ one.acceleration
        size = np.abs(problem.mass).max() * max(1.0, np.abs(one.acceleration).max(initial=0.0))
        assert problem.mass @ (two.acceleration / unit) == pytest.approx(momentum, rel=1e-6, abs=1e-7 * size)


def with_loop(problem: ContactProblem, loop: Rows) -> ContactProblem:
    given = ("mass", "bias", "input_map", "jacobian", "drift", "velocity", "friction", "static_friction", "thresholds")
    return ContactProblem(**{name: getattr(problem, name) for name in given}, bilateral=loop)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("length", [1e-3, 1.0, 1e3])
def test_a_massless_leg_in_any_units(unit, length):
    """A body of 3 units of mass on a leg of no mass that is thrust out, its length counted in other units than the height."""
    problem = ContactProblem(
        mass=np.diag([3.0 * unit, 0.0]),
        bias=[3.0 * unit * 9.81, 0.0],
        input_map=[[0.0], [length]],
        jacobian=[[1.0, -length], [0.0, 0.0]],
        friction=[0.5],
    )
    solution = problem.solve([50.0 * unit])
    assert solution.word == "F"
    assert solution.force == pytest.approx([50.0 * unit, 0.0])
    assert solution.acceleration == pytest.approx([50.0 / 3.0 - 9.81, (50.0 / 3.0 - 9.81) / length])
    assert solution.certificate.motion is Answer.UNIQUE
    assert solution.certificate.verify()


def test_what_is_light_keeps_its_mass_beside_what_is_heavy():
    """Two bodies in the plane that do not touch; the inertia of one is 1e14 times that of the other."""
    mass = np.array([1e6, 1e6, 1e6, 1e-3, 1e-3, 1e-8])
    problem = ContactProblem(
        mass=np.diag(mass),
        bias=mass * [0.0, 9.81, 0.0, 0.0, 9.81, 0.0],
        jacobian=np.eye(6)[[1, 0]],
        friction=[0.5],
    )
    solution = problem.solve()
    assert solution.acceleration == pytest.approx([0.0, 0.0, 0.0, 0.0, -9.81, 0.0])
    assert solution.dimension == 0
    certificate = solution.certificate
    assert (certificate.existence, certificate.motion, certificate.force) == (Answer.YES, Answer.UNIQUE, Answer.UNIQUE)
    assert certificate.verify()
