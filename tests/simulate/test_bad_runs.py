"""What a run cannot be asked for, and what may go wrong on its way."""

import numpy as np
import pytest

import stickslip as ss
from stickslip.mechanism.errors import ArgumentError


def cart(**joint):
    b = ss.MechanismBuilder(plane="xz")
    b.body("cart", mass=2.0, inertia=0.1, shapes=[ss.Disc(radius=0.1)])
    b.prismatic("rail", child="cart", axis=(1, 0), at=(0, 1), **joint)
    return ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 0, 1))])


def linkage():
    b = ss.MechanismBuilder(plane="xz")
    for name in ("wheel", "pinion"):
        b.body(name, mass=1.0, inertia=0.1)
        b.revolute(f"axle of {name}", child=name)
    b.couple({"axle of wheel": 2.0, "axle of pinion": 1.0}, name="gear")
    return ss.World(ss.Mechanism(b))


GOOD = {"world": cart(), "q": [0.0], "v": [0.0], "duration": 0.1, "method": "time-stepping"}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"world": 3}, "what is simulated must be a World"),
        ({"method": "event-driven"}, "event-driven simulation is not here yet"),
        ({"method": "euler"}, "the method must be 'time-stepping', not 'euler'"),
        ({"dt": 0.0}, "the step dt must be a positive time"),
        ({"dt": -1e-3}, "the step dt must be a positive time"),
        ({"dt": np.nan}, "the step dt must be a positive time"),
        ({"duration": -1.0}, "the duration must be a positive time"),
        ({"duration": np.inf}, "the duration must be a positive time"),
        ({"duration": 0.1005}, "a whole number of steps"),
        ({"q": [np.nan]}, "q must be finite"),
        ({"v": [np.inf]}, "v must be finite"),
        ({"q": [0.0, 1.0]}, "q must have shape"),
        ({"record_every": 0}, "record_every must be a whole number of at least 1"),
        ({"record_every": 10**30}, "record_every must be at most 10"),
        ({"most_contacts": 1.5}, "most_contacts must be a whole number"),
        ({"most_contacts": 10**9}, "most_contacts must be at most 2000"),
        ({"directions": 10**6}, "directions must be at most 20000"),
        ({"directions": 2000}, "64 contacts with 2000 directions have 128128 unknowns, of which there may be 20000"),
        ({"duration": 1e300}, "at most 10+ steps"),
        ({"directions": 5}, "directions must be even"),
        ({"controller": 3}, "a controller must be callable"),
        ({"world": linkage(), "q": [0.0, 0.1], "v": [0.0, 0.0]}, "coupling 'gear' is open by 0.1"),
        ({"world": linkage(), "q": [0.0, 0.0], "v": [0.0, 0.2]}, "coupling 'gear' opens with 0.2"),
    ],
)
def test_bad_arguments(changes, sentence):
    arguments = {**GOOD, **changes}
    with pytest.raises(ArgumentError, match=sentence):
        ss.simulate(**arguments)


class Controller:
    def __init__(self, answer, period):
        self.answer, self.period = answer, period
        self.calls = []

    def __call__(self, t, q, v):
        self.calls.append(t)
        return self.answer(t)


def test_a_controller_is_asked_at_its_own_period_and_held_in_between():
    """A cart of 2 kg under 4 N for one tenth of a second, then under -4 N."""
    controller = Controller(lambda t: [4.0 if t < 0.0999 else -4.0], 0.01)
    run = ss.simulate(cart(), [0.0], [0.0], 0.2, "time-stepping", controller=controller)
    assert controller.calls == pytest.approx(np.arange(20) * 0.01)
    assert run.v[100, 0] == pytest.approx(0.2, rel=1e-12)
    assert run.v[-1, 0] == pytest.approx(0.0, abs=1e-12)
    assert run.q[-1, 0] == pytest.approx(0.02, rel=1e-12)
    assert run.tau[50, 0] == 4.0
    assert run.tau[150, 0] == -4.0


def test_without_a_period_a_controller_is_asked_at_every_step():
    calls = []
    ss.simulate(cart(), [0.0], [0.0], 0.05, "time-stepping", controller=lambda t, q, v: calls.append(t) or [0.0])
    assert len(calls) == 50


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda t: [1.0, 2.0] if t > 0.05 else [0.0], "inputs of shape (2,) at 0.06 s, not (1,)"),
        (lambda t: [np.nan] if t > 0.05 else [0.0], "inputs that are not finite at 0.06 s"),
        (lambda t: "up" if t > 0.05 else [0.0], "the controller gave no numbers at 0.06 s"),
        (lambda t: 1 / 0 if t > 0.05 else [0.0], "the controller raised ZeroDivisionError at 0.06 s"),
    ],
)
def test_a_failing_controller_ends_the_run_and_what_was_done_is_kept(answer, sentence):
    run = ss.simulate(cart(), [0.0], [1.0], 0.1, "time-stepping", controller=Controller(answer, 0.01))
    assert run.outcome is ss.Outcome.CONTROLLER_FAILED
    assert sentence in run.trouble
    assert run.time[-1] == pytest.approx(0.06)
    assert run.q[-1, 0] == pytest.approx(0.06)


def test_a_controller_that_fails_at_once_leaves_the_first_sample():
    run = ss.simulate(cart(), [0.3], [1.0], 0.1, "time-stepping", controller=lambda t, q, v: None)
    assert run.outcome is ss.Outcome.CONTROLLER_FAILED
    assert run.q.tolist() == [[0.3]]


def test_a_controllers_period_is_a_whole_number_of_steps():
    for period in (0.0015, 0.0, -1.0, np.nan, "fast"):
        with pytest.raises(ArgumentError, match="the controller's period"):
            ss.simulate(**GOOD, controller=Controller(lambda t: [0.0], period))


def test_an_interruption_keeps_what_was_done():
    def stop(t, q, v):
        if t > 0.05:
            raise KeyboardInterrupt
        return [0.0]

    run = ss.simulate(cart(), [0.0], [1.0], 0.1, "time-stepping", controller=stop)
    assert run.outcome is ss.Outcome.INTERRUPTED
    assert run.time[-1] == pytest.approx(0.051, abs=1e-9)


def test_an_overlap_at_the_start_is_refused():
    b = ss.MechanismBuilder(plane="xz")
    b.body("ball", mass=1.0, inertia=0.1, shapes=[ss.Disc(radius=0.1)])
    b.planar("root", child="ball")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 0, 1))])
    with pytest.raises(ss.OverlapError, match="overlaps"):
        ss.simulate(world, [0, 0.05, 0], [0, 0, 0], 0.1, "time-stepping")


def test_a_start_beyond_a_limit_is_refused():
    with pytest.raises(ss.OverlapError, match=r"joint 'rail' is beyond its upper limit by 0.5 m"):
        ss.simulate(cart(limits=(-1, 1)), [1.5], [0.0], 0.1, "time-stepping")


def test_more_contacts_than_there_is_room_for_end_the_run():
    b = ss.MechanismBuilder(plane="xz")
    b.body("box", mass=1.0, inertia=0.1, shapes=[ss.Box(size=(0.2, 0.2, 0.2))])
    b.planar("root", child="box")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 0, 1))])
    run = ss.simulate(world, [0, 0.2, 0], [0, 0, 0], 0.5, "time-stepping", most_contacts=1)
    assert run.outcome is ss.Outcome.TROUBLE
    assert "most_contacts" in run.trouble
    assert 0.1 < run.time[-1] < 0.2


def test_the_room_does_not_hide_the_function():
    import stickslip.simulate.trajectory

    assert callable(stickslip.simulate)
    assert callable(ss.simulate)
