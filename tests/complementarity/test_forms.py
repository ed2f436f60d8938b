"""A contact problem's complementarity forms: matrices against the papers' equations, solutions against the tables."""

import numpy as np
import pytest

from random_contact_problems import random_problem
from stickslip.complementarity import ContactProblem, Rows, Status, lcp
from stickslip.complementarity.tables import DIRECTION
from stickslip.mechanism.errors import ArgumentError, SingularInertiaError

G = 9.81


def chain(seed: int, contacts: int, *, velocity=(0.0, 0.0), loops: int = 0, **more) -> ContactProblem:
    """Random bodies with contacts that all have the same velocity."""
    rng = np.random.default_rng(seed)
    nv = 2 * contacts + 2
    root = rng.standard_normal((nv, nv))
    bilateral = Rows(jacobian=rng.standard_normal((loops, nv)), velocity=0.1 * rng.standard_normal(loops)) if loops else None
    return ContactProblem(
        mass=root @ root.T + np.eye(nv),
        bias=rng.standard_normal(nv),
        input_map=rng.standard_normal((nv, 2)),
        jacobian=rng.standard_normal((2 * contacts, nv)),
        drift=rng.standard_normal(2 * contacts),
        velocity=np.tile(velocity, contacts),
        friction=rng.uniform(0.1, 0.5, contacts),
        bilateral=bilateral,
        **more,
    )


def mixed_solution(form) -> np.ndarray:
    """z of a form whose free pairs are eliminated first: their z from their equations, the rest by Lemke's method."""
    free = np.array(form.free, dtype=int)
    rest = np.setdiff1d(np.arange(len(form.b)), free)
    A, b = form.A, form.b
    inverse = np.linalg.inv(A[np.ix_(free, free)])
    reduced = A[np.ix_(rest, rest)] - A[np.ix_(rest, free)] @ inverse @ A[np.ix_(free, rest)]
    found = lcp.solve(reduced, b[rest] - A[np.ix_(rest, free)] @ inverse @ b[free])
    assert found.status
    z = np.zeros(len(b))
    z[rest] = found.z
    z[free] = -inverse @ (b[free] + A[np.ix_(free, rest)] @ found.z)
    return z


# ---- accelerations -------------------------------------------------------------------------------------------------


def test_frictionless_is_paper_1s_48():
    problem, tau = chain(0, 3), np.array([0.3, -0.4])
    form = problem.forms.frictionless(tau)
    C, W = problem.jacobian[::2], np.linalg.inv(problem.mass)
    assert form.A == pytest.approx(C @ W @ C.T, rel=1e-12, abs=1e-13)
    assert form.b == pytest.approx(C @ W @ (problem.input_map @ tau - problem.bias) + problem.drift[::2], rel=1e-11)
    assert form.z == ("f_n of contact 1", "f_n of contact 2", "f_n of contact 3")
    assert form.w[0] == "a_n of contact 1"
    solution = form.recover(lcp.solve(form.A, form.b).z)
    ours = ContactProblem(
        mass=problem.mass,
        bias=problem.bias,
        input_map=problem.input_map,
        jacobian=problem.jacobian,
        drift=problem.drift,
        friction=np.zeros(3),
    ).solve(tau)
    assert solution.acceleration == pytest.approx(ours.acceleration, rel=1e-9, abs=1e-11)
    assert solution.force == pytest.approx(ours.force, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("way", ["R", "L"])
def test_sliding_is_paper_1s_53(way):
    sign = DIRECTION[way]
    problem = chain(1, 3, velocity=(0.0, 0.7 * sign))
    form = problem.forms.sliding()
    Jn, Jt, W = problem.jacobian[::2], problem.jacobian[1::2], np.linalg.inv(problem.mass)
    friction = problem.friction[:, None]
    assert form.A == pytest.approx(Jn @ W @ (Jn - sign * friction * Jt).T, rel=1e-11, abs=1e-12)
    ours = problem.solve()
    solution = form.recover(lcp.solve(form.A, form.b).z)
    assert solution.acceleration == pytest.approx(ours.acceleration, rel=1e-9, abs=1e-11)
    assert solution.force == pytest.approx(ours.force, rel=1e-9, abs=1e-11)


def test_sliding_needs_a_direction():
    with pytest.raises(ArgumentError, match="contact 'contact 1' does not slide"):
        chain(1, 2).forms.sliding()


def test_stick_and_slip_in_three_pairs():
    """z and w as they are named, for a block that is pulled: f_n, mu f_n + f_t, a_t-."""
    block = ContactProblem(
        mass=2 * np.eye(2), bias=[0.0, 2 * G], input_map=[[1.0], [0.0]], jacobian=[[0, 1], [1, 0]], friction=[0.5]
    )
    for pull in (0.0, 12.0, -12.0):
        form = block.forms.stick_slide([pull])
        sol = block.solve([pull])
        found = lcp.solve(form.A, form.b)
        (fn, ft), (an, at) = sol.force, sol.contact_acceleration
        assert found.z == pytest.approx([fn, 0.5 * fn + ft, max(-at, 0.0)], abs=1e-12)
        assert found.w == pytest.approx([an, max(at, 0.0), 0.5 * fn - ft], abs=1e-12)


def test_solutions_of_stick_and_slip_satisfy_the_tables():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, singular=False)
        tau = rng.standard_normal(problem.nu)
        form = problem.forms.stick_slide(tau)
        found = lcp.solve(form.A, form.b)
        if found.status:
            response = form.recover(found.z)
            words = problem.solutions(tau)
            near = [
                np.abs(sol.acceleration - response.acceleration).max() < 1e-6
                for sol in words
                if not sol.family.motion_dimension
            ]
            assert any(near) or any(sol.family.motion_dimension for sol in words)


def test_forms_need_an_invertible_mass_matrix():
    problem = ContactProblem(mass=np.diag([1.0, 0.0]), bias=[0, 1], jacobian=[[1, 0], [0, 1]], friction=[0.1])
    with pytest.raises(SingularInertiaError, match="complementarity forms do not"):
        problem.forms.frictionless()


def test_massless_coordinates_that_a_loop_holds_are_no_hindrance():
    problem = ContactProblem(
        mass=np.diag([2.0, 0.0]),
        bias=[2 * G, 0.0],
        jacobian=[[0.0, 1.0], [0.0, 0.0]],
        friction=[0.0],
        bilateral=Rows(jacobian=[[1.0, -1.0]]),
    )
    form = problem.forms.frictionless()
    response = form.recover(lcp.solve(form.A, form.b).z)
    assert response.force == pytest.approx([2 * G, 0.0, 2 * G])
    assert response.acceleration == pytest.approx([0.0, 0.0], abs=1e-14)


def test_an_approaching_contact_has_no_form_of_accelerations():
    with pytest.raises(ArgumentError, match="approaches at 1"):
        chain(0, 1, velocity=(-1.0, 0.0)).forms.stick_slide()


# ---- velocities ----------------------------------------------------------------------------------------------------


def test_polyhedral_friction_is_paper_2s_28():
    """The matrix [D* Q Lambda Q* D, E^; E-, 0] in the paper's own order: all beta (normal first), then all sigma."""
    problem, dt, tau = chain(2, 2, velocity=(0.1, -0.3)), 0.01, np.array([1.0, 2.0])
    form = problem.forms.polyhedral(dt, tau)
    J, W = problem.jacobian, np.linalg.inv(problem.mass)
    D = np.kron(np.eye(2), np.array([[1.0, 0.0, 0.0], [0.0, 1.0, -1.0]]))
    E_hat = np.kron(np.eye(2), np.array([[0.0], [1.0], [1.0]]))
    E_bar = np.zeros((2, 6))
    for i, mu in enumerate(problem.friction):
        E_bar[i, 3 * i : 3 * i + 3] = mu, -1.0, -1.0
    expected = np.block([[D.T @ J @ W @ J.T @ D, E_hat], [E_bar, np.zeros((2, 2))]])
    assert form.A == pytest.approx(expected, rel=1e-11, abs=1e-12)
    free = J @ W @ (problem.input_map @ tau - problem.bias) + problem.drift
    assert form.b == pytest.approx(np.concatenate([D.T @ (problem.velocity + dt * free), np.zeros(2)]), rel=1e-10, abs=1e-13)
    assert form.free == ()


def assert_coulomb(jump, problem, directions=2) -> None:
    """Normal velocities and impulses are complementary, and friction opposes slip as far as directions allow."""
    size = problem.rows_per_contact
    for i, mu in enumerate(problem.friction):
        here = slice(size * i, size * (i + 1))
        p, v = jump.impulse[here], jump.velocity[here]
        assert p[0] >= -1e-12
        assert v[0] >= -1e-12
        assert p[0] * v[0] == pytest.approx(0.0, abs=1e-10)
        slip = np.linalg.norm(v[1:])
        bound = mu * p[0] / (np.cos(np.pi / directions) if size == 3 else 1.0)
        assert np.linalg.norm(p[1:]) <= bound + 1e-10
        if slip > 1e-9:  # the direction nearest to the slip, fully
            assert p[1:] @ v[1:] <= -mu * p[0] * slip * np.cos(np.pi / directions if size == 3 else 0.0) + 1e-10


@pytest.mark.parametrize("seed", range(6))
def test_a_time_step_obeys_coulomb_and_the_equation_of_motion(seed):
    problem = chain(seed, 3, velocity=(-0.2, 0.3), loops=seed % 2)
    dt, tau = 0.02, np.array([0.5, -1.0])
    form = problem.forms.polyhedral(dt, tau)
    jump = form.recover(lcp.solve(form.A, form.b).z)
    assert_coulomb(jump, problem)
    rows = problem.stacked
    push = dt * problem.applied(tau) + rows.jacobian.T @ jump.impulse
    assert problem.mass @ jump.velocity_change == pytest.approx(push, rel=1e-9, abs=1e-10)
    assert jump.velocity[rows.bilateral] == pytest.approx(np.zeros(len(problem.bilateral)), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_mixed_problem_says_the_same_with_the_loops_as_unknowns(seed):
    problem, dt = chain(seed, 2, velocity=(-0.2, 0.3), loops=2), 0.02
    eliminated, mixed = problem.forms.polyhedral(dt), problem.forms.mixed(dt)
    assert len(mixed.free) == 2
    assert [mixed.z[i] for i in mixed.free] == ["impulse of bilateral 1", "impulse of bilateral 2"]
    one = eliminated.recover(lcp.solve(eliminated.A, eliminated.b).z)
    other = mixed.recover(mixed_solution(mixed))
    assert other.velocity_change == pytest.approx(one.velocity_change, rel=1e-8, abs=1e-11)
    assert other.impulse == pytest.approx(one.impulse, rel=1e-8, abs=1e-11)


def test_small_steps_tend_to_accelerations():
    problem, dt = chain(3, 2), 1e-6
    form = problem.forms.polyhedral(dt)
    jump = form.recover(lcp.solve(form.A, form.b).z)
    assert jump.velocity_change / dt == pytest.approx(problem.solve().acceleration, rel=1e-6, abs=1e-8)
    assert jump.impulse / dt == pytest.approx(problem.solve().force, rel=1e-6, abs=1e-8)


def test_limits_and_dry_friction_take_part_in_a_step():
    """A cart of 2 kg runs into its stop; another of 1 kg is braked by 3 N for 0.1 s."""
    problem = ContactProblem(
        mass=np.diag([2.0, 1.0]),
        bias=[0.0, 0.0],
        jacobian=np.zeros((0, 2)),
        friction=[],
        limits=Rows(jacobian=[[-1.0, 0.0]], velocity=[-0.5]),
        dry_friction=Rows(jacobian=[[0.0, 1.0]], velocity=[0.4], bound=[3.0]),
    )
    form = problem.forms.polyhedral(0.1)
    jump = form.recover(lcp.solve(form.A, form.b).z)
    assert jump.velocity == pytest.approx([0.0, 0.1])
    assert jump.impulse == pytest.approx([1.0, -0.3])


# ---- impacts -------------------------------------------------------------------------------------------------------


def test_impact_is_paper_1s_58():
    problem = chain(4, 3, velocity=(-0.6, 0.2))
    form = problem.forms.impact()
    C = problem.jacobian[::2]
    assert form.A == pytest.approx(C @ np.linalg.inv(problem.mass) @ C.T, rel=1e-11, abs=1e-12)
    assert form.b == pytest.approx(problem.velocity[::2])
    jump = form.recover(lcp.solve(form.A, form.b).z)
    normal = jump.velocity[::2]
    assert (normal >= -1e-12).all()
    assert normal * jump.impulse[::2] == pytest.approx(np.zeros(3), abs=1e-12)
    assert not jump.impulse[1::2].any()


def cradle(restitution: float) -> ContactProblem:
    """Three balls in a row, the first with 1 m/s, none of the contacts with friction: Newton's cradle."""
    jacobian = np.zeros((4, 3))
    jacobian[0], jacobian[2] = [-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]
    return ContactProblem(
        mass=np.eye(3),
        bias=np.zeros(3),
        jacobian=jacobian,
        velocity=jacobian @ [1.0, 0.0, 0.0],
        friction=[0.0, 0.0],
        restitution=restitution,
    )


def both_phases(problem, **more):
    first = problem.forms.compression(**more)
    compressed = first.recover(lcp.solve(first.A, first.b).z)
    second = problem.forms.decompression(compressed, **more)
    return compressed, second.recover(lcp.solve(second.A, second.b).z)


def test_newtons_cradle_by_poissons_law_hits_all_at_once():
    """All contacts compress together, and give everything back: -1/3, 2/3, 2/3 m/s, which conserves energy."""
    compressed, jump = both_phases(cradle(1.0))
    assert compressed.velocity_change + [1.0, 0.0, 0.0] == pytest.approx([1 / 3] * 3)
    after = jump.velocity_change + [1.0, 0.0, 0.0]
    assert after == pytest.approx([-1 / 3, 2 / 3, 2 / 3])
    assert after @ after == pytest.approx(1.0)


def test_without_restitution_there_is_no_second_phase():
    compressed, jump = both_phases(cradle(0.0))
    assert jump.velocity_change == pytest.approx(compressed.velocity_change)


def ball(restitution: float, friction: float) -> ContactProblem:
    """A point of 2 kg that hits the floor at (3, -4) m/s."""
    return ContactProblem(
        mass=2 * np.eye(2),
        bias=[0.0, 2 * G],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        velocity=[-4.0, 3.0],
        friction=[friction],
        restitution=restitution,
    )


def test_a_point_that_slips_through_its_impact_feels_friction_in_both_phases():
    compressed, jump = both_phases(ball(0.5, 0.2))
    assert compressed.impulse == pytest.approx([8.0, -1.6])
    assert jump.impulse == pytest.approx([12.0, -2.4])
    assert jump.velocity == pytest.approx([2.0, 3.0 - 1.2])


def test_as_printed_the_restored_impulse_causes_no_friction():
    problem = ball(0.5, 0.2)
    first = problem.forms.compression()
    compressed = first.recover(lcp.solve(first.A, first.b).z)
    second = problem.forms.decompression(compressed, as_printed=True)
    jump = second.recover(lcp.solve(second.A, second.b).z)
    assert jump.impulse == pytest.approx([12.0, -1.6])


def test_friction_in_space_acts_along_the_directions_given():
    point = ContactProblem(
        mass=2 * np.eye(3),
        bias=np.zeros(3),
        jacobian=[[0, 0, 1], [1, 0, 0], [0, 1, 0]],
        velocity=[-4.0, 3.0 * np.cos(0.2), 3.0 * np.sin(0.2)],
        friction=[0.2],
    )
    for directions in (4, 8, 16):
        form = point.forms.compression(directions=directions)
        assert len(form.b) == directions + 2
        jump = form.recover(lcp.solve(form.A, form.b).z)
        assert_coulomb(jump, point, directions)
    for directions in (2, 5, 3):
        with pytest.raises(ArgumentError, match="an even number of directions"):
            point.forms.compression(directions=directions)


def test_bad_steps():
    for dt in (0.0, -0.1, np.nan, np.inf):
        with pytest.raises(ArgumentError, match="the time step must be positive"):
            chain(0, 1).forms.polyhedral(dt)


def test_forms_tell_what_they_are():
    form = chain(2, 1, loops=1).forms.mixed(0.1)
    assert "impulse of bilateral 1" not in [z for i, z in enumerate(form.z) if i not in form.free]
    assert "velocity of bilateral 1 = 0" in str(form)
    assert "0 <= normal impulse of contact 1  |  normal velocity of contact 1 >= 0" in str(form)
    with pytest.raises(ArgumentError, match="z must have shape"):
        form.recover([1.0])


def test_status_of_an_lcp_without_solution_is_no_success():
    """Painleve's rod: the sliding form has no solution, and nobody says it had."""
    c, s = 0.5 * np.cos(np.arctan(2)), 0.5 * np.sin(np.arctan(2))
    rod = ContactProblem(
        mass=np.diag([1, 1, 1 / 12]), bias=[0, G, 0], jacobian=[[0, 1, -c], [1, 0, s]], velocity=[0, -1], friction=[2.0]
    )
    form = rod.forms.sliding()
    assert lcp.solve(form.A, form.b).status is not Status.SOLVED
