"""Contact problems small enough to be solved by hand."""

from dataclasses import replace

import numpy as np
import pytest

from stickslip.complementarity import Answer, Contact, ContactProblem, LinearConstraint, Rows, Status
from stickslip.complementarity.budget import BudgetError

G = 9.81


def block(friction=0.5, *, static=None, slope=0.0, velocity=(0.0, 0.0), mass=2.0, threshold=0.0) -> ContactProblem:
    """A block on a slope that rises to the right, in coordinates (along, away); its input pulls along the slope."""
    return ContactProblem(
        mass=mass * np.eye(2),
        bias=[mass * G * np.sin(slope), mass * G * np.cos(slope)],
        input_map=[[1.0], [0.0]],
        jacobian=[[0.0, 1.0], [1.0, 0.0]],
        velocity=velocity,
        friction=[friction],
        static_friction=None if static is None else [static],
        thresholds=threshold,
        names=["sole"],
    )


def table(friction=0.5, push=0.0) -> ContactProblem:
    """Two feet of one rigid table on a floor: its forces are not determined."""
    return ContactProblem(
        mass=np.diag([2.0, 2.0, 0.3]),
        bias=[-push, 2 * G, 0.0],
        jacobian=[[0, 1, -1], [1, 0, 1], [0, 1, 1], [1, 0, 1]],
        friction=[friction, friction],
        names=["left foot", "right foot"],
    )


# ---- sticking and slipping -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pull", "word", "force", "acceleration"),
    [
        (0.0, "F", (2 * G, 0.0), 0.0),
        (5.0, "F", (2 * G, -5.0), 0.0),
        (-5.0, "F", (2 * G, 5.0), 0.0),
        (12.0, "R", (2 * G, -G), (12.0 - G) / 2),
        (-12.0, "L", (2 * G, G), -(12.0 - G) / 2),
    ],
)
def test_a_block_on_a_floor_sticks_until_friction_is_exceeded(pull, word, force, acceleration):
    sol = block().solve([pull])
    assert sol.status is Status.SOLVED
    assert sol
    assert sol.word == word
    assert sol.force == pytest.approx(force, rel=1e-14, abs=1e-14)
    assert sol.acceleration == pytest.approx([acceleration, 0.0], rel=1e-14, abs=1e-14)
    assert sol.residual < 1e-15
    assert sol.contact("sole").mode == word
    assert sol.contact("sole").force is not None
    assert sol.modes == {"sole": word}
    assert [other.word for other in block().solutions([pull])] == [word]


def test_a_block_on_a_slope_slides_from_the_angle_of_friction_on():
    for slope in np.linspace(0.0, 1.4, 15):
        sol = block(0.6, slope=slope).solve()
        assert sol.word == ("F" if np.tan(slope) <= 0.6 else "L")
        expected = 0.0 if sol.word == "F" else -G * (np.sin(slope) - 0.6 * np.cos(slope))
        assert sol.acceleration[0] == pytest.approx(expected, rel=1e-13, abs=1e-14)


def test_friction_of_a_sliding_block_opposes_its_velocity_whatever_the_acceleration():
    for speed, word in ((1.0, "R"), (-1.0, "L")):
        sol = block(velocity=(0.0, speed)).solve([3.0])
        assert sol.word == word
        assert sol.acceleration[0] == pytest.approx(1.5 - speed * G / 2, rel=1e-14)


def test_a_block_that_is_pulled_off_separates():
    sol = block(slope=np.pi - 0.2).solve()  # hanging below the slope
    assert sol.word == "S"
    assert not sol.force.any()
    assert sol.contact_acceleration[0] > 0


def test_a_leaving_contact_has_no_force_and_no_condition():
    sol = block(velocity=(0.3, 0.0)).solve()
    assert sol.word == "S"
    assert sol.acceleration == pytest.approx([0.0, -G])  # it falls back, later
    assert block(velocity=(0.3, 0.0)).letters == ("S",)


def test_velocities_within_the_threshold_count_as_rest():
    assert block(velocity=(1e-4, -2e-3), threshold=1e-3).letters == ("SL",)
    assert block(velocity=(1e-4, -2e-4), threshold=1e-3).letters == ("FSRL",)
    assert block(velocity=(-1e-4, 0.0), threshold=1e-3).solve().word == "F"


def test_static_friction_holds_until_it_does_not():
    """Between the two coefficients both sticking and slipping solve the tables; what is at rest stays there."""
    held = block(0.4, static=0.6).solve([0.5 * 2 * G])
    assert held.word == "F"
    assert [sol.word for sol in block(0.4, static=0.6).solutions([0.5 * 2 * G])] == ["F", "R"]
    assert held.certificate.motion is Answer.AMBIGUOUS
    slips = block(0.4, static=0.6).solve([0.7 * 2 * G])
    assert slips.word == "R"
    assert slips.force[1] == pytest.approx(-0.4 * 2 * G)  # friction of sliding, not the static one
    assert slips.certificate.motion is Answer.UNIQUE


def test_without_friction_a_pulled_block_begins_to_slide():
    assert block(0.0).solve([1.0]).word == "R"
    assert block(0.0).solve([-1.0]).word == "L"
    assert block(0.0).solve().word == "F"


# ---- approaching ---------------------------------------------------------------------------------------------------


def test_an_approaching_contact_needs_an_impact_and_is_named():
    problem = block(velocity=(-0.3, 0.0))
    sol = problem.solve()
    assert sol.status is Status.IMPACT
    assert not sol
    assert sol.word == ""
    assert np.isnan(sol.acceleration).all()
    assert np.isnan(sol.force).all()
    assert problem.solutions() == []
    assert problem.letters == ("",)
    assert sol.certificate.existence is Answer.NO
    assert "'sole' approaches at 0.3" in str(sol.certificate)
    assert "sole approaches at 0.3" in str(sol)
    assert "sole approaches at 0.3" in str(problem)
    assert sol.certificate.verify()


# ---- several contacts ----------------------------------------------------------------------------------------------


def test_a_table_has_a_unique_motion_and_ambiguous_forces():
    sol = table().solve()
    assert sol.word == "FF"
    assert sol.acceleration == pytest.approx(np.zeros(3), abs=1e-14)
    assert sol.force[::2] == pytest.approx([G, G])
    assert sol.dimension == 1
    assert sol.directions.motion.shape == (0, 3)
    direction = sol.directions.force[0]
    assert direction / direction[1] == pytest.approx([0, 1, 0, -1], abs=1e-12)
    assert (sol.certificate.existence, sol.certificate.motion, sol.certificate.force) == (
        Answer.YES,
        Answer.UNIQUE,
        Answer.AMBIGUOUS,
    )
    assert sol.certificate.verify()
    assert "continuum of 1 dimension" in str(sol)


def test_all_words_of_a_table_that_describe_its_rest_name_each_other():
    solutions = table().solutions()
    words = {sol.word for sol in solutions}
    assert {"FF", "FR", "FL", "RL", "LR"} <= words  # with friction at its bound an edge of the family belongs to sliding, too
    for sol in solutions:
        assert sol
        assert set(sol.same_motion) == words - {sol.word}


def test_a_pushed_table_slides_on_both_feet():
    sol = table(push=15.0).solve()
    assert sol.word == "RR"
    assert sol.acceleration == pytest.approx([(15.0 - 0.5 * 2 * G) / 2, 0.0, 0.0])
    assert sol.certificate.motion is Answer.UNIQUE


def test_a_guess_is_taken_where_it_is_right_and_costs_nothing_where_it_is_wrong():
    problem = block(0.4, static=0.6)
    pull = [0.5 * 2 * G]
    assert problem.solve(pull).word == "F"
    assert problem.solve(pull, guess="R").word == "R"  # another solution of the same problem
    assert problem.solve(pull, guess=problem.solutions(pull)[1]).word == "R"
    assert problem.solve(pull, guess="S").word == "F"
    assert table().solve(guess="SS").word == "FF"


def test_the_budget_of_all_solutions_has_a_name():
    with pytest.raises(BudgetError, match="budget of 3"):
        table().solutions(budget=3)


# ---- other rows ----------------------------------------------------------------------------------------------------


def one_joint(push: float, **rows) -> ContactProblem:
    return ContactProblem(mass=[[2.0]], bias=[-push], jacobian=np.zeros((0, 1)), friction=[], **rows)


def test_a_joint_limit_pushes_but_does_not_pull():
    limit = Rows(jacobian=[[1.0]], names=["lower end"])
    held = one_joint(-3.0, limits=limit).solve()
    assert held.modes == {"lower end": "F"}
    assert held.limit_force == pytest.approx([3.0])
    assert held.acceleration == pytest.approx([0.0], abs=1e-15)
    free = one_joint(3.0, limits=limit).solve()
    assert free.modes == {"lower end": "S"}
    assert free.limit_force.tolist() == [0.0]
    assert free.acceleration == pytest.approx([1.5])
    assert held.certificate.force is Answer.UNIQUE
    assert "lower end holds, force 3" in str(held)
    leaving = one_joint(-3.0, limits=Rows(jacobian=[[1.0]], velocity=[0.1])).solve()
    assert leaving.acceleration == pytest.approx([-1.5])
    assert one_joint(-3.0, limits=Rows(jacobian=[[1.0]], velocity=[-0.1])).solve().status is Status.IMPACT


@pytest.mark.parametrize(
    ("push", "velocity", "letter", "acceleration"),
    [(1.5, 0, "F", 0.0), (5.0, 0, "R", 1.5), (-5.0, 0, "L", -1.5), (1.5, 0.1, "R", -0.25), (1.5, -0.1, "L", 1.75)],
)
def test_dry_friction_in_a_joint_sticks_up_to_its_bound(push, velocity, letter, acceleration):
    dry = Rows(jacobian=[[1.0]], velocity=[velocity], bound=[2.0], names=["knee"])
    problem = one_joint(push, dry_friction=dry)
    sol = problem.solve()
    assert sol.modes == {"knee": letter}
    assert sol.acceleration == pytest.approx([acceleration], abs=1e-14)
    assert sol.dry_friction_force == pytest.approx([2 * acceleration - push])
    assert [other.modes for other in problem.solutions()] == [sol.modes]
    assert sol.certificate.verify()
    assert sol.certificate.motion is Answer.UNIQUE


def test_a_loop_carries_what_it_must():
    """Two masses of 1 and 3 kg, joined; 8 N on the first."""
    problem = ContactProblem(
        mass=np.diag([1.0, 3.0]),
        bias=[-8.0, 0.0],
        jacobian=np.zeros((0, 2)),
        friction=[],
        bilateral=Rows(jacobian=[[1.0, -1.0]], drift=[4.0], names=["bar"]),
    )
    sol = problem.solve()
    assert sol.acceleration == pytest.approx([-1.0, 3.0])
    assert sol.bilateral_force == pytest.approx([-9.0])
    assert "bar: force -9" in str(sol)


def test_loops_that_repeat_each_other_leave_their_forces_open():
    problem = ContactProblem(
        mass=np.diag([1.0, 3.0]),
        bias=[-8.0, 0.0],
        jacobian=np.zeros((0, 2)),
        friction=[],
        bilateral=Rows(jacobian=[[1.0, -1.0], [2.0, -2.0]]),
    )
    sol = problem.solve()
    assert sol.acceleration == pytest.approx([2.0, 2.0])
    assert sol.directions.force_dimension == 1
    assert (sol.certificate.motion, sol.certificate.force) == (Answer.UNIQUE, Answer.AMBIGUOUS)
    assert sol.certificate.verify()


def test_all_kinds_of_rows_at_once():
    """A cart on a rail: a contact below, a stop, dry friction, and a second cart in tow."""
    problem = ContactProblem(
        mass=np.diag([2.0, 2.0, 1.0]),
        bias=[0.0, 2 * G, 0.0],
        input_map=[[1.0], [0.0], [0.0]],
        jacobian=[[0, 1, 0], [1, 0, 0]],
        friction=[0.25],
        limits=Rows(jacobian=[[-1.0, 0.0, 0.0]], names=["stop"]),
        dry_friction=Rows(jacobian=[[0.0, 0.0, 1.0]], bound=[1.0], names=["tow"]),
        bilateral=Rows(jacobian=[[1.0, 0.0, -1.0]], names=["rope"]),
    )
    away = problem.solve([-20.0])
    assert away.modes == {"contact 1": "L", "stop": "S", "tow": "L"}
    assert away.acceleration == pytest.approx([-(20.0 - 0.5 * G - 1.0) / 3, 0.0, -(20.0 - 0.5 * G - 1.0) / 3])
    against = problem.solve([20.0])
    assert against.modes["stop"] == "F"
    assert against.acceleration == pytest.approx(np.zeros(3), abs=1e-13)
    assert against.certificate.motion is Answer.UNIQUE
    assert against.certificate.force is Answer.AMBIGUOUS  # the stop, the floor and the tow share the push
    for sol in (away, against):
        assert sol.certificate.verify()


# ---- massless legs -------------------------------------------------------------------------------------------------


def leg(thrust: float) -> tuple[ContactProblem, list[float]]:
    """A body of 3 kg at height y on a massless leg of length l, which is thrust out; unknowns (y, l), foot at y - l."""
    return ContactProblem(
        mass=np.diag([3.0, 0.0]),
        bias=[3 * G, 0.0],
        input_map=[[0.0], [1.0]],
        jacobian=[[1.0, -1.0], [0.0, 0.0]],
        friction=[0.5],
        names=["foot"],
    ), [thrust]


def test_a_massless_leg_passes_its_thrust_on():
    problem, tau = leg(50.0)
    sol = problem.solve(tau)
    assert sol.word == "F"
    assert sol.contact("foot").force[0] == pytest.approx(50.0)
    assert sol.acceleration == pytest.approx([50 / 3 - G, 50 / 3 - G])
    assert sol.certificate.motion is Answer.UNIQUE
    assert sol.certificate.verify()


def test_a_massless_leg_that_pulls_itself_off_the_floor_has_no_solution():
    problem, tau = leg(-1.0)
    sol = problem.solve(tau)
    assert sol.status is Status.NO_SOLUTION
    assert sol.certificate.existence is Answer.NO
    assert sol.certificate.verify()


def test_a_massless_leg_without_load_is_free_and_that_is_no_ambiguity():
    problem, tau = leg(0.0)
    sol = problem.solve(tau)
    assert sol.acceleration[0] == pytest.approx(-G)
    assert not sol.force[0]
    assert sol.certificate.motion is Answer.UNIQUE  # of everything that has mass
    separated = next(sol for sol in problem.solutions(tau) if sol.word == "S")
    assert separated.directions.free / separated.directions.free[0, 1] == pytest.approx(np.array([[0.0, 1.0]]))
    assert separated.directions.motion.shape == (0, 2)


def test_a_massless_coordinate_that_nothing_holds_takes_no_push():
    problem = ContactProblem(mass=np.diag([1.0, 0.0]), bias=[0.0, 1.0], jacobian=np.zeros((0, 2)), friction=[])
    assert problem.solve().status is Status.NO_SOLUTION
    idle = ContactProblem(mass=np.diag([1.0, 0.0]), bias=[1.0, 0.0], jacobian=np.zeros((0, 2)), friction=[])
    assert idle.solve().acceleration[0] == pytest.approx(-1.0)
    assert idle.solve().certificate.motion is Answer.UNIQUE


# ---- extra constraints ---------------------------------------------------------------------------------------------


def test_an_equality_of_forces_chooses_among_ambiguous_ones():
    even = LinearConstraint(force=[0, 1, 0, -1])
    problem = ContactProblem(
        mass=table().mass, bias=[-3.0, 2 * G, 0.0], jacobian=table().jacobian, friction=[0.5, 0.5], equalities=[even]
    )
    sol = problem.solve()
    assert sol.force[1::2] == pytest.approx([-1.5, -1.5])
    assert sol.certificate.force is Answer.UNIQUE
    assert sol.certificate.verify()


def test_extra_constraints_can_leave_nothing():
    pressed = LinearConstraint(force=[1.0, 0.0], constant=25.0)
    problem = replace(block(), inequalities=(pressed,))
    assert problem.solve().status is Status.NO_SOLUTION
    assert problem.solve().certificate.verify()
    lighter = replace(block(), inequalities=(LinearConstraint(force=[1.0, 0.0], constant=15.0),))
    assert lighter.solve().word == "F"


def test_extra_constraints_see_inputs():
    """The pull is shared: half of it must go into friction."""
    shared = LinearConstraint(force=[0.0, 1.0], input=[1.0], constant=0.0)
    problem = replace(block(), equalities=(shared,))
    assert problem.solve([3.0]).word == "F"
    assert problem.solve([12.0]).status is Status.NO_SOLUTION


# ---- for readers ---------------------------------------------------------------------------------------------------


def test_the_story_of_a_problem_and_of_its_solution():
    problem = block(0.4, static=0.6, velocity=(0.0, 0.2))
    assert repr(problem) == "<ContactProblem: 1 contacts, nv=2, nu=1>"
    story = str(problem)
    assert "contact problem in the plane: 2 coordinates, 1 input, 1 contact" in story
    assert "sole" in story
    assert "0.4, static 0.6" in story
    assert story.rstrip().endswith("S R")
    sol = problem.solve([1.0])
    assert "slides towards +t" in str(sol)
    assert repr(sol) == "<ContactSolution 'R': SOLVED>"


def test_contacts_carry_what_is_known_of_them():
    toe = Contact(name="toe", bodies=("floor", "leg"), id=(0, 3), point=(1.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0))
    problem = ContactProblem(mass=np.eye(2), bias=[0, G], jacobian=[[0, 1], [1, 0]], friction=[0.3], contacts=[toe])
    (contact,) = problem.contacts
    assert contact.name == "toe"
    assert contact.bodies == ("floor", "leg")
    assert contact.friction == 0.3
    changed = replace(problem, friction=[0.7], static_friction=[0.9])
    assert (changed.contacts[0].friction, changed.contacts[0].static_friction) == (0.7, 0.9)


def test_arrays_are_copied_and_cannot_be_written():
    mass = np.eye(2)
    problem = ContactProblem(mass=mass, bias=[0, G], jacobian=[[0, 1], [1, 0]], friction=[0.3])
    mass[0, 0] = 7.0
    assert problem.mass[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        problem.mass[0, 0] = 7.0


def test_a_problem_of_nothing_but_mass():
    sol = ContactProblem(mass=[[2.0]], bias=[1.0], jacobian=[], friction=[]).solve()
    assert sol.acceleration.tolist() == [-0.5]
    assert sol.word == ""
    assert sol.certificate.verify()
