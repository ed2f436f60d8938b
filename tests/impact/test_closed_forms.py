"""Impacts whose answer is on paper: balls in a row, a point mass, a sphere with spin."""

import numpy as np
import pytest

import stickslip as ss

LAWS = [ss.Newton, ss.Poisson, ss.Energetic]
BOTH = ["simultaneous", "sequential"]


def row_of_balls(masses, restitution):
    """Balls on a line that touch each other; coordinates are their places."""
    n = len(masses)
    jacobian = np.zeros((2 * (n - 1), n))
    for i in range(n - 1):
        jacobian[2 * i, [i, i + 1]] = -1.0, 1.0
    zero = np.zeros(n - 1)
    return ss.ContactProblem(
        mass=np.diag(masses), bias=np.zeros(n), jacobian=jacobian, friction=zero, restitution=zero + restitution
    )


@pytest.mark.parametrize("resolution", BOTH)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
def test_two_balls(law, resolution, e):
    """Momentum stays, relative velocity turns round times e."""
    m, v = np.array([2.0, 0.5]), np.array([3.0, -1.0])
    hit = ss.impact(row_of_balls(m, e), v, law(resolution=resolution))
    mean = m @ v / m.sum()
    relative = -e * (v[1] - v[0])
    expected = mean + relative * np.array([-m[1], m[0]]) / m.sum()
    assert hit.velocity == pytest.approx(expected, abs=1e-12)
    lost = (1 - e**2) * (m.prod() / m.sum()) * (v[1] - v[0]) ** 2 / 2
    assert hit.energy_before - hit.energy == pytest.approx(lost, abs=1e-12)
    assert hit.work.sum() == pytest.approx(-lost, abs=1e-12)


def test_two_balls_by_the_dissipation_principle():
    """It needs tangents that give way: here the balls can move sideways, too."""
    J = np.array([[-1, 0, 1, 0], [0, -1, 0, 1]], dtype=float)
    problem = ss.ContactProblem(
        mass=np.diag([2.0, 2.0, 0.5, 0.5]), bias=np.zeros(4), jacobian=J, friction=[0.0], restitution=[0.3]
    )
    hit = ss.impact(problem, [3.0, 0.0, -1.0, 0.0], ss.DissipationPrinciple())
    assert hit.velocity == pytest.approx([2.2 - 1.2 * 0.2, 0.0, 2.2 + 1.2 * 0.8, 0.0], abs=1e-12)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("balls", [3, 5, 8])
def test_the_cradle_one_after_the_other_sends_the_last_ball_off(law, balls):
    v = np.zeros(balls)
    v[0] = 1.0
    hit = ss.impact(row_of_balls(np.ones(balls), 1.0), v, law(resolution="sequential"))
    assert hit.velocity == pytest.approx(v[::-1], abs=1e-12)
    assert len(hit.sequence) == balls - 1


@pytest.mark.parametrize("law", LAWS)
def test_the_cradle_all_at_once_keeps_energy_too(law):
    """By Poisson's law -1/3, 2/3, 2/3 (docs/papers.md); the others agree where nothing rubs and e = 1."""
    hit = ss.impact(row_of_balls([1.0, 1.0, 1.0], 1.0), [1.0, 0.0, 0.0], law(resolution="simultaneous"))
    assert hit.velocity == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-12)
    assert hit.energy == pytest.approx(0.5, abs=1e-12)


def test_laws_differ_in_the_cradle_where_something_is_lost():
    """Compression ends with all balls at 1/3, by impulses 2/3 and 1/3; Newton holds on to the resting contact until e = 1."""
    problem = row_of_balls([1.0, 1.0, 1.0], 0.5)
    poisson = ss.impact(problem, [1.0, 0.0, 0.0], ss.Poisson())
    assert poisson.impulse[::2] == pytest.approx([2 / 3 + 1 / 3, 1 / 3 + 1 / 6], abs=1e-12)
    newton = ss.impact(problem, [1.0, 0.0, 0.0], ss.Newton())
    assert newton.velocity == pytest.approx([0.0, 0.5, 0.5], abs=1e-12)  # the second contact, at rest, stays closed


def test_an_inelastic_sequence_of_balls_comes_to_the_common_speed():
    """Infinitely many impacts, whose speeds halve and halve, end below round-off."""
    hit = ss.impact(row_of_balls([1.0, 1.0, 1.0], 0.0), [1.0, 0.0, 0.0], ss.Newton(resolution="sequential"))
    assert hit.velocity == pytest.approx([1 / 3, 1 / 3, 1 / 3], abs=1e-11)
    assert len(hit.sequence) > 20


def test_a_sequence_that_does_not_end_in_time_says_so():
    hit = ss.impact(row_of_balls([1.0, 1.0, 1.0], 0.0), [1.0, 0.0, 0.0], ss.Newton(resolution="sequential", most=5))
    assert hit.status is ss.ImpactStatus.ENDLESS
    assert "after 5 single impacts" in hit.reason
    assert np.isnan(hit.velocity).all()


# ---- friction ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", [*LAWS, ss.DissipationPrinciple])
@pytest.mark.parametrize(("slip", "letter"), [(3.0, "R"), (-3.0, "L"), (0.4, "F"), (0.0, "F")])
def test_a_point_mass(law, slip, letter):
    """The normal impulse is (1 + e) m w, friction mu times that, or what stops the slip."""
    m, w, e, mu = 2.0, 1.0, 0.5, 0.3
    problem = ss.ContactProblem(mass=m * np.eye(2), bias=[0, 0], jacobian=[[0, 1], [1, 0]], friction=[mu], restitution=[e])
    hit = ss.impact(problem, [slip, -w], law())
    stopped = np.clip(slip, -mu * (1 + e) * w, mu * (1 + e) * w)
    assert hit.word == letter
    assert hit.velocity == pytest.approx([slip - stopped, e * w], abs=1e-12)
    assert hit.impulse == pytest.approx([m * (1 + e) * w, -m * stopped], abs=1e-12)


@pytest.mark.parametrize("law", [*LAWS, ss.DissipationPrinciple])
@pytest.mark.parametrize("spin", [0.0, 30.0, -30.0])
def test_a_solid_sphere_that_grips(law, spin):
    """Friction enough: the point of contact stops, so v = (5 v0 - 2 r spin0 …) / 7 from the moment of momentum about it."""
    m, r, v0, w, e = 1.0, 0.1, 2.0, 4.0, 0.8
    problem = ss.ContactProblem(  # x, y, z and the spins about x and y; the plane z = 0
        mass=np.diag([m, m, m, 0.4 * m * r**2, 0.4 * m * r**2]),
        bias=np.zeros(5),
        jacobian=[[0, 0, 1, 0, 0], [1, 0, 0, 0, -r], [0, 1, 0, r, 0]],
        friction=[5.0],
        restitution=[e],
    )
    hit = ss.impact(problem, [v0, 0.0, -w, 0.0, spin], law())
    rolling = (5 * v0 + 2 * r * spin) / 7
    assert hit.word == "F"
    assert hit.velocity == pytest.approx([rolling, 0.0, e * w, 0.0, rolling / r], abs=1e-9)


@pytest.mark.parametrize("law", [*LAWS, ss.DissipationPrinciple])
def test_in_space_friction_takes_the_direction_of_the_slip(law):
    problem = ss.ContactProblem(mass=np.eye(3), bias=np.zeros(3), jacobian=np.eye(3), friction=[0.5], restitution=[0.5])
    hit = ss.impact(problem, [-1.0, 3.0, 4.0], law())
    assert hit.word == "D"
    assert hit.velocity == pytest.approx([0.5, 3.0 * 0.85, 4.0 * 0.85], abs=1e-9)


@pytest.mark.parametrize("law", [*LAWS, ss.DissipationPrinciple])
def test_what_does_not_approach_gets_no_impulse(law):
    problem = ss.ContactProblem(mass=np.eye(2), bias=[0, 0], jacobian=[[0, 1], [1, 0]], friction=[0.3])
    hit = ss.impact(problem, [1.0, 0.5], law())
    assert hit
    assert hit.word == "S"
    assert (hit.impulse == 0.0).all()
    assert (hit.velocity == [1.0, 0.5]).all()


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("resolution", BOTH)
def test_a_joint_limit_stops_what_the_contact_sends_there(law, resolution):
    """A mass on the floor below one that may not sink further relative to it: both stop."""
    problem = ss.ContactProblem(
        mass=np.eye(2),
        bias=[0, 0],
        jacobian=[[1, 0], [0, 0]],
        friction=[0.0],
        limits=ss.Rows(jacobian=[[-1.0, 1.0]], names=["stop"]),
    )
    hit = ss.impact(problem, [-1.0, -1.0], law(resolution=resolution))
    assert hit.velocity == pytest.approx([0.0, 0.0], abs=1e-11)
    assert hit.limit_impulse == pytest.approx([1.0], abs=1e-11)
    assert hit.certificate.verify()


def test_loops_hold_through_an_impact():
    """Two masses that a loop makes one bounce as one."""
    problem = ss.ContactProblem(
        mass=np.diag([1.0, 3.0]),
        bias=[0, 0],
        jacobian=[[1, 0], [0, 0]],
        friction=[0.0],
        restitution=[0.5],
        bilateral=ss.Rows(jacobian=[[1.0, -1.0]], names=["weld"]),
    )
    hit = ss.impact(problem, [-2.0, -2.0])
    assert hit.velocity == pytest.approx([1.0, 1.0], abs=1e-12)
    assert hit.impulse[0] == pytest.approx(12.0, abs=1e-12)
    assert abs(hit.loop_impulse[0]) == pytest.approx(9.0, abs=1e-12)
    assert hit.certificate.verify()
