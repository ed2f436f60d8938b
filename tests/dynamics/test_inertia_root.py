"""The square root of the mass matrix, M = R R^T, against the matrix itself."""

import numba
import numpy as np
import pytest

import stickslip as ss
from random_trees import random_state, random_tree
from stickslip.dynamics import inertia_root
from stickslip.dynamics.kinematics import GOOD, WORK_WIDTH, place


@numba.njit
def ready(topology, links, rotors, q, work, L):
    place(topology, links, q, work)
    return inertia_root.factor(topology, links, rotors, work, L)


@numba.njit
def whiten(topology, rotors, work, L, rows):
    for r in range(len(rows)):
        inertia_root.whiten(topology, rotors, work, L, rows[r])


@numba.njit
def unwhiten(topology, rotors, work, L, rows):
    for r in range(len(rows)):
        inertia_root.unwhiten(topology, rotors, work, L, rows[r])


class Root:
    """R at a position."""

    def __init__(self, mech, q):
        topology, links, _, rotors, _ = mech._tree
        self.what = topology, rotors, np.zeros((mech.nv, WORK_WIDTH)), np.zeros((mech.nv, mech.nv))
        assert ready(topology, links, rotors, q, *self.what[2:]) == GOOD

    def inverse(self, rows):
        """R^-1 times each of the rows."""
        rows = np.array(rows)
        whiten(*self.what, rows)
        return rows

    def inverse_transposed(self, rows):
        rows = np.array(rows)
        unwhiten(*self.what, rows)
        return rows


def geared(seed):
    """A tree whose rotors couple its joints."""
    b = ss.MechanismBuilder()
    rng = np.random.default_rng(seed)
    for k in range(4):
        b.body(f"body_{k}", mass=1.0, centre=rng.standard_normal(3), inertia=np.diag([1.0, 1.0, 1.0]))
        b.revolute(f"joint_{k}", parent=f"body_{k - 1}" if k else "world", child=f"body_{k}", axis=rng.standard_normal(3))
    b.motor({"joint_0": 3.0, "joint_2": -2.0}, rotor_inertia=0.5)
    return ss.Mechanism(b)


TREES = {seed: ss.Mechanism(random_tree(seed, joints=2 + seed, floating=seed % 2 == 0)) for seed in range(12)}
MECHANISMS = [*(pytest.param(mech, id=f"tree {seed}") for seed, mech in TREES.items()), pytest.param(geared(1), id="rotors")]


@pytest.mark.parametrize("mech", MECHANISMS)
def test_it_is_a_root_of_the_mass_matrix(mech):
    """Y = R^-1 J^T gives J M^-1 J^T; R^-T after R^-1 is M^-1."""
    rng = np.random.default_rng(3)
    q, _, _ = random_state(mech, 5)
    root, M, J = Root(mech, q), mech.mass_matrix(q), rng.standard_normal((4, mech.nv))
    Y = root.inverse(J)
    G = J @ np.linalg.solve(M, J.T)
    assert np.abs(Y @ Y.T - G).max() < 1e-10 * np.abs(G).max()
    assert np.abs(root.inverse_transposed(Y) - np.linalg.solve(M, J.T).T).max() < 1e-10 * np.abs(np.linalg.inv(M)).max()


@pytest.mark.parametrize("mech", MECHANISMS)
def test_rows_of_few_coordinates_cost_nothing_else(mech):
    """They leave nothing behind for the next row, and are zero where no path leads from them to the base."""
    q, _, _ = random_state(mech, 6)
    root = Root(mech, q)
    rows = np.eye(mech.nv)
    first = root.inverse(rows)
    again = root.inverse(rows[::-1])[::-1]
    assert (first == again).all()
    M = mech.mass_matrix(q)
    assert np.abs(first @ first.T - np.linalg.inv(M)).max() < 1e-9 * np.abs(np.linalg.inv(M)).max()
