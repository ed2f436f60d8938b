"""One mechanism in many threads, copies and processes: no result is shared, none differs by a bit."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import numpy as np

import stickslip as ss
from random_trees import random_state, random_tree


def everything(mech: ss.Mechanism, seed: int) -> list[np.ndarray]:
    q, v, force = random_state(mech, seed)
    points = [(body, (0.1, 0.2, 0.3)) for body in mech.body_names[-3:]]
    return [
        mech.mass_matrix(q),
        mech.bias(q, v),
        mech.forward_dynamics(q, v, force),
        mech.delassus(q, points),
        mech.body_poses(q),
        mech.point_jacobian(q, *points[0]),
        np.array(mech.energy(q, v)),
    ]


def test_threads_do_not_disturb_each_other():
    mech = ss.Mechanism(random_tree(3, joints=25, floating=True))
    alone = [everything(mech, seed) for seed in range(40)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: everything(mech, seed), [*range(40)] * 5))
    for k, results in enumerate(together):
        for one, other in zip(results, alone[k % 40], strict=True):
            assert np.array_equal(one, other)


def test_copies_and_pickles_are_the_same_mechanism():
    mech = ss.Mechanism(random_tree(4, joints=6))
    for other in (deepcopy(mech), pickle.loads(pickle.dumps(mech))):
        for one, same in zip(everything(mech, 1), everything(other, 1), strict=True):
            assert np.array_equal(one, same)


def test_results_do_not_change_afterwards():
    mech = ss.Mechanism(random_tree(4, joints=10))
    first = everything(mech, 1)
    kept = [result.copy() for result in first]
    everything(mech, 2)
    for result, copy in zip(first, kept, strict=True):
        assert np.array_equal(result, copy)
