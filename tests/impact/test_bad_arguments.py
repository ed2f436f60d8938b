"""What users get wrong is named in a sentence."""

import numpy as np
import pytest

import stickslip as ss
from stickslip.impact import contact_forces, friction_curve, impact_forces, routh

PUCK = {"mass": np.eye(2), "bias": [0, 0], "jacobian": [[0, 1], [1, 0]], "friction": [0.2]}


@pytest.fixture
def puck():
    return ss.ContactProblem(**PUCK, names=["puck"])


@pytest.mark.parametrize("law", [ss.Newton, ss.Poisson, ss.Energetic, ss.DissipationPrinciple])
@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan, "much"])
def test_restitution(law, value):
    with pytest.raises(ss.ArgumentError, match="restitution"):
        law(restitution=value)


@pytest.mark.parametrize("law", [ss.Newton, ss.Poisson, ss.Energetic])
def test_settings(law):
    with pytest.raises(ss.ArgumentError, match="must be one of 'simultaneous', 'sequential', not 'both'"):
        law(resolution="both")
    with pytest.raises(ss.ArgumentError, match="must be one of 'fastest', 'listed'"):
        law(order="random")
    with pytest.raises(ss.ArgumentError, match="whole number of at least 1"):
        law(most=0)


def test_settings_of_the_dissipation_principle():
    with pytest.raises(ss.ArgumentError, match="control of energy must be one of"):
        ss.DissipationPrinciple(energy="none")
    with pytest.raises(ss.ArgumentError, match="Stribeck"):
        ss.DissipationPrinciple(transition=0.1)
    with pytest.raises(ss.ArgumentError, match="release must be True or False"):
        ss.DissipationPrinciple(release=1)
    with pytest.raises(ss.ArgumentError, match="energetic restitution must be between 0 and 1"):
        ss.DissipationPrinciple(energetic_restitution=5.0)


def test_impact(puck):
    with pytest.raises(ss.ArgumentError, match="an impact is that of a ContactProblem"):
        ss.impact("puck", [0, 0])
    with pytest.raises(ss.ArgumentError, match="v must"):
        ss.impact(puck, [0.0])
    with pytest.raises(ss.ArgumentError, match="finite"):
        ss.impact(puck, [0.0, np.nan])
    with pytest.raises(ss.ArgumentError, match="law of an impact"):
        ss.impact(puck, [0.0, -1.0], "newton")


def test_velocities_that_do_not_belong_to_the_problem():
    problem = ss.ContactProblem(**PUCK, velocity=[-2.0, 0.0], names=["puck"])
    with pytest.raises(ss.ArgumentError, match="at 'puck' the problem says -2 m/s, J v is -1 m/s"):
        ss.impact(problem, [0.0, -1.0])


def test_extra_constraints_are_refused():
    extra = ss.LinearConstraint(acceleration=[[1.0, 0.0]])
    with pytest.raises(ss.ArgumentError, match="speak of forces and accelerations"):
        ss.impact(ss.ContactProblem(**PUCK, equalities=extra), [0.0, -1.0])


def test_massless_coordinates_are_refused():
    problem = ss.ContactProblem(mass=np.diag([1.0, 0.0]), bias=[0, 0], jacobian=[[0, 1], [1, 0]], friction=[0.2])
    with pytest.raises(ss.SingularInertiaError):
        ss.impact(problem, [0.0, -1.0])


def test_names_and_answers(puck):
    hit = ss.impact(puck, [1.0, -1.0])
    assert hit.contact("puck").letter == "R"
    with pytest.raises(ss.ArgumentError, match="did you mean 'puck'"):
        hit.contact("pukc")
    none = ss.impact(puck, [1.0, -1.0], ss.DissipationPrinciple(restitution=1.0, energetic_restitution=0.0))
    assert not none
    with pytest.raises(ss.ArgumentError, match="has no answer"):
        none.contact("puck")
    with pytest.raises(ss.ArgumentError, match="has no answer"):
        impact_forces(none, 1.0)


def test_the_other_functions(puck):
    with pytest.raises(ss.ArgumentError, match="positive time"):
        impact_forces(ss.impact(puck, [1.0, -1.0]), 0.0)
    with pytest.raises(ss.ArgumentError, match="did you mean"):
        friction_curve(puck, [1.0, -1.0], "pucks")
    with pytest.raises(ss.ArgumentError, match="leaves its surface"):
        friction_curve(puck, [1.0, 1.0], "puck")
    with pytest.raises(ss.ArgumentError, match="letters"):
        contact_forces(puck, "X")
    with pytest.raises(ss.ArgumentError, match="symmetric"):
        routh([[1, 0.5], [0, 1]], [-1, 0], 0.1)
    with pytest.raises(ss.ArgumentError, match="positive semidefinite"):
        routh([[1, 2], [2, 1]], [-1, 0], 0.1)
    with pytest.raises(ss.ArgumentError, match="hypothesis"):
        routh(np.eye(2), [-1, 0], 0.1, hypothesis="kane")
    with pytest.raises(ss.ArgumentError, match="static friction"):
        routh(np.eye(2), [-1, 0], 0.3, static_friction=0.1)
    with pytest.raises(ss.ArgumentError, match="wedged"):
        routh([[1, -1], [-1, 1]], [-1, 0], 2.0)
