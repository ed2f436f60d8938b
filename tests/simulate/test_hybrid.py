"""Hybrid systems as users write them: what is asked of their functions, what may go wrong, and closed loops."""

import pickle
import re
from math import exp, log, sqrt

import numpy as np
import pytest
from numba import cfunc

import stickslip as ss

C = "void(double, CPointer(double), CPointer(double), CPointer(double))"


@cfunc(C)
def compiled_fall(t, x, p, out):
    """p holds the number of bounces, which is a discrete state, and gravity, which is a parameter."""
    out[0], out[1] = x[1], -p[1]


@cfunc(C)
def compiled_floor(t, x, p, out):
    out[0] = x[0] if p[0] < 3.0 else 1.0


def system(**changes):
    parts = {
        "flow": lambda t, x, z: (x[1], -10.0),
        "guard": lambda t, x, z: x[0],
        "events": ["bounce"],
        "jump": lambda t, x, z, due: (0.0, -0.5 * x[1]),
    }
    return ss.HybridSystem(**parts | changes)


def run(duration=1.0, **changes):
    return ss.simulate(system(**changes), [1.0, 0.0], duration=duration)


# ---- what runs -----------------------------------------------------------------------------------------------------------


def test_compiled_functions_see_the_discrete_state_and_the_parameters():
    """The floor vanishes after three bounces."""
    compiled = system(
        flow=compiled_fall,
        guard=compiled_floor,
        jump=lambda t, x, z, due: ((x[0], -x[1]), z + 1),
        discrete=["bounces"],
        parameters=[10.0],
    )
    seen = ss.simulate(compiled, [1.0, 0.0], [0.0], 4.0)
    fall = sqrt(0.2)
    assert [event.time for event in seen.events] == pytest.approx([fall, 3 * fall, 5 * fall], abs=1e-11)
    last = 4.0 - 6 * fall  # since it was highest
    assert seen.x[-1] == pytest.approx([1.0 - 5 * last**2, -10 * last], abs=1e-9)
    assert sorted(set(seen.value("bounces").tolist())) == [0.0, 1.0, 2.0, 3.0]


def test_python_and_compiled_functions_give_the_same_bits():
    def jump(t, x, z, due):
        return (x[0], -x[1]), z + 1

    start = ([1.0, 0.0], [0.0], 3.0)
    compiled = system(flow=compiled_fall, guard=compiled_floor, jump=jump, discrete=["n"], parameters=[10.0])
    plain = system(guard=lambda t, x, z: x[0] if z[0] < 3 else 1.0, jump=jump, discrete=["n"])
    one, other = ss.simulate(compiled, *start), ss.simulate(plain, *start)
    assert one.time.tobytes() == other.time.tobytes()
    assert one.x.tobytes() == other.x.tobytes()


def test_same_run_twice_gives_the_same_bits():
    one, other = run(), run()
    for name in ("time", "x", "z", "bends"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_a_jump_has_a_sample_on_either_side_and_the_later_one_counts():
    seen = run()
    (jump,) = np.flatnonzero(seen.time[1:] == seen.time[:-1])[:1]
    assert seen.x[jump, 1] == pytest.approx(-sqrt(20.0), abs=1e-10)
    assert seen.x[jump + 1, 1] == -0.5 * seen.x[jump, 1]
    assert seen.at(seen.time[jump]).x.tolist() == seen.x[jump + 1].tolist()
    times = np.linspace(0.0, 1.0, 50)
    assert seen.at(times).x.shape == (50, 2)
    assert seen.at(times[3]).x.tolist() == seen.at(times).x[3].tolist()


def test_a_start_in_the_jump_set_jumps_at_once():
    seen = ss.simulate(system(jump=lambda t, x, z, due: (2.0, 0.0)), [-1.0, 0.0], duration=0.1, start=5.0)
    assert (seen.events[0].time, seen.x[1, 0], seen.time[-1]) == (5.0, 2.0, 5.1)


def test_jumps_without_end():
    seen = run(jump=lambda t, x, z, due: (-1.0, 0.0))
    assert seen.outcome is ss.Outcome.TOO_MANY_JUMPS
    assert len(seen.events) == seen.settings["most_jumps_at_once"] + 1


@pytest.mark.parametrize("start", [1.0, np.pi, 1e-9])
def test_a_relay_without_hysteresis_chatters_and_the_run_says_so(start):
    """Towards zero from either side: there is no motion along zero among those that the system describes."""
    relay = ss.HybridSystem(
        flow=lambda t, x, z: 1.0 - 2.0 * z[0],
        guard=lambda t, x, z: x[0] if z[0] else -x[0],
        events=["switch"],
        jump=lambda t, x, z, due: (x, 1.0 - z),
    )
    seen = ss.simulate(relay, [start], [1.0], 5.0)
    assert seen.outcome is ss.Outcome.TOO_MANY_JUMPS
    assert seen.time[-1] == pytest.approx(start, abs=2e-9)


def test_the_end_of_the_flow_set():
    seen = run(ends=["bounce"], jump=None)
    assert seen.outcome is ss.Outcome.LEFT_FLOW_SET
    assert seen.time[-1] == pytest.approx(sqrt(0.2), abs=1e-12)
    assert "no jump leads on" in str(seen)


def test_a_flow_that_is_not_defined_beyond_its_guard():
    """Torricelli's tank: the root of a negative height is no number, and only a trial step asks for it."""
    tank = ss.HybridSystem(
        flow=lambda t, x, z: -2 * np.sqrt(x) if x[0] >= 0 else np.nan,
        guard=lambda t, x, z: x[0] - 0.01,
        events=["low"],
        ends=["low"],
    )
    seen = ss.simulate(tank, [1.0], duration=5.0)  # sqrt(x) = 1 - t
    assert seen.time[-1] == pytest.approx(0.9, abs=1e-9)


def test_copies_are_the_same_and_nothing_can_be_changed():
    seen = run()
    copy = pickle.loads(pickle.dumps(seen))
    assert copy.x.tobytes() == seen.x.tobytes()
    assert copy.settings == seen.settings
    with pytest.raises(ValueError, match="read-only"):
        seen.x[0, 0] = 3.0


@pytest.mark.parametrize("changes", [{}, {"states": ["height", "speed"]}, {"flow": lambda t, x, z: 1 / 0}])
def test_a_run_comes_back_from_its_file_bit_for_bit(changes, tmp_path):
    seen = run(**changes)
    seen.save(tmp_path / "run.h5")
    loaded = ss.HybridTrajectory.load(tmp_path / "run.h5")
    for name in ("time", "x", "z", "bends"):
        assert getattr(loaded, name).tobytes() == getattr(seen, name).tobytes()
    for name in ("states", "discrete", "events", "outcome", "trouble", "settings"):
        assert getattr(loaded, name) == getattr(seen, name)


def test_a_file_of_one_kind_of_run_is_not_read_as_another(tmp_path):
    run().save(tmp_path / "run.h5")
    with pytest.raises(ss.StorageError, match="it holds the run of a hybrid system; load it as such"):
        ss.Trajectory.load(tmp_path / "run.h5")
    world = ss.robots.pendulum(links=1).run(duration=0.01)
    world.save(tmp_path / "world.h5")
    with pytest.raises(ss.StorageError, match="it holds the run of a world; load it as such"):
        ss.HybridTrajectory.load(tmp_path / "world.h5")


def test_progress_is_told():
    told = []
    ss.simulate(system(), [1.0, 0.0], duration=1.0, progress=lambda time, events: told.append((time, events)))
    assert told[-1] == (1.0, 2)


# ---- what goes wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"flow": lambda t, x, z: 1 / 0}, "the flow raised ZeroDivisionError at 0 s"),
        ({"flow": lambda t, x, z: (1.0, 2.0, 3.0)}, r"the flow gave an answer of shape \(3,\) at 0 s, not \(2,\)"),
        ({"flow": lambda t, x, z: "fast"}, "the flow gave no numbers at 0 s, but 'fast'"),
        ({"guard": lambda t, x, z: (1.0, 1.0)}, r"the guard gave an answer of shape \(2,\)"),
        ({"guard": lambda t, x, z: np.nan}, "the guard gave NaN"),
        ({"jump": lambda t, x, z, due: None}, "the jump gave no numbers at 0.447213595 s, but None"),
        ({"jump": lambda t, x, z, due: (1.0, np.inf)}, "the jump gave a state that is not finite"),
        ({"jump": lambda t, x, z, due: due[3]}, "jump raised IndexError"),
    ],
)
def test_functions_that_fail_end_the_run_with_a_sentence(changes, sentence):
    seen = run(**changes)
    assert seen.outcome is ss.Outcome.TROUBLE
    assert re.search(sentence, seen.trouble)


def test_an_interruption_in_a_function_keeps_what_was_simulated():
    def flow(t, x, z):
        if t > 0.7:
            raise KeyboardInterrupt
        return x[1], -10.0

    seen = ss.simulate(system(flow=flow), [1.0, 0.0], duration=1.0, longest_step=0.05)
    assert seen.outcome is ss.Outcome.INTERRUPTED
    assert 0.6 < seen.time[-1] <= 0.7


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"flow": 3}, "the flow must be a function"),
        ({"guard": None}, "needs a guard"),
        ({"events": []}, "a guard needs a name"),
        ({"events": ["a", "a"]}, "names that differ"),
        ({"marks": ["bounc"]}, "there is no event 'bounc'; did you mean 'bounce'"),
        ({"jump": None}, "event 'bounce' needs a `jump`"),
        ({"inputs": -1}, "inputs must be the number"),
    ],
)
def test_systems_that_make_no_sense(changes, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        system(**changes)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"x": [1.0, 0.0]}, "the duration must be a positive time in s, not None"),
        ({"x": [1.0, 0.0], "duration": -1.0}, "the duration must be a positive time"),
        ({"x": [1.0, np.nan], "duration": 1.0}, "x must be finite"),
        ({"x": [1.0], "duration": 1.0}, r"x must have shape \(2,\), one for each of height, speed"),
        ({"x": "up", "duration": 1.0}, "x must be numbers"),
        ({"x": [1.0, 0.0], "duration": 1.0, "relative": 0.0}, "relative must be a positive number"),
        ({"x": [1.0, 0.0], "duration": 1.0, "absolute": [1e-9]}, "absolute must be a positive number"),
        ({"x": [1.0, 0.0], "duration": 1.0, "location": -1.0}, "location must be a positive number"),
        ({"x": [1.0, 0.0], "duration": 1.0, "most_jumps_at_once": -1}, "most_jumps_at_once must not be negative"),
    ],
)
def test_runs_that_make_no_sense(arguments, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        ss.simulate(system(states=["height", "speed"]), **arguments)


def test_states_that_there_are_not():
    seen = ss.simulate(system(states=["height", "speed"]), [1.0, 0.0], duration=0.1)
    with pytest.raises(ss.ArgumentError, match="no state 'heigth'; did you mean 'height'"):
        seen.value("heigth")
    for time in (-0.1, 0.2, np.nan, "now", [[0.0]]):
        with pytest.raises(ss.ArgumentError, match="the time must"):
            seen.at(time)


# ---- closed loops ------------------------------------------------------------------------------------------------------


def cart(**changes):
    """A unit mass on a rail between walls that it hits without losing speed, pushed by u."""
    parts = {
        "flow": lambda t, x, z, u: (x[1], u[0]),
        "guard": lambda t, x, z: (1.0 - x[0], 1.0 + x[0]),
        "events": ["right", "left"],
        "jump": lambda t, x, z, due: ((x[0], -x[1]), z + 1),
        "states": ["place", "speed"],
        "discrete": ["hits"],
        "inputs": 1,
    }
    return ss.HybridSystem(**parts | changes)


def switching(**changes):
    """Brakes with force 2 v after the cart's third hit; counts seconds with a clock of its own."""
    parts = {
        "control": lambda plant, own: -2.0 * own.z * plant.x[1],
        "flow": lambda plant, own: 1.0,
        "guard": lambda plant, own: 2.5 - plant.z[0] if not own.z[0] else 1.0,
        "jump": lambda plant, own, due: (own.x, [1.0]),
        "events": ["brake"],
        "states": ["clock"],
        "discrete": ["braking"],
    }
    return ss.HybridController(**parts | changes)


def test_closed_loop_of_a_hybrid_plant_and_a_hybrid_controller():
    """Speed one from the middle: hits at 1, 3 and 5 s; from then on the speed decays as exp(-2 t), over half a metre."""
    loop = cart().controlled_by(switching())
    seen = ss.simulate(loop, [0.0, 1.0, 0.0], [0.0, 0.0], 15.0)
    assert [event.kind for event in seen.events] == ["right", "left", "right", "brake"]
    assert [event.time for event in seen.events] == pytest.approx([1.0, 3.0, 5.0, 5.0], abs=1e-9)
    assert seen.value("hits")[-1] == 3.0
    assert seen.value("braking")[-1] == 1.0
    assert seen.value("clock")[-1] == pytest.approx(15.0, abs=1e-9)
    at = seen.at(5.0 + log(2.0) / 2)
    assert at.x[:2] == pytest.approx([1.0 - 0.25, -0.5], abs=1e-9)
    assert seen.x[-1, 0] == pytest.approx(0.5 + 0.5 * exp(-20.0), abs=1e-8)


def test_both_jump_from_what_both_were_before():
    """Paper 1, (97) and (98): a plant and a controller that jump at one instant do not see each other's jumps."""
    seen = []

    def note(plant, own, due):
        seen.append((plant.x[1], plant.z[0], due))
        return own.x, [1.0]

    loop = cart().controlled_by(switching(guard=lambda plant, own: 1.0 - plant.x[0] if not own.z[0] else 1.0, jump=note))
    run = ss.simulate(loop, [0.0, 1.0, 0.0], [0.0, 0.0], 1.5)
    assert seen == [(1.0, 0.0, ("brake",))]
    assert [event.kind for event in run.events] == ["right", "brake"]
    assert run.value("speed")[-1] == pytest.approx(-exp(-1.0), abs=1e-9)


def test_a_plant_without_a_controller_does_not_run():
    with pytest.raises(ss.ArgumentError, match="must be `controlled_by` a controller"):
        ss.simulate(cart(), [0.0, 1.0], [0.0], 1.0)


@pytest.mark.parametrize(
    ("plant", "controller", "sentence"),
    [
        ({"inputs": 0}, {}, "needs a number of `inputs`"),
        ({"states": []}, {}, "needs the names of its `states`"),
        ({}, {"flow": None}, "needs a flow if it has `states`"),
        ({}, {"jump": None}, "needs `events`, a guard and a jump"),
        ({}, {"states": ["speed"]}, "both have 'speed'"),
    ],
)
def test_loops_that_make_no_sense(plant, controller, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        cart(**plant).controlled_by(switching(**controller))
