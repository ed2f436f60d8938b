"""Rows that are no contacts, and extra linear conditions, as a problem keeps them."""

import numpy as np
import pytest

from stickslip.complementarity import ContactProblem, LinearConstraint, Rows


def problem(**more) -> ContactProblem:
    return ContactProblem(
        mass=np.eye(3), bias=np.zeros(3), input_map=np.eye(3)[:, :1], jacobian=np.eye(3)[:2], friction=[0.5], **more
    )


def test_what_is_left_out_of_rows_is_zero_and_has_a_name():
    limits = problem(limits=Rows(jacobian=[[1, 0, 0], [0, -1, 0]])).limits
    assert limits.jacobian.dtype == np.float64
    assert limits.drift.tolist() == limits.velocity.tolist() == limits.threshold.tolist() == [0.0, 0.0]
    assert limits.names == ("limit 1", "limit 2")
    assert len(limits) == 2
    assert len(problem().limits) == len(problem().bilateral) == 0


def test_one_number_stands_for_all_rows():
    dry = problem(dry_friction=Rows(jacobian=np.eye(3), bound=0.5, threshold=1e-3)).dry_friction
    assert dry.bound.tolist() == [0.5, 0.5, 0.5]
    assert dry.threshold.tolist() == [1e-3] * 3


def test_rows_are_copied():
    jacobian = np.eye(3)
    limits = problem(limits=Rows(jacobian=jacobian)).limits
    jacobian[0, 0] = 5.0
    assert limits.jacobian[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        limits.jacobian[0, 0] = 5.0


def test_a_constraint_may_be_a_single_row_and_is_completed():
    (constraint,) = problem(equalities=LinearConstraint(force=[1.0, 2.0], constant=3.0)).equalities
    assert constraint.force.tolist() == [[1.0, 2.0]]
    assert constraint.acceleration.tolist() == [[0.0, 0.0, 0.0]]
    assert constraint.input.tolist() == [[0.0]]
    assert constraint.constant.tolist() == [3.0]


def test_a_constraint_of_several_rows():
    (constraint,) = problem(
        inequalities=[LinearConstraint(acceleration=np.eye(3), input=np.ones((3, 1)), constant=[1, 2, 3])]
    ).inequalities
    assert constraint.constant.tolist() == [1.0, 2.0, 3.0]
    assert constraint.force.shape == (3, 2)
