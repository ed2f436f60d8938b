"""What is no contact problem gets a sentence that names the culprit."""

import numpy as np
import pytest

from stickslip.complementarity import ContactProblem, LinearConstraint, Rows
from stickslip.mechanism.errors import ArgumentError

GOOD = {"mass": np.eye(2), "bias": [0.0, 9.81], "jacobian": [[0, 1], [1, 0]], "friction": [0.5], "names": ["sole"]}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"mass": [[1, np.nan], [np.nan, 1]]}, "the mass matrix must hold finite numbers only"),
        ({"mass": np.eye(3)}, r"the mass matrix must have shape \(2, 2\), not \(3, 3\)"),
        ({"mass": [[1, 0.1], [0.2, 1]]}, r"must be symmetric, but its entries \(0, 1\) are 0.1 and 0.2"),
        ({"mass": [[1, 0], [0, -1]]}, r"must be positive semidefinite, but its entry \(1, 1\) is -1"),
        ({"mass": [[1e6, 0], [0, -1e-5]]}, r"must be positive semidefinite, but its entry \(1, 1\) is -1e-05"),
        ({"mass": [[1, 2], [2, 1]]}, "must be positive semidefinite, but it has the eigenvalue -1"),
        ({"mass": [[1e6, 0.2], [0.2, 1e-8]]}, "must be positive semidefinite, but it has the eigenvalue -1"),
        ({"mass": [[1, 1e-3], [1e-3, 0]]}, "must be positive semidefinite, but it has the eigenvalue -9.99"),
        ({"mass": [[1, 0], [0]]}, "the mass matrix must be an array .* not a ragged sequence"),
        ({"mass": [["a", "b"], ["c", "d"]]}, "the mass matrix must hold real numbers"),
        ({"bias": [0.0, np.inf]}, "the bias must hold finite numbers only"),
        ({"bias": 3.0}, "the bias must be a vector"),
        ({"input_map": [[1.0]]}, "the input map must be a matrix of 2 rows"),
        ({"input_map": [[np.nan], [0.0]]}, "the input map must hold finite numbers only"),
        ({"jacobian": [[0, 1, 0], [1, 0, 0]]}, "the Jacobian of the contacts must be a matrix of 2 columns"),
        ({"jacobian": [[0, 1]]}, "with 1 friction coefficients that makes 2 or 3 rows, not 1"),
        ({"jacobian": [[0, 1], [1, 0], [0, 0], [0, 0]]}, "makes 2 or 3 rows, not 4"),
        ({"drift": [0.0]}, r"the drift of the contacts must have shape \(2,\)"),
        ({"velocity": [0.0, np.nan]}, "the velocity of the contacts must hold finite numbers only"),
        ({"friction": [-0.1]}, "the friction of 'sole' must not be negative, but is -0.1"),
        ({"friction": 0.5}, "the friction must be a vector"),
        ({"friction": [np.nan]}, "the friction must hold finite numbers only"),
        ({"static_friction": [0.4]}, "the static friction of 'sole' must not be below that of sliding, but 0.4 < 0.5"),
        ({"restitution": 1.2}, "the restitution of 'sole' must be between 0 and 1, but is 1.2"),
        ({"restitution": -0.2}, "the restitution of 'sole' must not be negative"),
        ({"thresholds": -1e-3}, "the velocity threshold of 'sole' must not be negative"),
        ({"names": ["sole", "heel"]}, "one name for each contact: 1, not 2"),
        ({"contacts": ["sole"]}, "contacts must be given as Contact"),
        ({"limits": [[1, 0]]}, "the limit rows must be given as Rows"),
        ({"limits": Rows(jacobian=[[1.0]])}, "the Jacobian of the limit rows must be a matrix of 2 columns"),
        ({"dry_friction": Rows(jacobian=[[1, 0]], bound=-1.0, names=["knee"])}, "the bound of 'knee' must not be negative"),
        ({"dry_friction": Rows(jacobian=[[1, 0]], bound=[1.0, 2.0])}, r"the bound must have shape \(1,\)"),
        ({"bilateral": Rows(jacobian=[[1, 0]], drift=[np.nan])}, "the drift of the bilateral rows must hold finite numbers"),
        ({"bilateral": Rows(jacobian=[[1, 0]], names=["a", "b"])}, "the bilateral rows need one name each: 1, not 2"),
        ({"equalities": [[1, 0]]}, r"equality 1 must be a LinearConstraint\(…\)"),
        ({"equalities": [LinearConstraint(constant=1.0)]}, "equality 1 says nothing"),
        ({"inequalities": [LinearConstraint(force=[1.0])]}, r"the force of inequality 1 must have shape \(1, 2\)"),
        ({"inequalities": [LinearConstraint(force=2.0)]}, "the force of inequality 1 must be a matrix or a row"),
        (
            {"equalities": [LinearConstraint(acceleration=np.eye(2), force=[1.0, 0.0])]},
            "the matrices of equality 1 must have one number of rows",
        ),
        (
            {"equalities": [LinearConstraint(force=[1.0, 0.0], constant=[1.0, 2.0])]},
            "the constant of equality 1 must have shape",
        ),
    ],
)
def test_bad_input(changes, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        ContactProblem(**{**GOOD, **changes})


def test_two_contacts_of_one_name():
    with pytest.raises(ArgumentError, match="two are called 'toe'"):
        ContactProblem(mass=np.eye(2), bias=[0, 1], jacobian=np.ones((4, 2)), friction=[0, 0], names=["toe", "toe"])


@pytest.mark.parametrize("tau", [[1.0], [np.nan], "pull", 3.0])
def test_bad_inputs(tau):
    with pytest.raises(ArgumentError, match="tau must"):
        ContactProblem(**GOOD).solve(tau)


@pytest.mark.parametrize("guess", ["FF", "X", "f", 3, ["F"], "D"])
def test_bad_guesses(guess):
    with pytest.raises(ArgumentError, match="a word needs one of the letters FLRS for each of 1 contacts"):
        ContactProblem(**GOOD).solve(guess=guess)


def test_a_guess_that_fits_another_problem_or_failed():
    other = ContactProblem(mass=np.eye(2), bias=[0, 1], jacobian=np.zeros((0, 2)), friction=[]).solve()
    with pytest.raises(ArgumentError, match="a problem with other contacts"):
        ContactProblem(**GOOD).solve(guess=other)
    failed = ContactProblem(**GOOD, velocity=[-1.0, 0.0]).solve()
    with pytest.raises(ArgumentError, match="a failed attempt"):
        ContactProblem(**GOOD).solve(guess=failed)


def test_an_unknown_contact_of_a_solution():
    with pytest.raises(ArgumentError, match="there is no contact 'soul'; did you mean 'sole'"):
        ContactProblem(**GOOD).solve().contact("soul")


def test_round_off_in_the_mass_matrix_is_forgiven():
    mass = np.array([[1.0, 0.1], [0.1 + 1e-15, 1.0]])
    assert (ContactProblem(**{**GOOD, "mass": mass}).mass == ContactProblem(**{**GOOD, "mass": mass}).mass.T).all()
