"""Forces after and during an impact: paper 4's (3.17) to (3.26) against the contact problem, and against work."""

import numpy as np
import pytest

import stickslip as ss
from random_contact_problems import random_problem
from random_strikes import random_strike
from stickslip.impact import contact_forces, impact_forces


@pytest.mark.parametrize("seed", range(60))
def test_contact_forces_are_those_of_the_contact_problem(seed):
    """For the word that it finds, (3.17) to (3.21) give the same forces and accelerations."""
    problem = random_problem(np.random.default_rng(seed), singular=False)
    solution = problem.solve()
    if not solution or solution.dimension or problem.nv < len(problem.jacobian):
        return
    told = contact_forces(problem, solution.word)
    assert told.force == pytest.approx(solution.force, rel=1e-6, abs=1e-7 * max(1.0, np.abs(solution.force).max()))
    assert told.acceleration == pytest.approx(
        solution.contact_acceleration, rel=1e-6, abs=1e-7 * max(1.0, np.abs(solution.contact_acceleration).max())
    )


def test_a_sliding_block_feels_friction_against_its_slip_in_space():
    block = ss.ContactProblem(
        mass=2 * np.eye(3), bias=[0, 0, 19.62], jacobian=[[0, 0, 1], [1, 0, 0], [0, 1, 0]], velocity=[0, 3, 4], friction=[0.5]
    )
    told = contact_forces(block, "D")
    assert told.force == pytest.approx([19.62, -0.5 * 19.62 * 0.6, -0.5 * 19.62 * 0.8], rel=1e-12)
    assert told.acceleration == pytest.approx([0.0, -0.5 * 9.81 * 0.6, -0.5 * 9.81 * 0.8], abs=1e-12)


def test_the_modes_are_taken_as_they_are():
    """A contact that is told to stick pulls, if that is what it takes; the contact problem would let it go."""
    block = ss.ContactProblem(mass=np.eye(2), bias=[0, -5.0], jacobian=[[0, 1], [1, 0]], friction=[0.5])
    assert contact_forces(block, "F").force == pytest.approx([-5.0, 0.0])
    assert block.solve().word == "S"


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("seed", range(15))
def test_mean_impact_forces_do_the_work_of_the_impact(seed, planar):
    """p . (u- + u+) / 2 is what the kinetic energy changes by, wherever the origin is."""
    rng = np.random.default_rng(seed)
    problem, v = random_strike(rng, int(rng.integers(1, 3)), planar=planar)
    hit = ss.impact(problem, v, ss.Poisson())
    told = impact_forces(hit, 1e-3)
    assert told.impulse == pytest.approx(hit.impulse, abs=1e-7 * np.abs(hit.impulse).max())
    assert told.force == pytest.approx(1e3 * told.impulse)
    assert told.work == pytest.approx(told.energy_change, rel=1e-6, abs=1e-9)
    assert hit.work.sum() == pytest.approx(told.energy_change, rel=1e-9, abs=1e-12)


def test_the_papers_work_changes_with_the_origin():
    """(3.24): F . J q for a mass that bounces at the height z0 of its floor; the energy does not know z0."""
    problem = ss.ContactProblem(mass=[[2.0]], bias=[0.0], jacobian=[[1.0], [0.0]], friction=[0.0], restitution=[0.5])
    hit = ss.impact(problem, [-1.0])
    change = hit.energy - hit.energy_before
    forces = {z0: change / z0 for z0 in (0.5, -0.5)}  # what (3.24) makes of the normal force
    assert forces[0.5] < 0 < forces[-0.5]
    assert impact_forces(hit, 0.01).force[0] == pytest.approx(300.0)


def test_attenuated_velocities_are_not_all_the_work_of_contacts():
    rng = np.random.default_rng(1)
    problem, v = random_strike(rng, 1, planar=True, restitution=1.0)
    hit = ss.impact(problem, v, ss.DissipationPrinciple(energy="attenuation", energetic_restitution=0.2))
    told = impact_forces(hit, 1e-3)
    assert hit.scale < 1.0
    assert told.work > told.energy_change + 1e-6
