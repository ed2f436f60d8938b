"""Many starts at once: each ends as it does alone, to the last bit, and none of them spoils another."""

import os
import pickle
import signal
import threading

import numpy as np
import pytest

import stickslip as ss

STEPS, DT = 1000, 2e-3


def chain(motors=False):
    """Three balls in a row that swing into a floor: flight, impacts, dragging along."""
    b = ss.MechanismBuilder(plane="xz")
    for k in range(3):
        b.body(f"link_{k}", mass=1.0, centre=(0.25, 0), inertia=0.02, shapes=[ss.Disc(radius=0.2, centre=(0.25, 0, 0))])
        b.revolute(f"hinge_{k}", parent=f"link_{k - 1}" if k else "world", child=f"link_{k}", at=(0.5, 0) if k else (0, 1.2))
    if not motors:
        b.passive()
    floor = ss.HalfSpace(normal=(0, 0, 1), name="floor")
    return ss.World(ss.Mechanism(b), obstacles=[floor], material=ss.Material(0.4, restitution=0.3))


def starts(count, seed=0):
    rng = np.random.default_rng(seed)
    return np.tile([np.pi, 0.0, 0.0], (count, 1)) + rng.uniform(-0.3, 0.3, (count, 3)), rng.normal(0.0, 1.5, (count, 3))


def hinge():
    """A pendulum with a motor, in free air."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("rod", mass=1.0, centre=(0, -0.5), inertia=0.1)
    b.revolute("hinge", child="rod")
    return ss.World(ss.Mechanism(b))


def bits(array):
    return np.ascontiguousarray(array).view(np.int64)


# ---- the same as one at a time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_the_same_bits_as_one_at_a_time(threads):
    world, (q, v) = chain(), starts(12)
    many = ss.rollout(world, q, v, STEPS, DT, threads=threads)
    collisions = 0
    for k in range(12):
        run = ss.simulate(world, q[k], v[k], STEPS * DT, "time-stepping", dt=DT)
        assert (bits(many.q[k]) == bits(run.q[-1])).all()
        assert (bits(many.v[k]) == bits(run.v[-1])).all()
        assert many.outcome[k] is run.outcome is ss.Outcome.FINISHED
        collisions += len(run.events)
    assert collisions > 24, collisions  # they do not just fly


def test_what_a_thread_did_before_does_not_matter():
    """One thread takes the starts forwards and backwards, so that each follows on another one."""
    world, (q, v) = chain(), starts(12, seed=1)
    there = ss.rollout(world, q, v, STEPS, DT, threads=1)
    back = ss.rollout(world, q[::-1], v[::-1], STEPS, DT, threads=1)
    assert (bits(there.q) == bits(back.q[::-1])).all()
    assert (bits(there.v) == bits(back.v[::-1])).all()


def test_samples_are_those_of_a_run():
    world, (q, v) = chain(), starts(4)
    many = ss.rollout(world, q, v, 95, DT, record_every=10)
    assert many.samples.q.shape == (4, 10, 3)
    for k in range(4):
        run = ss.simulate(world, q[k], v[k], 95 * DT, "time-stepping", dt=DT, record_every=10)
        assert len(run) == 11  # its end as well, which is a row of `many.q`
        assert (bits(many.samples.time) == bits(run.time[:-1])).all()
        assert (bits(many.samples.q[k]) == bits(run.q[:-1])).all()
        assert (bits(many.samples.v[k]) == bits(run.v[:-1])).all()
        assert (bits(many.q[k]) == bits(run.q[-1])).all()


def test_more_samples_than_a_record_holds():
    world = hinge()
    many = ss.rollout(world, [[0.1], [0.2]], [[0.0], [0.0]], 5000, 1e-3, record_every=1)
    run = ss.simulate(world, [0.2], [0.0], 5.0, "time-stepping", dt=1e-3)
    assert (bits(many.samples.q[1]) == bits(run.q)).all()
    assert (many.samples.q[:, -1] == many.q).all()


def test_in_space_with_the_exact_cone_and_along_directions():
    b = ss.MechanismBuilder()
    b.body("cube", mass=1.0, inertia=np.diag([0.0067] * 3), shapes=[ss.Box(size=(0.2, 0.2, 0.2))])
    b.free("root", child="cube")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 0, 1))])
    q = np.tile(world.mechanism.neutral(), (4, 1))
    q[:, 2] = 0.1 + 0.01 * np.arange(4)
    v = np.tile([1.0, 0.3, 0, 0, 0, 0.2], (4, 1))
    for directions in (None, 6):
        many = ss.rollout(world, q, v, 150, DT, threads=2, directions=directions)
        for k in range(4):
            run = ss.simulate(world, q[k], v[k], 0.3, "time-stepping", dt=DT, directions=directions)
            assert (bits(many.q[k]) == bits(run.q[-1])).all()


def test_the_closed_form_of_many_throws():
    b = ss.MechanismBuilder(plane="xz")
    b.body("ball", mass=1.0, inertia=0.004)
    b.planar("root", child="ball")
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    many = ss.rollout(ss.World(ss.Mechanism(b)), q, v, 100, 0.01)
    assert many.q == pytest.approx(q + v - [0, 9.81 / 2, 0], rel=1e-11)
    assert many.v == pytest.approx(v - [0, 9.81, 0], rel=1e-11)


# ---- inputs ----------------------------------------------------------------------------------------------------------


class Played:
    """A controller that plays rows of inputs, one a step."""

    def __init__(self, rows, period):
        self.rows, self.period = rows, period

    def __call__(self, t, q, v):
        return self.rows[round(t / self.period)]


@pytest.mark.parametrize("per_start", [False, True])
def test_inputs_are_those_of_a_controller(per_start):
    world, (q, v) = chain(motors=True), starts(3)
    nu = world.mechanism.nu
    inputs = np.random.default_rng(3).normal(0.0, 3.0, (3, 100, nu) if per_start else (100, nu))
    inputs[..., 40:60, :] = inputs[..., 40:41, :]  # rows that stay are one stretch
    many = ss.rollout(world, q, v, 100, DT, inputs, threads=2)
    assert nu > 0
    for k in range(3):
        controller = Played(inputs[k] if per_start else inputs, DT)
        run = ss.simulate(world, q[k], v[k], 100 * DT, "time-stepping", dt=DT, controller=controller)
        assert (bits(many.q[k]) == bits(run.q[-1])).all()
        assert (bits(many.v[k]) == bits(run.v[-1])).all()


def test_the_closed_form_of_inputs():
    """A cart of 2 kg under rows of forces: its velocity is their sum times dt / m."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("cart", mass=2.0, inertia=0.1)
    b.prismatic("rail", child="cart", axis=(1, 0))
    forces = np.random.default_rng(0).normal(size=(7, 50, 1))
    many = ss.rollout(ss.World(ss.Mechanism(b)), np.zeros((7, 1)), np.zeros((7, 1)), 50, 0.01, forces)
    assert many.v == pytest.approx(forces.sum(axis=1) * 0.01 / 2, abs=1e-12)


# ---- what goes wrong ---------------------------------------------------------------------------------------------------


def test_a_start_that_fails_on_its_way_spoils_no_other():
    """With room for a single contact, a box may fall on a corner, and fails where it falls on two."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("box", mass=1.0, inertia=0.1, shapes=[ss.Box(size=(0.2, 0.2, 0.2))])
    b.planar("root", child="box")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 0, 1))])
    q, v = np.array([[0, 0.5, 0.3], [0, 0.2, 0.0], [0, 0.6, -0.3]]), np.zeros((3, 3))
    many = ss.rollout(world, q, v, 150, DT, most_contacts=1, record_every=20, threads=1)
    runs = [ss.simulate(world, q[k], v[k], 0.3, "time-stepping", dt=DT, most_contacts=1, record_every=20) for k in range(3)]
    assert [outcome.name for outcome in many.outcome] == ["FINISHED", "TROUBLE", "FINISHED"]
    assert many.outcome == tuple(run.outcome for run in runs)
    assert many.trouble == tuple(run.trouble for run in runs)
    assert "most_contacts" in many.trouble[1]
    assert np.isnan(many.q[1]).all()
    assert np.isnan(many.v[1]).all()
    for k, run in enumerate(runs):
        regular = len(run) - 1  # samples; then its end
        assert (bits(many.samples.q[k, :regular]) == bits(run.q[:regular])).all()
        assert np.isnan(many.samples.q[k, regular:]).all()
    assert 1 < len(runs[1]) < len(runs[0]) == len(runs[2])


def test_a_start_in_an_overlap_spoils_no_other():
    world, (q, v) = chain(), starts(3)
    q[1] = [-np.pi / 2, 0.0, 0.0]  # straight down
    many = ss.rollout(world, q, v, 10, DT)
    assert [outcome.name for outcome in many.outcome] == ["FINISHED", "OVERLAP", "FINISHED"]
    assert "'link_2' overlaps 'floor'" in many.trouble[1]
    assert np.isnan(many.q[1]).all()
    assert not np.isnan(many.q[[0, 2]]).any()


def test_an_interruption_gives_what_was_done():
    """Ctrl-C after a moment: what was through is kept, the others say INTERRUPTED."""
    world = ss.robots.pendulum(links=3).world
    q, v = np.tile([1.5, 0.0, 0.0], (20_000, 1)), np.zeros((20_000, 3))
    ss.rollout(world, q[:1], v[:1], 1, 1e-3)  # compiles
    timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    many = ss.rollout(world, q, v, 5000, 1e-3)
    timer.join()
    names = {outcome.name for outcome in many.outcome}
    assert names == {"FINISHED", "INTERRUPTED"}
    through = np.array([bool(outcome) for outcome in many.outcome])
    assert not np.isnan(many.q[through]).any()
    assert np.isnan(many.q[~through]).all()


GOOD = {"world": hinge(), "q0s": [[0.1], [0.2]], "v0s": [[0.0], [0.0]], "steps": 10, "dt": 1e-3}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"world": 3}, "what is simulated must be a World, not 3"),
        ({"q0s": [0.1, 0.2]}, r"q0s must have shape \(starts, 1\), not \(2,\)"),
        ({"q0s": [[0.1, 0.2]]}, r"q0s must have shape \(starts, 1\), not \(1, 2\)"),
        ({"q0s": [[0.1], [0.2, 0.3]]}, "q0s must be an array, not a ragged sequence"),
        ({"q0s": [["a"], ["b"]]}, "q0s must hold real numbers"),
        ({"q0s": [[0.1], [np.nan]]}, "q0s must be finite, but row 1 is not"),
        ({"v0s": [[0.0]]}, r"v0s must have shape \(2, 1\), not \(1, 1\)"),
        ({"v0s": [[np.inf], [0.0]]}, "v0s must be finite, but row 0 is not"),
        ({"steps": 0}, "steps must be a whole number of at least 1, not 0"),
        ({"steps": 10.0}, "steps must be a whole number of at least 1, not 10.0"),
        ({"steps": True}, "steps must be a whole number"),
        ({"dt": 0.0}, "the step dt must be a positive time in s, not 0.0"),
        ({"dt": np.nan}, "the step dt must be a positive time in s, not nan"),
        ({"dt": "1 ms"}, "the step dt must be a positive time in s"),
        ({"inputs": np.zeros((9, 1))}, r"inputs must have shape \(10, 1\), not \(9, 1\)"),
        ({"inputs": np.zeros((3, 10, 1))}, r"inputs must have shape \(2, 10, 1\), not \(3, 10, 1\)"),
        ({"inputs": np.zeros(10)}, r"inputs must have shape \(2, 10, 1\), not \(10,\)"),
        ({"inputs": np.full((10, 1), np.inf)}, "inputs must be finite, but row 0 is not"),
        ({"threads": 0}, "threads must be a whole number of at least 1, not 0"),
        ({"record_every": -1}, "record_every must be a whole number of at least 1, not -1"),
        ({"most_contacts": 0}, "most_contacts must be a whole number of at least 1"),
        ({"directions": 5}, "directions must be even"),
        ({"directions": 2}, "directions must be a whole number of at least 4"),
    ],
)
def test_bad_arguments(changes, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        ss.rollout(**GOOD | changes)


# ---- the result ------------------------------------------------------------------------------------------------------


def test_nothing_in_a_result_can_be_changed_and_copies_are_alike():
    many = ss.rollout(**GOOD, record_every=5)
    with pytest.raises(ValueError, match="read-only"):
        many.q[0] = 1.0
    again = pickle.loads(pickle.dumps(many))
    assert (again.q == many.q).all()
    assert again.outcome == many.outcome
    for part in (again.v, *again.samples, *many.samples):
        assert not part.flags.writeable
    assert repr(many) == "<Rollout of 2 starts, of which 2 finished>"
    assert ss.rollout(**GOOD).samples is None


def test_no_starts_are_no_results():
    many = ss.rollout(**GOOD | {"q0s": np.zeros((0, 1)), "v0s": np.zeros((0, 1))}, record_every=1)
    assert (len(many), many.q.shape, many.samples.q.shape) == (0, (0, 1), (0, 11, 1))


def test_the_starts_are_left_alone():
    q, v = np.array([[0.1], [0.2]]), np.array([[1.0], [2.0]])
    many = ss.rollout(**GOOD | {"q0s": q, "v0s": v})
    assert (q.tolist(), v.tolist()) == ([[0.1], [0.2]], [[1.0], [2.0]])
    q[:] = 7.0
    assert many.q[0, 0] < 1.0
