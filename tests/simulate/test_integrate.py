"""The integrator: its order, its dense output, and guards of which none is skipped, doubled or late."""

from math import cos, pi, sin, sqrt
from typing import NamedTuple

import numpy as np
import pytest
from numba import cfunc
from scipy.integrate import solve_ivp

from stickslip.dynamics.piece import Floats1, block_of, reader_of
from stickslip.simulate.integrate import Integrator, between
from stickslip.simulate.integrate_call import address_at, callback, callback_address
from stickslip.simulate.integrate_parts import (
    ANY,
    DONE,
    EVENT,
    FALLING,
    FULL,
    INSIDE,
    NEED_CONTROL,
    NO_GUARD,
    NOT_FINITE,
    RISING,
    TOO_SHORT,
)

C = "void(double, CPointer(double), CPointer(double), CPointer(double))"


@cfunc(C)
def circle(t, y, p, out):
    out[0], out[1] = y[1], -y[0]


@cfunc(C)
def swing(t, y, p, out):
    out[0], out[1] = y[1], -sin(y[0]) + 0.3 * cos(2 * t)


@cfunc(C)
def fall(t, y, p, out):
    out[0], out[1] = y[1], -10.0


@cfunc(C)
def lift(t, y, p, out):
    out[0], out[1] = y[1], 10.0


@cfunc(C)
def steady(t, y, p, out):
    out[0] = 1.0


@cfunc(C)
def first(t, y, p, out):
    out[0] = y[0]


def integrator(rates, size, guards=None, watch=(), tight=1e-10, **more):
    address = guards.address if guards is not None else 0
    return Integrator(
        rates.address, size=size, guards=address, watch=watch, relative=tight, absolute=np.full(size, tight), **more
    )


def guard(expression):
    """A compiled guard of the time and of y, from its text."""
    scope = {"sin": sin, "cos": cos}
    exec(f"def values(t, y, p, out):\n    {expression}", scope)
    return cfunc(C)(scope["values"])


# ---- order -------------------------------------------------------------------------------------------------------------


def of_fixed_steps(count):
    """The driven pendulum over one second in steps of one length, after a short start: the error at the end, and in between."""
    flow = integrator(swing, 2, tight=1e9, longest=1.0 / count)
    flow.start(0.0, [1.0, 0.5])
    assert flow.advance(end=1.0) == DONE
    steps = flow.take()
    assert count <= len(steps.time) <= count + 5
    fine = integrator(swing, 2, tight=1e-13)
    fine.start(0.0, [1.0, 0.5])
    fine.advance(end=1.0)
    exact = fine.take()
    times = np.linspace(0.0, 1.0, 401)[1:-1]
    off = np.abs(dense([1.0, 0.5], steps, times) - dense([1.0, 0.5], exact, times)).max()
    return np.abs(steps.y[-1] - exact.y[-1]).max(), off


def dense(y0, steps, times):
    starts, ends = np.concatenate([[0.0], steps.time[:-1]]), steps.time
    k = np.searchsorted(ends, times)
    before = np.vstack([y0, steps.y[:-1]])
    return between((times - starts[k]) / (ends[k] - starts[k]), before[k], steps.y[k], steps.bends[k])


def test_order_five_at_the_end_and_four_in_between():
    (coarse, coarse_between), (fine, fine_between) = of_fixed_steps(10), of_fixed_steps(20)
    assert 2**4.6 < coarse / fine < 2**6.0
    assert 2**4.5 < coarse_between / fine_between < 2**6.0  # a local error of order 5 everywhere


def test_tolerance_is_kept_over_a_hundred_turns():
    for tight in (1e-6, 1e-9, 1e-12):
        flow = integrator(circle, 2, tight=tight)
        flow.start(0.0, [1.0, 0.0])
        while flow.advance(end=200 * pi) == FULL:
            flow.take()
        assert np.abs(flow.state - [1.0, 0.0]).max() < 1e3 * tight


def test_against_scipy():
    flow = integrator(swing, 2, tight=1e-11)
    flow.start(0.0, [1.0, 0.5])
    assert flow.advance(end=10.0) == DONE
    steps = flow.take()
    t = np.linspace(0.01, 10.0, 500)
    peer = solve_ivp(
        lambda t, y: (y[1], -sin(y[0]) + 0.3 * cos(2 * t)), (0, 10), [1.0, 0.5], "DOP853", t, rtol=1e-12, atol=1e-12
    )
    assert dense([1.0, 0.5], steps, t) == pytest.approx(peer.y.T, abs=2e-9)


def test_same_run_twice_gives_the_same_bits():
    def run():
        flow = integrator(swing, 2, guard("out[0] = y[0]"), [ANY])
        flow.start(0.0, [1.0, 0.5])
        found = []
        while flow.advance(end=50.0) == EVENT:
            found.append((flow.time, *flow.state))
            flow.restart(at_zero=flow.fired)
        return np.array(found).tobytes()

    assert run() == run()


# ---- stops -------------------------------------------------------------------------------------------------------------


def test_it_stops_for_control_and_when_its_record_is_full():
    flow = integrator(circle, 2, room=4)
    flow.start(0.0, [1.0, 0.0])
    taken, answers = 0, []
    while True:
        answers.append(flow.advance(end=2.0, until=1.0 if flow.time < 1.0 else 2.0))
        taken += len(flow.take().time)
        if answers[-1] == NEED_CONTROL:
            assert flow.time == 1.0
            assert flow.state == pytest.approx([cos(1.0), -sin(1.0)], abs=1e-9)
            flow.restart()
        if answers[-1] == DONE:
            break
    assert answers.count(NEED_CONTROL) == 1
    assert answers.count(FULL) >= taken // 4 - 2 > 2
    assert flow.time == 2.0
    assert flow.state == pytest.approx([cos(2.0), -sin(2.0)], abs=1e-9)


def test_rates_beyond_numbers():
    explosion = guard("out[0] = y[0] * y[0]")  # y = 1 / (1 - t)
    flow = integrator(explosion, 1)
    flow.start(0.0, [1.0])
    while (status := flow.advance(end=2.0)) == FULL:
        flow.take()
    assert status in (TOO_SHORT, NOT_FINITE)
    assert flow.time == pytest.approx(1.0, abs=1e-6)
    flow.start(0.0, [np.nan])
    assert flow.advance(end=2.0) == NOT_FINITE


def test_a_function_of_the_package_is_called_by_address_too():
    @callback
    def rates(t, y, p, out):
        out[0] = p[0] * y[0]

    given = np.array([-2.0])
    flow = Integrator(callback_address(rates), size=1, given=given.ctypes.data, relative=1e-12, absolute=np.array([1e-12]))
    flow.start(0.0, [1.0])
    flow.advance(end=1.0)
    assert flow.state[0] == pytest.approx(np.exp(-2.0), abs=1e-11)


class Pull(NamedTuple):
    springs: Floats1
    damping: Floats1


pull_at = reader_of(Pull)


def test_a_function_may_find_its_arrays_in_a_block():
    @callback
    def rates(t, y, p, out):
        s = pull_at(address_at(p))
        out[0], out[1] = y[1], -s.springs[0] * y[0] - s.springs[1] * y[0] - s.damping[0] * y[1]

    block = block_of(pull := Pull(np.array([3.0, 1.0]), np.array([0.0])))
    flow = Integrator(callback_address(rates), size=2, given=block.ctypes.data, relative=1e-12, absolute=np.full(2, 1e-12))
    flow.start(0.0, [1.0, 0.0])
    flow.advance(end=pi / 2)
    assert flow.state == pytest.approx([-1.0, 0.0], abs=1e-10)
    pull.springs[1] = 6.0  # from here on as stiff as nine
    flow.restart()
    flow.advance(end=pi / 2 + pi / 3)
    assert flow.state == pytest.approx([1.0, 0.0], abs=1e-10)


# ---- guards ------------------------------------------------------------------------------------------------------------


def crossings(rates, y0, guards, watch, end, **more):
    """(time, guards) of all events of a flow that they do not change."""
    flow = integrator(rates, len(y0), guards, watch, **more)
    flow.start(0.0, y0)
    found = []
    while (status := flow.advance(end=end)) in (EVENT, FULL):
        flow.take()
        if status == EVENT:
            found.append((flow.time, tuple(flow.fired.tolist())))
            flow.restart(passed=flow.fired)
    assert status == DONE
    return found


@pytest.mark.parametrize("depth", [1e-2, 1e-6, 1e-12])
@pytest.mark.parametrize(("watch", "wanted"), [(FALLING, [1]), (RISING, [2]), (ANY, [1, 2]), (INSIDE, [1])])
def test_no_double_crossing_of_a_parabola_is_skipped(watch, wanted, depth):
    """The integrator is exact on parabolas: its steps soon are as long as the whole flight, and see both ends above zero."""
    found = crossings(lift, [5 * 1.5**2 - depth, -15.0], first, [watch], 30.0)
    exact = {1: 1.5 - sqrt(depth / 5), 2: 1.5 + sqrt(depth / 5)}
    assert [time for time, _ in found] == pytest.approx([exact[k] for k in wanted], abs=1e-12 + 1e-14 / sqrt(20 * depth))


def test_roots_of_a_linear_guard_are_located_to_1e_12():
    found = crossings(circle, [1.0, 0.0], first, [ANY], 20.0, tight=1e-13)
    assert np.array([time for time, _ in found]) == pytest.approx(pi / 2 + pi * np.arange(6), abs=1e-11)
    flow = integrator(circle, 2, first, [ANY])
    flow.start(0.0, [1.0, 0.0])
    flow.advance(end=2.0)
    assert abs(flow.state[0]) < 1e-12  # the step ends on the root


def test_many_crossings_within_one_step():
    """A guard that is far from a polynomial, while the state is a straight line and steps grow without bound."""
    found = crossings(steady, [0.0], guard("out[0] = sin(40 * y[0]) + 0.3"), [ANY], 10.0)
    angles = np.concatenate([np.array([pi + np.arcsin(0.3), 2 * pi - np.arcsin(0.3)]) + 2 * pi * k for k in range(70)]) / 40
    assert [time for time, _ in found] == pytest.approx(angles[angles < 10.0], abs=2e-12)


def test_guards_that_are_zero_together_are_one_event():
    several = guard("out[0] = 1.0 - y[0]; out[1] = y[0] - 1.0; out[2] = 2.0 - 2.0 * y[0] * y[0]; out[3] = 1.5 - y[0]")
    found = crossings(steady, [0.0], several, [FALLING, FALLING, FALLING, FALLING], 2.0)
    assert [which for _, which in found] == [(0, 2), (3,)]
    assert [time for time, _ in found] == pytest.approx([1.0, 1.5], abs=1e-12)


def test_a_guard_at_zero_is_judged_by_where_it_goes():
    """Thrown up from zero it is no event until it is back; let fall from zero it is one at once, resting there it is none."""
    up = integrator(fall, 2, first, [FALLING])
    up.start(0.0, [0.0, 10.0])
    assert up.advance(end=5.0) == EVENT
    assert up.time == pytest.approx(2.0, abs=1e-12)
    for speed in (-1.0, 0.0):  # at first and at second order
        down = integrator(fall, 2, first, [FALLING])
        down.start(0.0, [0.0, speed])
        assert down.advance(end=5.0) == EVENT
        assert down.time == 0.0
    rest = integrator(guard("out[0] = 0.0"), 1, first, [FALLING])
    rest.start(0.0, [0.0])
    assert rest.advance(end=5.0) == DONE


def test_a_flow_that_begins_below_zero_is_an_event_if_that_is_asked_for():
    for watch, status in ((FALLING, DONE), (INSIDE, EVENT)):
        flow = integrator(fall, 2, first, [watch])
        flow.start(0.0, [-1.0, 0.0])
        assert flow.advance(end=1.0) == status


def test_no_event_is_told_twice():
    """Restarts on the root, at states that rounding puts on either side of it."""
    flow = integrator(circle, 2, first, [INSIDE])
    for turn in np.linspace(0.1, 3.0, 200):
        flow.start(0.0, [sin(turn), cos(turn)])
        assert flow.advance(end=10.0) == EVENT
        assert flow.time == pytest.approx(pi - turn, abs=1e-8)
        flow.state[1] *= -1.0  # back up
        flow.restart(at_zero=flow.fired)
        assert flow.advance(end=20.0) == EVENT
        assert flow.time == pytest.approx(2 * pi - turn, abs=1e-8)


@pytest.mark.parametrize("depth", [1e-3, 1e-8, 1e-14])
def test_grazing(depth):
    """A parabola that just misses zero is no event; one that just reaches below is one, on its way down."""
    assert crossings(lift, [5.0 + depth, -10.0], first, [FALLING], 2.0) == []
    (event,) = crossings(lift, [5.0 - depth, -10.0], first, [FALLING], 2.0)
    speed = sqrt(20 * depth)  # at which zero is crossed, by a height that is rounded to 1e-15
    assert event[0] == pytest.approx(1.0 - sqrt(depth / 5), abs=1e-12 + 4e-15 / speed)


def test_grazing_exactly_is_no_crossing():
    assert crossings(steady, [0.0], guard("out[0] = (y[0] - 1.0) ** 2"), [FALLING], 2.0) == []


def test_a_guard_that_is_switched_off_or_no_number():
    assert crossings(steady, [0.0], guard("out[0] = 1e400"), [FALLING], 2.0) == []
    flow = integrator(steady, 1, guard("out[0] = (0.5 - y[0]) ** 0.5"), [FALLING])
    flow.start(0.0, [0.0])
    assert flow.advance(end=2.0) == NO_GUARD


def test_a_guard_that_jumps():
    (event,) = crossings(steady, [0.0], guard("out[0] = 1.0 if y[0] < 0.7 else -1.0"), [FALLING], 2.0)
    assert event[0] == pytest.approx(0.7, abs=2e-12)


def test_noise_does_not_take_for_ever():
    """A guard that is zero but for rounding is in doubt everywhere."""
    flow = integrator(steady, 1, guard("out[0] = ((y[0] + 1e3) - 1e3 - y[0]) * 1e3"), [ANY])
    flow.start(0.0, [0.1])
    for _ in range(20):
        if flow.advance(end=1.0) == DONE:
            break
        flow.take()
        flow.restart(passed=flow.fired)
    assert flow.parts.clock[3] < 2e6


@cfunc(C)
def driven(t, y, p, out):
    out[0], out[1] = y[1], -p[0] * sin(y[0]) - p[1] * y[1] + p[2] * cos(p[3] * t)


@cfunc(C)
def around(t, y, p, out):
    """A circle in the phase plane, and something that is far from a polynomial."""
    out[0] = (y[0] - p[4]) ** 2 + (y[1] - p[5]) ** 2 - p[6]
    out[1] = sin(3 * y[0]) - p[4] + 0.1 * t


@pytest.mark.parametrize("seed", range(8))
def test_curved_guards_of_driven_pendulums_against_samples_of_scipy(seed):
    random = np.random.default_rng(seed)
    p = random.uniform([0.5, 0.0, 0.0, 0.0, -1.0, -1.0, 0.1], [3.0, 0.3, 2.0, 2.0, 1.0, 1.0, 2.0])
    y0, end = random.uniform(-1, 1, 2), 10.0
    flow = integrator(driven, 2, around, [ANY, ANY], given=p.ctypes.data)
    flow.start(0.0, y0)
    found: list[list[float]] = [[], []]
    while flow.advance(end=end) == EVENT:
        for k in flow.fired:
            found[k].append(flow.time)
        flow.restart(passed=flow.fired)
    peer = solve_ivp(
        lambda t, y: (y[1], -p[0] * sin(y[0]) - p[1] * y[1] + p[2] * cos(p[3] * t)),
        (0, end),
        y0,
        "DOP853",
        rtol=1e-12,
        atol=1e-13,
        dense_output=True,
    )
    t = np.linspace(0, end, 100_001)
    y = peer.sol(t)
    values = (y[0] - p[4]) ** 2 + (y[1] - p[5]) ** 2 - p[6], np.sin(3 * y[0]) - p[4] + 0.1 * t
    for value, times in zip(values, found, strict=True):
        k = np.flatnonzero(np.sign(value[1:]) != np.sign(value[:-1]))
        wanted = t[k] - value[k] * (t[k + 1] - t[k]) / (value[k + 1] - value[k])
        assert times == pytest.approx(wanted, abs=1e-6)


@cfunc(C)
def product(t, y, p, out):
    """A polynomial of y by its zeros: how many there are, and where."""
    value = 1.0
    for k in range(int(p[0])):
        value *= y[0] - p[1 + k]
    out[0] = value


@pytest.mark.parametrize("degree", [2, 4, 8])
def test_every_zero_of_random_polynomials_is_found(degree):
    """Zeros in pairs as near as 1e-6, under steps that grow to the whole interval."""
    random = np.random.default_rng(degree)
    for _ in range(100):
        zeros = random.uniform(0.05, 0.95, degree)
        zeros[1] = zeros[0] + 10.0 ** random.uniform(-6, -1)
        zeros.sort()
        given = np.array([degree, *zeros])
        flow = integrator(steady, 1, product, [ANY], given=given.ctypes.data)
        flow.start(0.0, [0.0])
        found = []
        while flow.advance(end=1.5) == EVENT:
            found.append(flow.time)
            flow.restart(passed=flow.fired)
        slopes = np.array([np.abs(np.delete(zero - zeros, k)).prod() for k, zero in enumerate(zeros)])
        assert len(found) == degree
        assert (np.abs(found - zeros) <= 1e-12 + 1e-15 / slopes).all()
