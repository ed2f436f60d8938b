"""Runs that cannot go on, or are not let: what happened until then is kept, saved and loaded, and says why."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import stickslip as ss
from runs import same
from stickslip.simulate import run_record

INNER, OUTER = 0.2, 0.4  # m, half-axes of an egg


def kept(run, path):
    """What a run is after it has been saved and loaded."""
    run.save(path)
    again = ss.Trajectory.load(path)
    assert same(again.q, run.q)
    assert again.outcome is run.outcome
    assert again.trouble == run.trouble
    return again


# ---- collisions without end -------------------------------------------------------------------------------------------


def rattle(play):
    """A run of 10 ms, at 1 m/s, of a ball that has so much play, in m, between two walls that give everything back."""
    b = ss.MechanismBuilder(plane="xz", gravity=(0, 0, 0))
    b.body("ball", mass=1.0, inertia=0.004, shapes=[ss.Disc(radius=0.1)])
    b.planar("root", child="ball")
    walls = [ss.HalfSpace(normal=(1, 0), name="left"), ss.HalfSpace(normal=(-1, 0), offset=-0.2 - play, name="right")]
    world = ss.World(ss.Mechanism(b), obstacles=walls, material=ss.Material(friction=0.0, restitution=1.0))
    return ss.simulate(world, [0.1 + 0.5 * play, 0, 0], [1.0, 0, 0], 0.01, "time-stepping")


def test_thousands_of_collisions_in_a_step_are_all_kept():
    run = rattle(1e-6)
    assert run.outcome is ss.Outcome.FINISHED
    assert abs(len(run.events) - 10_000) <= 1


def test_more_collisions_than_can_be_kept_end_the_run():
    """100,000 in a step: none is left out in silence."""
    run = rattle(1e-8)
    assert run.outcome is ss.Outcome.TOO_MANY_IMPACTS
    times = np.array([event.time for event in run.events])
    assert np.abs(np.diff(times) - 1e-8).max() < 1e-11


# ---- no solution ------------------------------------------------------------------------------------------------------


def egg_between_walls(friction, plane="xz"):
    """An egg on its side, which fits exactly between a floor and a ceiling: two normal forces can press it as they like."""
    b = ss.MechanismBuilder(plane=plane, gravity=(0, 0, 0))
    moment = 0.01 if plane else np.diag([0.01] * 3)
    b.body("egg", mass=1.0, inertia=moment, shapes=[ss.Ellipsoid(semi_axes=(OUTER, INNER, INNER))])
    (b.planar if plane else b.free)("root", child="egg")
    walls = [
        ss.HalfSpace(normal=(0, 0, 1), offset=-INNER, name="floor"),
        ss.HalfSpace(normal=(0, 0, -1), offset=-INNER, name="ceiling"),
    ]
    return ss.World(ss.Mechanism(b), obstacles=walls, material=ss.Material(friction=friction))


def turning(world, rate):
    """The velocity of an egg that turns in the plane xz."""
    v = np.zeros(world.mechanism.nv)
    v[2 if world.planar else 4] = rate
    return v


WAYS = [("xz", {}), (None, {"directions": 6}), (None, {})]


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize(("plane", "more"), WAYS, ids=["plane", "directions", "cone"])
def test_an_egg_that_would_have_to_widen_its_corridor_has_no_solution(tmp_path, plane, more, friction):
    """Turning at w it needs a corridor that widens at (a^2 - b^2) / b w^2, and no force on it makes the walls give way.

    The gaps are closed and nothing approaches, so that this is no impact; both gaps together would have to fall.
    """
    world = egg_between_walls(friction, plane)
    run = ss.simulate(world, world.mechanism.neutral(), turning(world, 1.0), 0.1, "time-stepping", **more)
    assert run.outcome is ss.Outcome.NO_SOLUTION
    assert run.trouble == "in the step from 0 s: the contact problem has no solution where the run stopped."
    assert len(run) == 1
    normal = run.problem.drift[:: 2 if plane else 3]
    assert normal == pytest.approx([-(OUTER**2 - INNER**2) / INNER] * 2)
    again = kept(run, tmp_path / "egg.h5")
    assert again.problem.solve().status.name == "NO_SOLUTION"
    assert again.problem.solve().certificate.verify()
    assert again.certificates == run.certificates
    [verdict] = again.certificates
    assert verdict.existence.value == "no"


@pytest.mark.parametrize("slip", [0.0, 1.32])
@pytest.mark.parametrize("friction", [0.0, 0.1, 1.5])
@pytest.mark.parametrize("dt", [1e-2, 1e-4])
@pytest.mark.parametrize("rate", [1e-3, 0.1])
def test_no_egg_gains_energy_from_forces_that_only_rounding_can_bear(rate, dt, friction, slip):
    """However slowly it turns, however fast it slides: it may be wedged where it has turned a little, but nothing drives it."""
    world = egg_between_walls(friction, None)
    v = turning(world, rate)
    v[0] = slip
    run = ss.simulate(world, world.mechanism.neutral(), v, 20 * dt, "time-stepping", dt=dt)
    energy = run.energy.sum(axis=1)
    assert energy.max() <= energy[0] * (1 + 1e-6)


@pytest.mark.parametrize(("plane", "more"), WAYS, ids=["plane", "directions", "cone"])
def test_an_egg_at_rest_there_stays(plane, more):
    world = egg_between_walls(0.5, plane)
    run = ss.simulate(world, world.mechanism.neutral(), turning(world, 0.0), 0.05, "time-stepping", **more)
    assert run.outcome is ss.Outcome.FINISHED
    assert not run.v.any()


def test_a_rollout_says_which_of_its_starts_has_no_solution():
    world = egg_between_walls(0.5)
    starts = np.stack([turning(world, rate) for rate in (0.0, 1.0, 0.0)])
    many = ss.rollout(world, np.zeros((3, 3)), starts, steps=10, dt=1e-3, threads=1)
    assert [outcome.name for outcome in many.outcome] == ["FINISHED", "NO_SOLUTION", "FINISHED"]


@pytest.mark.parametrize("dt", [1e-3, 1e-5])
def test_painleves_rod_has_no_acceleration_but_a_step(dt):
    """Impulses have a solution where forces have none: the tip is caught at once, by an impulse that no step makes small.

    The rod leans at atan 2 with friction above 4/3, and its tip slides as in `test_painleve.py`. The tip stops; what is left of
    the motion is the part that turns about it.
    """
    half, angle, friction = 1.0, np.arctan(2), 2.0
    b = ss.MechanismBuilder(plane="xz")
    b.body("rod", mass=1.0, inertia=half**2 / 3, shapes=[ss.Point(name="tip", centre=(-half, 0, 0))])
    b.planar("float", child="rod")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 1))], material=ss.Material(friction=friction))
    q = np.array([half * np.cos(angle), half * np.sin(angle), angle])
    v = np.array([-1.0, 0.0, 0.0])
    assert ss.contact_problem(world, q, v).solve().status.name == "NO_SOLUTION"
    run = ss.simulate(world, q, v, dt, "time-stepping", dt=dt)
    assert run.outcome is ss.Outcome.FINISHED
    turning = np.sin(angle) / half / (1 + 1 / 3)  # angular momentum about the tip: m v l sin(a) = (1 + 1/3) m l^2 w
    caught = turning * half * np.array([-np.sin(angle), np.cos(angle), 1 / half])
    assert run.v[1] == pytest.approx(caught, abs=20 * dt)
    force = run.contact("tip").force[1] * dt
    assert force == pytest.approx([caught[1], caught[0] + 1.0], abs=20 * dt)
    assert abs(force[1]) < friction * force[0]


# ---- the last state ----------------------------------------------------------------------------------------------------


def sliding(steps, every):
    """A puck on a table, whose run ends after some steps because its controller fails."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("puck", mass=1.0, inertia=0.01, shapes=[ss.Point(name="foot")])
    b.prismatic("x", child="puck", axis=(1, 0))
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 0, 1))], material=ss.Material(friction=0.5))
    forces = iter([[0.0]] * steps)
    return ss.simulate(world, [0.0], [1.0], 1.0, "time-stepping", controller=lambda *now: next(forces), record_every=every)


@pytest.mark.parametrize("steps", [1, 9, 10, 11, 25])
def test_the_state_in_which_a_run_stops_is_its_last_sample(steps):
    run, whole = sliding(steps, every=10), sliding(steps, every=1)
    assert run.outcome is ss.Outcome.CONTROLLER_FAILED
    assert run.time[-1] == pytest.approx(steps * 1e-3)
    assert same(run.q[-1], whole.q[-1])
    assert same(run.time, whole.time[sorted({*range(0, steps + 1, 10), steps})])


def test_the_end_of_a_run_is_its_last_sample_and_holds_its_contacts():
    world = egg_between_walls(0.5)
    start = world.mechanism.neutral(), np.array([1.0, 0.0, 0.0])
    every = ss.simulate(world, *start, 0.025, "time-stepping")
    run = ss.simulate(world, *start, 0.025, "time-stepping", record_every=10)
    assert run.time == pytest.approx([0.0, 0.01, 0.02, 0.025])
    for name in every.contacts.names:
        assert same(run.contact(name).force[-1], every.contact(name).force[-1])


def test_a_run_that_is_interrupted_keeps_the_state_in_which_it_was():
    def stop(time, hits):
        if time >= 3.9:
            raise KeyboardInterrupt

    world = egg_between_walls(0.0)
    start = world.mechanism.neutral(), np.array([1.0, 0.0, 0.0])
    run = ss.simulate(world, *start, 9.0, "time-stepping", record_every=700, progress=stop)
    assert run.outcome is ss.Outcome.INTERRUPTED
    assert run.time == pytest.approx([0.0, 0.7, 1.4, 2.1, 2.8, 3.5, 4.0])
    assert run.q[:, 0] == pytest.approx(run.time)


# ---- controllers that fail -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [lambda: [1.0, 2.0], lambda: [np.nan], lambda: 1 / 0, lambda: "up"])
def test_a_run_whose_controller_failed_is_saved_and_loaded(tmp_path, answer):
    b = ss.MechanismBuilder(plane="xz")
    b.body("cart", mass=2.0, inertia=0.1)
    b.prismatic("rail", child="cart", axis=(1, 0))
    world = ss.World(ss.Mechanism(b))
    run = ss.simulate(world, [0.0], [1.0], 0.1, "time-stepping", controller=lambda t, q, v: answer() if t > 0.0495 else [0.0])
    again = kept(run, tmp_path / "run.h5")
    assert again.outcome is ss.Outcome.CONTROLLER_FAILED
    assert "at 0.05 s" in again.trouble
    assert again.time[-1] == pytest.approx(0.05)
    assert again.q[-1, 0] == pytest.approx(0.05)


# ---- interruptions -----------------------------------------------------------------------------------------------------

SCRIPT = """
import sys
import numpy as np
import stickslip as ss

scenario = ss.robots.pendulum(links=3)
ss.simulate(scenario.world, scenario.q, scenario.v, 1.0, "time-stepping")  # compiled before anybody interrupts
print("ready", flush=True)
run = ss.simulate(scenario.world, scenario.q, scenario.v, 100_000.0, "time-stepping", record_every=100)
run.save(sys.argv[1])
print(run.outcome.name, len(run), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals as a terminal sends them")
def test_ctrl_c_leaves_a_file_that_can_be_loaded(tmp_path):
    """A script that simulates more than a day of a pendulum is interrupted as a terminal does it, and saves what it has."""
    path = tmp_path / "interrupted.h5"
    with subprocess.Popen([sys.executable, "-c", SCRIPT, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=60)
        assert process.returncode == 0
    run = ss.Trajectory.load(path)
    assert told.split() == ["INTERRUPTED", str(len(run))]
    assert run.outcome is ss.Outcome.INTERRUPTED
    assert len(run) > 20
    assert run.time == pytest.approx(0.1 * np.arange(len(run)))
    assert len(run.events) >= 4
    expected = ss.robots.pendulum(links=3).run(duration=2.0, record_every=100)
    assert (run.q[:21] == expected.q).all()


def test_an_interruption_while_a_run_is_put_together_keeps_it(monkeypatch):
    """A long run takes seconds to become a trajectory; it is not lost if the key is pressed just then."""
    interrupts = iter([KeyboardInterrupt])
    layout_of = run_record.Layout.of

    class Interrupted:
        @staticmethod
        def of(mechanism):
            for interrupt in interrupts:
                raise interrupt
            return layout_of(mechanism)

    monkeypatch.setattr(run_record, "Layout", Interrupted)
    run = ss.robots.pendulum(links=2).run(duration=0.1)
    assert run.outcome is ss.Outcome.INTERRUPTED
    assert len(run) == 101
