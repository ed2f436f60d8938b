"""Limits, dry friction and loops of random chains: against contact problems, and one technique against another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stickslip as ss

BETWEEN = settings(max_examples=25, deadline=None)
SEEDS = st.integers(0, 10**6)


def chain(seed, plane, *, loop=False, weight=9.81, apart=False):
    """Four links with limits and dry friction at random, the first and the last maybe joined by a belt.

    Some are at their limits, at rest or leaving. Where limits and dry friction are kept `apart`, it is clear which of
    them holds a joint.
    """
    rng = np.random.default_rng(seed)
    b = ss.MechanismBuilder(plane=plane, gravity=(0, 0, -weight))
    lift = (lambda x: (x, 0)) if plane else (lambda x: (x, 0, 0))
    q, v = rng.uniform(-1.2, 1.2, 4), rng.normal(0, 1, 4) * (rng.random(4) < 0.6)
    has_limits = [False] * 4
    for k in range(4):
        moment = rng.uniform(0.05, 0.2)
        inertia = moment if plane else np.diag([0.01, moment, moment])
        b.body(f"link_{k}", mass=rng.uniform(0.5, 2.0), centre=lift(rng.uniform(0.2, 0.8)), inertia=inertia)
        parent = {"parent": f"link_{k - 1}", "at": lift(1.0)} if k else {}
        dry, kind, options = rng.random() < 0.6, rng.integers(3), {}
        if kind == 0 and not loop:
            v[k] = -abs(v[k])
            options["limits"] = (-10.0, q[k])
        elif kind == 1 and not (loop and apart and k == 3):
            options["limits"] = (q[k] - rng.uniform(0.1, 0.5), 2.0)
        has_limits[k] = "limits" in options
        if dry and not (apart and (has_limits[k] or (loop and k == 3 and has_limits[0]))):
            options["dry_friction"] = rng.uniform(0.5, 10)
        b.revolute(f"hinge_{k}", child=f"link_{k}", **parent, **({} if plane else {"axis": (0, -1, 0)}), **options)
    b.motor("hinge_1")
    if loop:
        b.couple({"hinge_0": 1.0, "hinge_3": -1.0}, offset=q[0] - q[3], name="belt")
        v[3] = v[0]
    return ss.World(ss.Mechanism(b)), q, v


def stepped(world, q, v, duration, **more):
    run = ss.simulate(world, q, v, duration, "time-stepping", **more)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    return run


@pytest.mark.parametrize(("plane", "more"), [("xz", {}), (None, {}), (None, {"directions": 6})], ids=["plane", "cone", "six"])
@BETWEEN
@given(SEEDS, st.booleans())
def test_a_short_step_has_the_accelerations_of_the_contact_problem(plane, more, seed, loop):
    world, q, v = chain(seed, plane, loop=loop)
    h = 1e-7
    run = stepped(world, q, v, h, dt=h, controller=lambda t, q, v: [1.5], **more)
    expected = ss.contact_problem(world, q, v).solve([1.5])
    assert (run.v[1] - v) / h == pytest.approx(expected.acceleration, rel=1e-4, abs=1e-4)


@BETWEEN
@given(SEEDS, st.booleans())
def test_plane_cone_and_directions_move_alike(seed, loop):
    """No contact with two tangents takes part, so that all three are exact."""
    runs = []
    for plane, more in (("xz", {}), (None, {}), (None, {"directions": 6})):
        world, q, v = chain(seed, plane, loop=loop, apart=True)
        runs.append(stepped(world, q, v, 0.5, dt=2e-3, **more))
    for run in runs[1:]:
        assert run.q == pytest.approx(runs[0].q, abs=1e-7)
        assert [(event.kind, event.contacts) for event in run.events] == [
            (event.kind, event.contacts) for event in runs[0].events
        ]
    joints = world.mechanism.description.moving_joints
    for joint, angle in zip(joints, runs[0].q.T, strict=True):
        assert (angle > joint.limits[0] - 1e-9).all()
        assert (angle < joint.limits[1] + 1e-9).all()


@BETWEEN
@given(SEEDS, st.booleans())
def test_without_weight_energy_only_falls(seed, loop):
    """Limits take it, dry friction takes it, loops keep it; a step's own error is of second order in its length."""
    world, q, v = chain(seed, "xz", loop=loop, weight=0.0)
    energy = stepped(world, q, v, 0.5, dt=1e-4).energy.sum(axis=1)
    assert np.diff(energy).max() < 1e-5 * energy[0] + 1e-15


def test_many_starts_at_once_give_the_bits_of_single_runs():
    """Also with limits, dry friction and loops, where a stepper that is used again must have forgotten all."""
    world, q, v = chain(7, "xz", loop=True)
    q0s, v0s = np.repeat(q[None], 6, axis=0), np.linspace(0.2, 1.5, 6)[:, None] * v
    many = ss.rollout(world, q0s, v0s, steps=200, dt=1e-3, threads=2)
    for k in range(6):
        one = stepped(world, q0s[k], v0s[k], 0.2, dt=1e-3)
        assert (many.q[k] == one.q[-1]).all()
        assert (many.v[k] == one.v[-1]).all()
