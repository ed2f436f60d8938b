"""From a world and a state to accelerations and forces, against closed forms."""

from math import atan, cos, pi, radians, sin, sqrt, tan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stickslip as ss
from stickslip.contact import HalfSpace, Material, Stribeck, World, contact_problem
from touching import G, loose, moving_along_slope, slope, standing_on_slope, up_slope

BOTH = pytest.mark.parametrize("plane", ["xz", None])
FLOOR = HalfSpace(normal=(0, 0, 1), name="floor")
CUBE = (0.4, 0.4, 0.4)


def block(plane) -> ss.Mechanism:
    return loose(ss.Box(size=CUBE), plane=plane, inertia=0.3 if plane else (0.3, 0.3, 0.3))


def ball(plane, *, radius=0.25, inertia=0.05) -> ss.Mechanism:
    return loose(ss.Sphere(radius=radius), plane=plane, inertia=inertia if plane else (inertia,) * 3)


def normal_forces(problem, solution):
    return solution.force[: len(problem.jacobian) : problem.rows_per_contact]


# ---- sliding and resting ---------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("mu", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("degrees", [0, 10, 25, 40])
def test_a_block_on_an_incline_slides_or_rests(plane, mu, degrees):
    """a = - g (sin - mu cos) once tan > mu, else rest; the ground bears m g cos."""
    mech, angle = block(plane), radians(degrees)
    world = World(mech, obstacles=[slope(angle, plane=plane)], material=Material(mu))
    problem = contact_problem(world, standing_on_slope(mech, angle, CUBE[2] / 2), np.zeros(mech.nv))
    solution = problem.solve()
    assert len(problem.contacts) == (2 if plane else 4)
    a, out, turn = up_slope(mech, angle, solution.acceleration)
    slides = tan(angle) > mu
    assert a == pytest.approx(-G * (sin(angle) - mu * cos(angle)) if slides else 0.0, abs=1e-12)
    assert (out, turn) == pytest.approx((0, 0), abs=1e-12)
    assert normal_forces(problem, solution).sum() == pytest.approx(2.0 * G * cos(angle))
    assert set(solution.word) == ({"L" if plane else "D"} if slides else {"F"})


@BOTH
@pytest.mark.parametrize("speed", [-1.0, 2.0])
def test_a_sliding_block_is_braked_whichever_way_it_goes(plane, speed):
    """a = - g (sin + sign(v) mu cos)"""
    mech, angle, mu = block(plane), 0.3, 0.1
    world = World(mech, obstacles=[slope(angle, plane=plane)], material=Material(mu, static_friction=0.9))
    q, v = standing_on_slope(mech, angle, CUBE[2] / 2, along=3.0), moving_along_slope(mech, angle, speed)
    solution = contact_problem(world, q, v).solve()
    a, out, _ = up_slope(mech, angle, solution.acceleration)
    assert a == pytest.approx(-G * (sin(angle) + np.sign(speed) * mu * cos(angle)), rel=1e-12)
    assert out == pytest.approx(0.0, abs=1e-12)


def test_static_friction_holds_where_sliding_friction_would_not():
    mech, angle = block("xz"), atan(0.45)
    q = standing_on_slope(mech, angle, CUBE[2] / 2)
    words = []
    for static in (0.5, 0.4):
        world = World(mech, obstacles=[slope(angle)], material=Material(0.4, static_friction=static))
        words.append(contact_problem(world, q, np.zeros(3)).solve().word)
    assert words == ["FF", "LL"]


def test_friction_follows_the_present_slip_where_there_is_a_transition():
    """Eq 4.10 of paper 4, at 0.1 m/s with v_s = 0.2 m/s."""
    mech = block("xz")
    material = Material(0.2, static_friction=0.6, transition=Stribeck(speed=0.2))
    world = World(mech, obstacles=[FLOOR], material=material)
    for speed in (0.0, 0.1):
        problem = contact_problem(world, [0, 0.2, 0], [speed, 0, 0])
        assert problem.friction == pytest.approx([material.at(speed)] * 2, rel=1e-15)
        assert problem.static_friction == pytest.approx([0.6, 0.6])
    assert problem.solve().acceleration[0] == pytest.approx(-material.at(0.1) * G)


# ---- rolling ---------------------------------------------------------------------------------------------------------


@BOTH
@settings(max_examples=15)
@given(speed=st.floats(-3, 3), degrees=st.floats(-30, 30))
def test_a_ball_rolls_down_an_incline(plane, speed, degrees):
    """a = - g sin / (1 + I / m r^2), at any speed: the contact point's own acceleration is towards the centre."""
    mech, angle, radius, inertia = ball(plane), radians(degrees), 0.25, 0.05
    world = World(mech, obstacles=[slope(angle, plane=plane)], material=Material(1.0))
    q = standing_on_slope(mech, angle, radius)
    v = moving_along_slope(mech, angle, speed, spin=-speed / radius)
    problem = contact_problem(world, q, v)
    solution = problem.solve()
    a, out, turn = up_slope(mech, angle, solution.acceleration)
    assert a == pytest.approx(-G * sin(angle) / (1 + inertia / (2.0 * radius**2)), abs=1e-11)
    assert turn == pytest.approx(-a / radius, abs=1e-10)
    assert out == pytest.approx(0.0, abs=1e-11)
    assert solution.word == "F"
    assert normal_forces(problem, solution) == pytest.approx([2.0 * G * cos(angle)], rel=1e-11)


@pytest.mark.parametrize("plane", ["xz", None])
def test_a_ball_slips_where_rolling_asks_for_too_much(plane):
    """Rolling needs mu >= tan / (1 + m r^2 / I); below that a = - g (sin - mu cos)."""
    mech, angle, radius, inertia, m = ball(plane), 0.6, 0.25, 0.05, 2.0
    least = tan(angle) / (1 + m * radius**2 / inertia)
    for mu, word in ((0.99 * least, "L" if plane else "D"), (1.01 * least, "F")):
        world = World(mech, obstacles=[slope(angle, plane=plane)], material=Material(mu))
        solution = contact_problem(world, standing_on_slope(mech, angle, radius), np.zeros(mech.nv)).solve()
        assert solution.word == word
    slipping = World(mech, obstacles=[slope(angle, plane=plane)], material=Material(0.5 * least))
    solution = contact_problem(slipping, standing_on_slope(mech, angle, radius), np.zeros(mech.nv)).solve()
    assert up_slope(mech, angle, solution.acceleration)[0] == pytest.approx(-G * (sin(angle) - 0.5 * least * cos(angle)))


@pytest.mark.parametrize("plane", ["xz", None])
@pytest.mark.parametrize(("angle", "rate"), [(0.0, 0.3), (0.4, 0.0), (0.4, -1.2), (-0.5, 0.7)])
def test_a_wheel_rolls_on_a_circular_hill(plane, angle, rate):
    """Its centre moves on a circle: (R + r) phi'' = g sin phi / (1 + I / m r^2), N = m g cos phi - m (R + r) phi'^2."""
    R, r, m, inertia = 3.0, 0.25, 2.0, 0.05
    mech = ball(plane)
    hill = ss.Disc(radius=R, name="hill") if plane else ss.Sphere(radius=R, name="hill")
    world = World(mech, obstacles=[hill], material=Material(2.0))
    q, v = mech.neutral(), np.zeros(mech.nv)
    x, z = 0, 1 if plane else 2
    turn, sense = (2, -1.0) if plane else (4, 1.0)  # rolling to the right is clockwise: from z to x, about +y
    q[x], q[z] = (R + r) * sin(angle), (R + r) * cos(angle)
    v[x], v[z] = (R + r) * rate * cos(angle), -(R + r) * rate * sin(angle)
    v[turn] = sense * rate * (R + r) / r
    problem = contact_problem(world, q, v)
    solution = problem.solve()
    along = cos(angle) * solution.acceleration[x] - sin(angle) * solution.acceleration[z]
    assert along == pytest.approx(G * sin(angle) / (1 + inertia / (m * r**2)), abs=1e-11)
    assert solution.acceleration[turn] == pytest.approx(sense * along / r, abs=1e-10)
    assert normal_forces(problem, solution) == pytest.approx([m * G * cos(angle) - m * (R + r) * rate**2], rel=1e-10)
    assert solution.word == "F"


@BOTH
@pytest.mark.parametrize("angle", [0.0, 0.3, 1.1, -0.8])
def test_an_elliptic_wheel_rolls_on_a_floor(plane, angle):
    """One degree of freedom: with h(angle) the height of its centre, A = I + m (h^2 + h'^2), A a + A' w^2 / 2 + m g h' = 0."""
    long, short, m, inertia, spin = 0.5, 0.3, 2.0, 0.2, -1.5
    mech = loose(ss.Ellipsoid(semi_axes=(long, 0.4, short)), plane=plane, inertia=inertia if plane else (inertia,) * 3)
    world = World(mech, obstacles=[FLOOR], material=Material(5.0))
    s, c = sin(angle), cos(angle)
    h = sqrt(long**2 * s**2 + short**2 * c**2)
    dh = (long**2 - short**2) * s * c / h
    ddh = ((long**2 - short**2) * (c**2 - s**2) - dh**2) / h
    if plane:
        q, v = np.array([0.7, h, angle]), np.array([-h * spin, dh * spin, spin])
    else:
        q = np.array([0.7, 0, h, cos(angle / 2), 0, -sin(angle / 2), 0])
        v = np.array([-h * spin, 0, dh * spin, 0, -spin, 0])
    solution = contact_problem(world, q, v).solve()
    A, dA = inertia + m * (h**2 + dh**2), 2 * m * dh * (h + ddh)
    expected = -(0.5 * dA * spin**2 + m * G * dh) / A
    assert (solution.acceleration[2] if plane else -solution.acceleration[4]) == pytest.approx(expected, rel=1e-10, abs=1e-11)
    assert solution.acceleration[0] == pytest.approx(-h * expected - dh * spin**2, rel=1e-10, abs=1e-11)
    assert solution.word == "F"


# ---- several bodies --------------------------------------------------------------------------------------------------


def test_two_discs_of_one_mechanism_push_each_other():
    """A force F on the first of two pucks in line: a = F / (m1 + m2), the second is pushed by m2 a."""
    b = ss.MechanismBuilder(plane="xz")
    for name, mass, x in (("left", 2.0, 0.0), ("right", 3.0, 1.0)):
        b.body(name, mass=mass, inertia=1.0, shapes=[ss.Disc(radius=0.5)])
        b.prismatic(f"{name}_rail", child=name, axis=(1, 0), at=(x, 0))
    world = World(ss.Mechanism(b), self_contact=True)
    problem = contact_problem(world, [0.2, 0.2], [1.0, 1.0])
    (contact,) = problem.contacts
    assert (contact.name, contact.bodies) == ("right on left", ("left", "right"))
    assert contact.normal == pytest.approx((1, 0, 0))
    together = problem.solve([10.0, 0.0])
    assert together.acceleration == pytest.approx([2.0, 2.0])
    assert together.force == pytest.approx([6.0, 0.0], abs=1e-12)
    apart = problem.solve([-10.0, 0.0])
    assert apart.acceleration == pytest.approx([-5.0, 0.0])
    assert apart.word == "S"


def test_a_link_of_a_snake_presses_on_a_disc():
    """Paper 1: a link without width that lies against a post. Pushed across, it stays; along, it slides with friction."""
    b = ss.MechanismBuilder(plane="xy", gravity=(0, 0, 0))
    b.body("link", mass=2.0, inertia=0.1, shapes=[ss.Segment(start=(-0.5, 0, 0), end=(0.5, 0, 0))])
    b.prismatic("x", child="cart", axis=(1, 0))
    b.body("cart", mass=0.0, massless=True)
    b.prismatic("y", parent="cart", child="link", axis=(0, 1))
    mech = ss.Mechanism(b)
    world = World(mech, obstacles=[ss.Disc(radius=0.1, centre=(0.0, -0.1, 0.0), name="post")], material=Material(0.3))
    problem = contact_problem(world, [0.2, 0.0], [0.0, 0.0])
    (contact,) = problem.contacts
    assert contact.normal == pytest.approx((0, 1, 0))
    assert contact.point == pytest.approx((0, 0, 0), abs=1e-15)
    held = problem.solve([2.0, -10.0])
    assert held.acceleration == pytest.approx([0, 0], abs=1e-13)
    assert held.force == pytest.approx([10.0, -2.0])
    slides = problem.solve([7.0, -10.0])
    assert slides.acceleration == pytest.approx([(7.0 - 3.0) / 2.0, 0.0], abs=1e-13)
    assert slides.word == "R"


def test_a_rod_that_turns_against_a_post_feels_how_it_rolls_along_it():
    """Turning and sliding along a post at once: the drift is the second difference of the gap at constant rates."""
    b = ss.MechanismBuilder(plane="xy", gravity=(0, 0, 0))
    b.body("rod", mass=1.0, centre=(0.5, 0.0), inertia=1 / 12, shapes=[ss.Segment(start=(0, 0, 0), end=(1, 0, 0))])
    b.planar("root", child="rod")
    mech = ss.Mechanism(b)
    world = World(mech, obstacles=[ss.Disc(radius=0.1, centre=(0.6, -0.1, 0.0))], material=Material(0.5))
    q, v = np.zeros(3), np.array([0.4, -0.3, 0.5])
    v[1] = -0.6 * v[2]  # the point above the post moves along the rod only
    problem = contact_problem(world, q, v)
    h = 1e-4
    gaps = [world.gap(q + t * v) for t in (-h, 0, h)]
    assert problem.velocity[0] == pytest.approx(0.0, abs=1e-15)
    assert problem.drift[0] == pytest.approx((gaps[0] - 2 * gaps[1] + gaps[2]) / h**2, abs=1e-5)
    assert abs(problem.drift[0]) > 0.1


# ---- what is no contact: limits, dry friction, loops -------------------------------------------------------------------


def pendulum(**options) -> World:
    b = ss.MechanismBuilder(plane="xz")
    b.body("rod", mass=2.0, centre=(0.5, 0.0), inertia=2.0 / 12)
    b.revolute("hinge", child="rod", **options)
    return World(ss.Mechanism(b))


@pytest.mark.parametrize(("limits", "angle", "sign"), [((-0.4, 1.0), -0.4, 1.0), ((pi - 0.4, pi + 0.4), pi + 0.4, -1.0)])
def test_a_pendulum_rests_on_its_limit(limits, angle, sign):
    """The stop bears m g l / 2 cos; a motor that pulls harder lifts it off."""
    world = pendulum(limits=limits)
    weight = 2.0 * G / 2 * cos(0.4)
    problem = contact_problem(world, [angle], [0.0])
    assert problem.limits.names == ("hinge at its lower limit" if sign > 0 else "hinge at its upper limit",)
    rests = problem.solve()
    assert rests.acceleration == pytest.approx([0.0], abs=1e-13)
    assert rests.limit_force == pytest.approx([weight])
    lifts = problem.solve([sign * (weight + 1.0)])
    assert lifts.acceleration == pytest.approx([sign * 1.0 / (2.0 / 3)])
    assert lifts.limit_force == pytest.approx([0.0], abs=1e-13)
    assert len(contact_problem(world, [0.2 if sign > 0 else pi], [0.0]).limits) == 0


def test_dry_friction_holds_a_joint_or_brakes_it():
    """Horizontal rod: the weight's moment is m g l / 2. More friction than that holds; less leaves the rest to the motion."""
    moment, inertia = 2.0 * G / 2, 2.0 / 3
    for bound, speed, expected in (
        (moment + 1, 0.0, 0.0),
        (moment - 1, 0.0, -1 / inertia),
        (3.0, 2.0, (-moment - 3) / inertia),
        (3.0, -2.0, (-moment + 3) / inertia),
    ):
        solution = contact_problem(pendulum(dry_friction=bound), [0.0], [speed]).solve()
        assert solution.acceleration == pytest.approx([expected], abs=1e-12)


def four_bar(*shapes) -> ss.Mechanism:
    """A parallelogram: two cranks of length 1 carry a coupler that stays level."""
    b = ss.MechanismBuilder(plane="xz")
    for name, x in (("crank", 0.0), ("rocker", 2.0)):
        b.body(name, mass=1.0, centre=(0.5, 0.0), inertia=1 / 12)
        b.revolute(f"{name}_pivot", child=name, at=(x, 0.0))
    b.body("coupler", mass=3.0, centre=(1.0, 0.0), inertia=1.0, shapes=shapes)
    b.revolute("coupler_pivot", parent="crank", child="coupler", at=(1.0, 0.0))
    b.close_point("closure", first="coupler", second="rocker", first_point=(2.0, 0.0), second_point=(1.0, 0.0))
    return ss.Mechanism(b)


@pytest.mark.parametrize(("angle", "rate"), [(0.3, 0.0), (1.2, -0.9)])
def test_a_loop_that_touches_nothing_swings_like_a_pendulum(angle, rate):
    """(2 m l^2 / 3 + M l^2) phi'' = - (2 m g l / 2 + M g l) cos phi"""
    mech = four_bar()
    q = mech.configuration(crank_pivot=angle, rocker_pivot=angle, coupler_pivot=-angle)
    v = mech.velocity(crank_pivot=rate, rocker_pivot=rate, coupler_pivot=-rate)
    problem = contact_problem(World(mech), q, v)
    assert len(problem.bilateral) == 2
    a = problem.solve().acceleration
    expected = -(1.0 + 3.0) * G * cos(angle) / (2 / 3 + 3.0)
    by_name = {name: a[mech.coordinates(name)[1]][0] for name in mech.joint_names}
    assert by_name == pytest.approx({"crank_pivot": expected, "rocker_pivot": expected, "coupler_pivot": -expected})


def test_a_loop_rests_on_a_table():
    """The coupler lies on a ball under it: statics of one degree of freedom (virtual work) give the ball's force."""
    angle = 0.3
    mech = four_bar(ss.Sphere(radius=0.1, centre=(0.7, 0, 0), name="foot"))
    q = mech.configuration(crank_pivot=angle, rocker_pivot=angle, coupler_pivot=-angle)
    world = World(mech, obstacles=[HalfSpace(normal=(0, 1), offset=sin(angle) - 0.1, name="table")], material=Material(0.0))
    problem = contact_problem(world, q, np.zeros(3))
    assert [contact.name for contact in problem.contacts] == ["foot"]
    solution = problem.solve()
    assert solution.acceleration == pytest.approx([0, 0, 0], abs=1e-12)
    assert solution.force == pytest.approx([(1.0 + 3.0) * G, 0.0], abs=1e-11)


def test_a_massless_leg_pushes_as_its_motor_says():
    """A hopper on a massless leg whose toe is on ice: the leg's moments balance, f_n l cos(angle) = -tau."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("trunk", mass=5.0, inertia=1.0)
    b.prismatic("guide", child="trunk", axis=(0, 1))
    b.body("leg", massless=True, shapes=[ss.Point(centre=(0.6, 0, 0), name="toe")])
    b.revolute("hip", parent="trunk", child="leg")
    b.motor("hip")
    mech = ss.Mechanism(b)
    angle, tau = -1.0, -30.0
    q = mech.configuration(guide=0.6 * sin(1.0), hip=angle)
    world = World(mech, obstacles=[FLOOR], material=Material(0.0))
    problem = contact_problem(world, q, np.zeros(2))
    assert np.linalg.matrix_rank(problem.mass) == 1
    solution = problem.solve([tau])
    push = -tau / (0.6 * cos(angle))
    assert solution.force == pytest.approx([push, 0.0])
    assert solution.acceleration[0] == pytest.approx(push / 5.0 - G)


# ---- more contacts than a body needs -----------------------------------------------------------------------------------


def test_a_box_on_four_corners_moves_in_one_way_only(recwarn):
    """Rank 6 of 12 rows: the force is ambiguous, the motion is not, and nobody is warned."""
    mech = block(None)
    problem = contact_problem(World(mech, obstacles=[FLOOR]), [0, 0, 0.2, 1, 0, 0, 0], np.zeros(6))
    assert len(problem.contacts) == 4
    assert np.linalg.matrix_rank(problem.jacobian) == 6
    solution = problem.solve()
    assert solution.word == "FFFF"
    assert solution.acceleration == pytest.approx(np.zeros(6), abs=1e-12)
    assert normal_forces(problem, solution).sum() == pytest.approx(2.0 * G)
    assert (normal_forces(problem, solution) >= 0).all()
    assert not recwarn.list


def test_a_rigid_table_bears_its_weight_in_many_ways():
    """Paper 0, figure 5: two feet with friction: four forces, three equations."""
    mech = loose(ss.Point(centre=(-1, 0, -1), name="left"), ss.Point(centre=(1, 0, -1), name="right"))
    problem = contact_problem(World(mech, obstacles=[FLOOR], material=Material(0.5)), [0, 1, 0], np.zeros(3))
    assert sorted(contact.name for contact in problem.contacts) == ["left", "right"]
    solution = problem.solve()
    assert solution.word == "FF"
    assert solution.acceleration == pytest.approx(np.zeros(3), abs=1e-12)
    assert solution.certificate.motion.value == "unique"
    assert solution.certificate.force.value == "ambiguous"
    assert max(other.dimension for other in problem.solutions()) == 1


def test_a_contact_that_cannot_move_is_no_obstacle_to_an_answer():
    """A foot that no coordinate lifts: its Jacobian is zero, and it bears nothing."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("slider", mass=1.0, shapes=[ss.Point(name="foot")])
    b.prismatic("rail", child="slider", axis=(1, 0))
    world = World(ss.Mechanism(b), obstacles=[FLOOR], material=Material(0.5))
    problem = contact_problem(world, [0.0], [0.0])
    assert problem.jacobian == pytest.approx(np.array([[0.0], [1.0]]))
    assert problem.solve().acceleration == pytest.approx([0.0], abs=1e-13)


def test_open_contacts_are_no_part_of_the_instant():
    mech = ball("xz")
    world = World(mech, obstacles=[FLOOR])
    problem = contact_problem(world, [0, 0.25 + 1e-7, 0], np.zeros(3))
    assert problem.contacts == ()
    assert problem.solve().acceleration == pytest.approx([0, -G, 0])
    assert len(contact_problem(world, [0, 0.25 + 1e-7, 0], np.zeros(3), tolerance=1e-6).contacts) == 1


def test_a_problem_holds_what_the_mechanism_says():
    mech = block("xz")
    q, v = np.array([0.0, 0.2, 0.0]), np.array([0.3, 0.0, 0.0])
    problem = contact_problem(World(mech, obstacles=[FLOOR]), q, v)
    assert (problem.mass == mech.mass_matrix(q)).all()
    assert (problem.bias == mech.bias(q, v)).all()
    assert (problem.input_map == mech.input_map()).all()
    assert problem.velocity == pytest.approx(problem.jacobian @ v)
