"""Controllers in machine code against the same ones in Python."""

import numpy as np
import pytest

import stickslip as ss


def cart():
    b = ss.MechanismBuilder(plane="xz")
    b.body("cart", mass=2.0, inertia=1.0)
    b.prismatic("rail", child="cart", axis=(1, 0))
    b.body("rod", mass=0.5, inertia=0.01)
    b.revolute("hinge", parent="cart", child="rod", at=(0, 0.1))
    b.motor("rail")
    b.motor("hinge")
    return ss.World(ss.Mechanism(b))


def law(t, q, v, tau):
    tau[0] = -3.0 * v[0] + np.sin(5.0 * t)
    tau[1] = -0.1 * q[1] + 0.5 * tau[1]  # tau holds the last inputs


def in_python(period):
    last = np.zeros(2)

    def controller(t, q, v):
        law(t, q, v, last)
        return last.copy()

    controller.period = period
    return controller


@pytest.mark.parametrize("period", [1e-3, 7e-3])
def test_it_gives_the_same_run(period):
    world, q, v = cart(), [0.1, 0.4], [1.0, -2.0]
    compiled = ss.compiled_controller(law, period=period)
    runs = [
        ss.simulate(world, q, v, 0.35, "time-stepping", dt=1e-3, controller=controller)
        for controller in (compiled, in_python(period))
    ]
    assert runs[0].outcome is ss.Outcome.FINISHED
    assert runs[0].tau.shape == (351, 2)
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-12
    assert np.abs(runs[0].tau - runs[1].tau).max() < 1e-12
    assert np.ptp(runs[0].tau, axis=0).min() > 0.01


def test_it_is_asked_every_step_without_a_period():
    compiled = ss.compiled_controller(law)
    run = ss.simulate(cart(), [0.0, 0.0], [0.0, 0.0], 0.1, "time-stepping", dt=1e-3, controller=compiled)
    assert len(set(run.tau[1:, 0])) == 100


def test_what_is_not_finite_ends_the_run_and_keeps_it():
    @ss.compiled_controller
    def controller(t, q, v, tau):
        tau[0] = np.nan if t > 0.0495 else 1.0

    run = ss.simulate(cart(), [0.0, 0.0], [0.0, 0.0], 0.1, "time-stepping", dt=1e-3, controller=controller)
    assert run.outcome is ss.Outcome.CONTROLLER_FAILED
    assert "0.05 s" in run.trouble
    assert len(run) == 51


def test_an_error_that_it_raises_ends_the_run_and_keeps_it():
    @ss.compiled_controller
    def controller(t, q, v, tau):
        if t > 0.0495:
            raise ValueError("too late")
        tau[0] = 1.0

    run = ss.simulate(cart(), [0.0, 0.0], [0.0, 0.0], 0.1, "time-stepping", dt=1e-3, controller=controller)
    assert run.outcome is ss.Outcome.CONTROLLER_FAILED
    assert "from 0.05 s" in run.trouble
    assert "raised an error" in run.trouble
    assert len(run) == 51


def test_it_cannot_move_what_it_controls():
    @ss.compiled_controller
    def controller(t, q, v, tau):
        q[0] = 99.0
        v[:] = -99.0

    runs = [
        ss.simulate(cart(), [0.1, 0.4], [1.0, -2.0], 0.05, "time-stepping", controller=one, dt=1e-3)
        for one in (controller, None)
    ]
    assert (runs[0].q == runs[1].q).all()
    assert (runs[0].v == runs[1].v).all()


@pytest.mark.parametrize("function", [3, "law", np.sin, ss.Material])
def test_what_is_no_function_is_refused(function):
    with pytest.raises(ss.ArgumentError, match="made of a function"):
        ss.compiled_controller(function)


def test_a_function_that_cannot_be_compiled_is_refused():
    with pytest.raises(ss.ArgumentError, match="cannot be compiled"):
        ss.compiled_controller(lambda t, q, v, tau: print(f"{t:.3f}", file=tau))


@pytest.mark.parametrize("period", [0.0, -1.0, np.nan, "often"])
def test_a_period_that_is_none_is_refused(period):
    with pytest.raises(ss.ArgumentError, match="period"):
        ss.compiled_controller(law, period=period)


def test_inputs_of_a_rollout_change_every_step():
    """As a controller in Python gives them."""
    world, steps = cart(), 50
    inputs = np.random.default_rng(1).normal(size=(steps, 2))
    many = ss.rollout(world, [[0.0, 0.1]], [[0.0, 0.0]], steps, 1e-3, inputs)
    run = ss.simulate(
        world, [0.0, 0.1], [0.0, 0.0], 0.05, "time-stepping", dt=1e-3, controller=lambda t, q, v: inputs[round(t / 1e-3)]
    )
    assert (many.q[0] == run.q[-1]).all()
