"""What a trajectory holds and says, and what it refuses."""

import copy
import math
import pickle

import numpy as np
import pytest

import stickslip as ss
from runs import crate, eventful_run, run, same
from stickslip.mechanism import JointKind
from stickslip.simulate import ContactHistory, EventKind, Layout, Verdict

SLIDERS = Layout(joints=("rail",), kinds=(JointKind.PRISMATIC,), motors=("rail",))
FLAT = Layout(plane="xz", joints=("root",), kinds=(JointKind.PLANAR,))


# ---- layout --------------------------------------------------------------------------------------------------------


def test_the_layout_is_that_of_the_mechanism():
    mechanism = crate()
    layout = Layout.of(mechanism)
    assert (layout.nq, layout.nv, layout.nu) == (mechanism.nq, mechanism.nv, mechanism.nu)
    assert list(layout.joints) == mechanism.joint_names
    assert list(layout.motors) == mechanism.motor_names
    for joint in layout.joints:
        assert layout.coordinates(joint) == mechanism.coordinates(joint)
    with pytest.raises(ss.ArgumentError, match="no joint 'hop'; did you mean 'hip'"):
        layout.coordinates("hop")


def test_every_coordinate_has_a_name_and_a_unit():
    layout = Layout.of(crate())
    assert layout.position_names[:8] == (*(f"root.{part}" for part in ("x", "y", "z", "qw", "qx", "qy", "qz")), "hip")
    assert layout.velocity_names[:7] == (*(f"root.{part}" for part in ("vx", "vy", "vz", "wx", "wy", "wz")), "hip")
    assert layout.position_units == ("m",) * 3 + ("1",) * 4 + ("rad",) + ("1",) * 4
    assert layout.velocity_units == ("m s-1",) * 3 + ("rad s-1",) * 7
    assert (FLAT.position_units, FLAT.velocity_units) == (("m", "m", "rad"), ("m s-1", "m s-1", "rad s-1"))
    assert (SLIDERS.position_units, SLIDERS.velocity_units) == (("m",), ("m s-1",))
    for one in (layout, FLAT, SLIDERS):
        assert len(one.position_names) == len(one.position_units) == one.nq
        assert len(one.velocity_names) == len(one.velocity_units) == one.nv


# ---- contacts --------------------------------------------------------------------------------------------------------


def test_a_contact_is_zero_where_it_is_not_closed():
    history = ContactHistory(
        names=("toe on floor", "heel:0 on floor", "heel:1 on floor"),
        sample=[1, 1, 2, 4],
        contact=[1, 0, 1, 2],
        force=[[3.0, 1.0], [2.0, 0.5], [4.0, -1.0], [5.0, 0.0]],
        gap=[0.0, 1e-9, np.nan, -1e-10],
        letter="FRLS",
    )
    traj = run(FLAT, np.arange(5.0), contacts=history)
    assert traj.mode == ("", "FR", "L", "", "S")
    heel = traj.contact("heel:0 on floor")
    assert heel.force.tolist() == [[0, 0], [3, 1], [4, -1], [0, 0], [0, 0]]
    assert heel.mode.tolist() == ["", "F", "L", "", ""]
    assert np.array_equal(heel.gap, [np.nan, 0.0, np.nan, np.nan, np.nan], equal_nan=True)
    assert traj.contact("toe").name == "toe on floor"
    with pytest.raises(ss.ArgumentError, match="'heel' stands for several contacts; name one of 'heel:0 on floor', 'heel:1"):
        traj.contact("heel")
    with pytest.raises(
        ss.ArgumentError, match="no contact 'toe on flor' was ever closed in this run; did you mean 'toe on floor'"
    ):
        traj.contact("toe on flor")
    with pytest.raises(ss.ArgumentError, match="no contact 3 was ever closed"):
        traj.contact(3)


def test_letters_may_be_words_letters_or_codes():
    def letters(given):
        return ContactHistory(
            names=("a",), sample=[0, 1], contact=[0, 0], force=np.zeros((2, 3)), gap=np.zeros(2), letter=given
        ).letter.tolist()

    codes = [ord("F"), ord("D")]
    for given in ("FD", ["F", "D"], np.array(["F", "D"]), codes, np.array(codes, dtype=np.uint8)):
        assert letters(given) == ["F", "D"]


# ---- nothing can be changed --------------------------------------------------------------------------------------------


def _arrays(traj):
    history, trace = traj.contacts, traj.contact("Zeh")
    samples = [traj.time, traj.q, traj.v, traj.tau, traj.energy]
    return samples + [history.sample, history.contact, history.force, history.gap, history.letter, *trace[1:]]


@pytest.mark.parametrize("copied", [lambda traj: traj, copy.deepcopy, lambda traj: pickle.loads(pickle.dumps(traj))])
def test_nothing_can_be_changed_and_copies_are_the_same(copied):
    original = eventful_run()
    traj = copied(original)
    assert same(traj, original)
    for array in _arrays(traj):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(AttributeError):
        traj.outcome = ss.Outcome.FINISHED
    with pytest.raises(TypeError):
        traj.settings["dt"] = 2.0
    with pytest.raises(TypeError):
        traj.settings["tolerances"]["gap"] = 2.0


def test_what_was_given_may_change_afterwards():
    q, settings = np.ones((2, 1)), {"dt": 0.1, "list": [1]}
    traj = run(SLIDERS, [0.0, 1.0], q, settings=settings)
    q[:], settings["dt"] = 7.0, 9.0
    settings["list"].append(2)
    assert traj.q.tolist() == [[1.0], [1.0]]
    assert traj.settings == {"dt": 0.1, "list": (1,)}


# ---- words -----------------------------------------------------------------------------------------------------------


def test_only_a_finished_run_counts_as_true():
    assert [outcome for outcome in ss.Outcome if outcome] == [ss.Outcome.FINISHED]
    assert all(outcome.value.endswith(".") for outcome in ss.Outcome)


def test_an_event_knows_its_kind_and_its_impulses():
    event = ss.Event(np.float64(0.5), "collision", ["ball", "hip"], [[2.0, -1.0], [0.5]], -3)
    assert event.kind is EventKind.COLLISION
    assert (event.contacts, event.impulses) == (("ball", "hip"), ((2.0, -1.0), (0.5,)))
    assert (event.normal_impulse("ball"), event.normal_impulse("hip")) == (2.0, 0.5)
    assert str(event) == "collision of ball, hip at 0.5 s"
    assert ss.Event(0.5, "relay clicks").kind == "relay clicks"
    assert math.isnan(ss.Event(0.5, "slip", ("toe",)).normal_impulse("toe"))
    with pytest.raises(ss.ArgumentError, match="'toe' has no part in this event, but ball, hip"):
        event.normal_impulse("toe")


def test_it_tells_its_story():
    history = ContactHistory(
        names=("toe",), sample=[0, 2], contact=[0, 0], force=[[2.0, 1.0], [30.0, 0.0]], gap=[0, 0], letter="RF"
    )
    traj = run(
        FLAT,
        [0.0, 0.5, 1.0],
        energy=[[1.0, 2.0], [0.5, 1.5], [0.25, 1.25]],
        contacts=history,
        events=[ss.Event(0.1, "slip", ("toe",)), ss.Event(0.4, "stick", ("toe",)), ss.Event(0.7, "slip", ("toe",))],
        certificates=eventful_run().certificates,
        outcome=ss.Outcome.CONTROLLER_FAILED,
        trouble="the controller gave 2 inputs, not 3.",
        settings={"method": "time-stepping", "dt": 0.5},
    )
    assert str(traj).splitlines() == [
        "trajectory of 'mechanism': 3 samples from 0 s to 1 s, time-stepping, dt = 0.5 s",
        "  toe: closed at 2 samples (F 1, R 1), at most 30 N",
        "  events: 2 slip, 1 stick; the first: slip of toe at 0.1 s",
        "  energy: 3 J at first, 1.5 J at last, 0.25 J of it kinetic",
        "  certificates: 1; no solution exists at 0.1 s",
        "  the controller raised an error, or gave inputs that are none.",
        "  the controller gave 2 inputs, not 3.",
    ]
    assert repr(traj) == "<Trajectory of 'mechanism': 3 samples in 1 s, CONTROLLER_FAILED>"


def test_a_verdict_is_what_the_certificate_said():
    block = ss.ContactProblem(mass=np.eye(2), bias=[0.0, 9.81], jacobian=[[0, 1], [1, 0]], friction=[0.5])
    certificate = block.solve().certificate
    verdict = Verdict.of(0.25, certificate)
    assert (verdict.existence, verdict.motion, verdict.force) == ("yes", "unique", "unique")
    assert verdict.text == str(certificate)
    assert str(verdict).startswith("at 0.25 s:\n  existence: yes")


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [-1e-9, 1.1, math.nan, [0.0, 2.0]])
def test_outside_of_the_run_there_is_no_state(t):
    with pytest.raises(ss.ArgumentError, match=r"must lie within the run, from 0\.0 s to 1\.0 s"):
        run(SLIDERS, [0.0, 1.0]).at(t)


@pytest.mark.parametrize("t", ["soon", None, True, [[0.0]], [[0.0], [0.0, 1.0]], 1j])
def test_what_is_no_time(t):
    with pytest.raises(ss.ArgumentError, match="the time must be a number or a sequence of numbers"):
        run(SLIDERS, [0.0, 1.0]).at(t)


def test_an_empty_trajectory_has_no_states():
    traj = run(SLIDERS, [])
    assert (len(traj), traj.duration, traj.mode, traj.contact_names) == (0, 0.0, (), ())
    assert "0 samples" in str(traj)
    with pytest.raises(ss.ArgumentError, match="no samples"):
        traj.at(0.0)


def _history(**changes):
    given = {"names": ("a", "b"), "sample": [0, 1], "contact": [0, 1], "force": np.zeros((2, 2)), "gap": [0, 0], "letter": "FF"}
    return ContactHistory(**given | changes)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"names": ("a", "a")}, "names that differ"),
        ({"sample": [1, 0]}, "in the order of their samples"),
        ({"sample": [0, 0], "contact": [1, 1]}, "only one record for each sample"),
        ({"sample": [0, -1]}, "samples of the contacts must lie between"),
        ({"sample": [0.0, 1.0]}, "must be 2 integers"),
        ({"contact": [0, 2]}, "must lie between 0 and 1, but go from 0 to 2"),
        ({"force": np.zeros((2, 4))}, r"shape \(2, 2\) or \(2, 3\), not \(2, 4\)"),
        ({"force": np.zeros((3, 2))}, r"must have shape \(2, 2\), not \(3, 2\)"),
        ({"force": 1.0}, r"not \(\)"),
        ({"gap": [0.0]}, r"the gap of the contacts must have shape \(2,\)"),
        ({"letter": "F"}, "one letter for each of 2 records"),
        ({"letter": ["FF", "F"]}, "one letter for each of 2 records"),
        ({"letter": "fr"}, "capital letters"),
    ],
)
def test_bad_histories(changes, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        _history(**changes)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"time": [0.0, -1.0]}, "none before the one that it follows"),
        ({"time": [0.0, np.nan]}, "must be finite"),
        ({"time": [[0.0, 1.0]]}, "the time must have shape"),
        ({"time": 1.0}, "must have shape"),
        ({"q": np.zeros((2, 2))}, r"q must have shape \(2, 1\), not \(2, 2\)"),
        ({"v": np.zeros(2)}, r"v must have shape \(2, 1\), not \(2,\)"),
        ({"tau": [["a"], ["b"]]}, "tau must hold real numbers"),
        ({"energy": np.zeros((2, 1))}, "energy must have shape"),
        ({"contacts": _history(sample=[0, 2])}, "a record of sample 2, but there are 2 samples"),
        ({"contacts": None}, "the contacts of a trajectory must be ContactHistory"),
        ({"events": ["bang"]}, "the events of a trajectory must be Event objects, not 'bang'"),
        ({"certificates": ["yes"]}, "must be Verdict objects"),
        ({"outcome": "finished"}, "the outcome of a trajectory must be Outcome, not 'finished'"),
        ({"trouble": None}, "the trouble of a trajectory must be str"),
        ({"settings": ["dt"]}, "must be a mapping"),
        ({"settings": {"dt": 1j}}, "'dt' in the settings must be made of numbers, words"),
        ({"settings": {1: 2}}, "keys of the settings must be words"),
    ],
)
def test_bad_trajectories(changes, sentence):
    good = {"q": np.zeros((2, 1)), "v": np.zeros((2, 1)), "tau": np.zeros((2, 1)), "energy": np.zeros((2, 2))}
    good |= {"time": [0.0, 1.0], "contacts": ContactHistory.none(planar=False)}
    assert len(ss.Trajectory(layout=SLIDERS, **good)) == 2
    with pytest.raises(ss.ArgumentError, match=sentence):
        ss.Trajectory(layout=SLIDERS, **good | changes)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("soon", "slip"), "the time of an event must be a number, not 'soon'"),
        ((math.inf, "slip"), "the time of an event must be finite, not inf"),
        ((0.0, ""), "the kind of an event must be a word"),
        ((0.0, "slip", "toe"), "must be a sequence of names, not 'toe'"),
        ((0.0, "slip", (1,)), "must be a sequence of names"),
        ((0.0, "slip", ("toe",), ((1.0,), (2.0,))), "one impulse for each of its 1 contacts, or none, not 2"),
        ((0.0, "slip", ("toe",), ((),)), "one to three components"),
        ((0.0, "slip", (), (), math.nan), "the energy change of an event must be finite"),
    ],
)
def test_bad_events(arguments, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        ss.Event(*arguments)


def test_a_layout_needs_a_kind_for_every_joint():
    with pytest.raises(ss.ArgumentError, match="one kind for each of its 2 joints, not 1"):
        Layout(joints=("a", "b"), kinds=(JointKind.BALL,))
