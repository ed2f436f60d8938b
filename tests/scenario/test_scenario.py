"""A scenario is a run that has not been made yet: it holds what `simulate` needs, and changes nothing of it."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import stickslip as ss
from runs import same


def cart(**joint):
    b = ss.MechanismBuilder(plane="xz", name="cart")
    b.body("cart", mass=2.0, inertia=0.1)
    b.prismatic("rail", child="cart", axis=(1, 0), **joint)
    return ss.World(ss.Mechanism(b))


class Push:
    """Four newtons."""

    period = 0.01

    def __call__(self, t, q, v):
        return [4.0]


GOOD = {
    "name": "cart",
    "about": "a cart rolls along a rail.",
    "world": cart(),
    "q": [0.5],
    "v": [1.0],
    "duration": 0.2,
    "controller": Push(),
    "method": "time-stepping",
    "settings": {"dt": 2e-3},
}


def scenario(**changes):
    return ss.Scenario(**GOOD | changes)


def test_a_run_is_the_closed_form():
    """Two kilograms under four newtons."""
    run = scenario().run()
    t = run.time
    assert run.outcome is ss.Outcome.FINISHED
    assert run.q[:, 0] == pytest.approx(0.5 + t + t**2, rel=1e-12)
    assert len(run) == 101


def test_a_run_is_what_simulate_makes_of_the_same():
    world = GOOD["world"]
    run = ss.simulate(world, [0.5], [1.0], 0.2, "time-stepping", controller=Push(), dt=2e-3)
    assert same(scenario().run(), run)


def test_changes_of_a_run_leave_the_scenario_as_it_is():
    one = scenario()
    run = one.run(v=[0.0], duration=0.1, dt=1e-3, record_every=10, controller=None)
    assert run.q[:, 0].tolist() == [0.5] * 11
    assert run.settings["dt"] == 1e-3
    assert (one.duration, dict(one.settings), one.v.tolist()) == (0.2, {"dt": 2e-3}, [1.0])


def test_a_setting_that_is_not_named_keeps_its_value():
    assert dict(scenario().changed(record_every=5).settings) == {"dt": 2e-3, "record_every": 5}
    assert dict(scenario().changed(settings={"record_every": 5}).settings) == {"record_every": 5}
    assert dict(scenario().changed(settings={"record_every": 5}, dt=0.1).settings) == {"record_every": 5, "dt": 0.1}


def test_nothing_in_it_can_be_changed():
    q, settings = np.array([0.5]), {"dt": 2e-3}
    one = scenario(q=q, settings=settings)
    q[0], settings["dt"] = 7.0, 1.0
    assert one.q.tolist() == [0.5]
    assert one.settings["dt"] == 2e-3
    with pytest.raises(ValueError, match="read-only"):
        one.q[0] = 1.0
    with pytest.raises(TypeError, match="does not support item assignment"):
        one.settings["dt"] = 1.0
    with pytest.raises(FrozenInstanceError):
        one.duration = 1.0


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_run_alike(again):
    one = scenario()
    other = again(one)
    assert not other.q.flags.writeable
    assert same(other.run(), one.run())


def test_it_says_what_it_is():
    assert repr(scenario()) == "<Scenario 'cart': 0.2 s, time-stepping>"
    assert str(scenario()) == "cart: a cart rolls along a rail."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "the name of a scenario must be a name, not ''"),
        ({"about": None}, "the sentence about a scenario must be a name, not None"),
        ({"world": 3}, "the world of scenario 'cart' must be a World, not 3"),
        ({"q": [0.0, 1.0]}, r"q of scenario 'cart' must have shape \(1,\), not \(2,\)"),
        ({"q": ["a"]}, "q of scenario 'cart' must hold real numbers"),
        ({"q": [np.nan]}, "q must be finite"),
        ({"v": [np.inf]}, "v must be finite"),
        ({"v": []}, r"v of scenario 'cart' must have shape \(1,\), not \(0,\)"),
        ({"duration": 0.0}, "the duration of scenario 'cart' must be a positive time in s, not 0.0"),
        ({"duration": True}, "the duration of scenario 'cart' must be a positive time"),
        ({"duration": np.inf}, "the duration of scenario 'cart' must be a positive time"),
        ({"duration": "long"}, "the duration of scenario 'cart' must be a positive time"),
        ({"controller": 3}, "the controller of scenario 'cart' must be callable, not 3"),
        ({"method": None}, "the method of scenario 'cart' must be a name"),
        ({"settings": 3}, "the settings of scenario 'cart' must be a mapping, not 3"),
        ({"settings": {"record_evry": 2}}, "ss.simulate has no setting 'record_evry'; did you mean 'record_every'?"),
        ({"settings": {3: 2}}, "ss.simulate has no setting 3"),
        ({"settings": {"dt": object()}}, "'dt' in the settings of scenario 'cart' must be made of numbers"),
    ],
)
def test_bad_parts(changes, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        scenario(**changes)


def test_a_change_of_nothing_that_there_is():
    with pytest.raises(ss.ArgumentError, match="nothing called 'duratoin'; did you mean 'duration'"):
        scenario().run(duratoin=1.0)


def test_what_simulate_refuses_it_refuses_by_its_sentence():
    with pytest.raises(ss.ArgumentError, match="the method must be 'time-stepping', not 'euler'"):
        scenario().run(method="euler")
    with pytest.raises(ss.ArgumentError, match="the step dt must be a positive time"):
        scenario().run(dt=-1.0)
