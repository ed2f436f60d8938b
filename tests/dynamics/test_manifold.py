"""Moving on the manifold of positions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stickslip as ss
from random_trees import random_state, random_tree

seeds = st.integers(0, 40)
MECHANISMS = {seed: ss.Mechanism(random_tree(seed, joints=6, floating=seed % 2 == 0)) for seed in range(41)}


@given(seed=seeds, scale=st.floats(1e-12, 2.5))
def test_difference_undoes_integrate(seed, scale):
    mech = MECHANISMS[seed]
    q, v, _ = random_state(mech, seed)
    dv = scale * v / np.linalg.norm(v)  # less than half a turn, so that the shortest way back is the way that was gone
    assert mech.difference(q, mech.integrate(q, dv)) == pytest.approx(dv, rel=1e-9, abs=1e-14)


@given(seed=seeds)
def test_quaternions_keep_unit_length_and_zero_stays(seed):
    mech = MECHANISMS[seed]
    q, v, _ = random_state(mech, seed)
    for joint in mech.description.moving_joints:
        if joint.kind in (ss.JointKind.BALL, ss.JointKind.FREE):
            here, _ = mech.coordinates(joint.name)
            assert np.linalg.norm(mech.integrate(q, 100 * v)[here][-4:]) == pytest.approx(1, abs=1e-15)
    assert mech.integrate(q, 0 * v) == pytest.approx(q, abs=1e-15)


@given(seed=seeds, s=st.floats(-1, 1), t=st.floats(-1, 1))
def test_turning_about_a_fixed_axis_adds_up(seed, s, t):
    mech = MECHANISMS[seed]
    q, v, _ = random_state(mech, seed)
    twice = mech.integrate(mech.integrate(q, s * v), t * v)
    poses, expected = mech.body_poses(twice), mech.body_poses(mech.integrate(q, (s + t) * v))
    assert poses == pytest.approx(expected, abs=1e-12 * 100)


def test_the_same_attitude_written_with_the_opposite_sign_is_no_way_off():
    mech = MECHANISMS[0]
    q, v, _ = random_state(mech, 0)
    other, target = q.copy(), mech.integrate(q, 0.1 * v)
    other[3:7] *= -1
    assert mech.difference(other, q) == pytest.approx(np.zeros(mech.nv), abs=1e-15)
    assert mech.difference(other, target) == pytest.approx(0.1 * v, rel=1e-9)


def test_the_length_of_a_quaternion_does_not_matter():
    mech = MECHANISMS[0]
    q, v, force = random_state(mech, 0)
    longer = q.copy()
    longer[3:7] *= 3.0
    assert mech.mass_matrix(longer) == pytest.approx(mech.mass_matrix(q), rel=1e-12)
    assert mech.forward_dynamics(longer, v, force) == pytest.approx(mech.forward_dynamics(q, v, force), rel=1e-10)
