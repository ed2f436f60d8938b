"""What integrating between events costs: beside SciPy on the same equations, and beside the equations alone.

    python benchmarks/event_driven.py [--json]

Two links swing against a stop; at every event the state jumps. Everybody gets the same tolerances, and stops and starts again
at each event. SciPy takes `DOP853`, once with the equations in NumPy as one writes them down, once compiled by Numba.

Then chains of links, whose rates come from the package's own kernels: the time of a whole run over that of as many evaluations
of its rates. And the least of all rates, for what the integrator itself takes.
"""

from __future__ import annotations

import argparse
import json
import time
from math import cos, sin
from typing import NamedTuple

import numpy as np
from _timing import best
from numba import cfunc, njit
from scipy.integrate import solve_ivp

import stickslip as ss
from stickslip.dynamics.forward_dynamics import articulated_bodies
from stickslip.dynamics.kinematics import place_and_move
from stickslip.dynamics.piece import Floats1, Floats2, Ints2, block_of, reader_of
from stickslip.simulate.integrate import Integrator
from stickslip.simulate.integrate_call import address_at, apply, callback, callback_address
from stickslip.simulate.integrate_parts import EVENT, FALLING, FULL

C = "void(double, CPointer(double), CPointer(double), CPointer(double))"
GRAVITY, STOP = 9.81, -0.4
START, DURATION = np.array([1.0, 1.5, 0.0, 0.0]), 10.0
RELATIVE, ABSOLUTE = 1e-9, 1e-12


# ---- two links of one metre and one kilogram at their ends, against a stop ------------------------------------------


def rates_numpy(t, y):
    q, v = y[:2], y[2:]
    c, s = np.cos(q[0] - q[1]), np.sin(q[0] - q[1])
    mass = np.array([[2.0, c], [c, 1.0]])
    bias = np.array([s * v[1] ** 2 + 2 * GRAVITY * np.sin(q[0]), -s * v[0] ** 2 + GRAVITY * np.sin(q[1])])
    return np.concatenate([v, np.linalg.solve(mass, -bias)])


@njit
def accelerations(a, b, va, vb):
    c, s = cos(a - b), sin(a - b)
    f, g = -s * vb**2 - 2 * GRAVITY * sin(a), s * va**2 - GRAVITY * sin(b)
    return (f - c * g) / (2 - c * c), (2 * g - c * f) / (2 - c * c)


@njit
def rates_compiled(t, y):
    a, b = accelerations(y[0], y[1], y[2], y[3])
    return np.array([y[2], y[3], a, b])


@cfunc(C)
def rates(t, y, p, out):
    out[0], out[1] = y[2], y[3]
    out[2], out[3] = accelerations(y[0], y[1], y[2], y[3])


@cfunc(C)
def stop(t, y, p, out):
    out[0] = y[0] - STOP


def bounce(t, x, z, due):
    """Without loss, and without a blow to the second link's own direction: v - 2 M^-1 n (n v) / (n M^-1 n)."""
    c = cos(x[0] - x[1])
    return x[0], x[1], -x[2], x[3] + 2 * c * x[2]


SYSTEM = ss.HybridSystem(flow=rates, guard=stop, events=["stop"], jump=bounce)


def ours():
    return ss.simulate(SYSTEM, START, (), DURATION, relative=RELATIVE, absolute=ABSOLUTE)


def reach_stop(t, y):
    return y[0] - STOP


reach_stop.terminal, reach_stop.direction = True, -1


PLAIN = ss.HybridSystem(
    flow=lambda t, x, z: (x[2], x[3], *accelerations.py_func(*x.tolist())),
    guard=lambda t, x, z: x[0] - STOP,
    events=["stop"],
    jump=bounce,
)


def ours_in_python():
    return ss.simulate(PLAIN, START, (), DURATION, relative=RELATIVE, absolute=ABSOLUTE)


def scipy(function):
    t, y, hits, evaluations = 0.0, START, 0, 0
    while t < DURATION:
        found = solve_ivp(
            function, (t, DURATION), y, "DOP853", events=reach_stop, rtol=RELATIVE, atol=ABSOLUTE, dense_output=False
        )
        t, y, evaluations = found.t[-1], found.y[:, -1], evaluations + found.nfev
        if found.status == 1:
            y = np.array(bounce(t, y, (), ()))
            hits += 1
    return y, hits, evaluations


def beside_scipy():
    run, (end, hits, evaluations) = ours(), scipy(rates_compiled)
    fine = ss.simulate(SYSTEM, START, (), DURATION, relative=1e-13, absolute=1e-14)
    assert hits == len(run.events) == len(fine.events)
    assert np.allclose(ours_in_python().x[-1], fine.x[-1], atol=1e-6)
    own, python, numpy, compiled = best(
        ours, ours_in_python, lambda: scipy(rates_numpy), lambda: scipy(rates_compiled), repeats=25
    )
    return {
        "events": hits,
        "ours_ms": own * 1e3,
        "ours_in_python_ms": python * 1e3,
        "scipy_numpy_ms": numpy * 1e3,
        "scipy_compiled_ms": compiled * 1e3,
        "over_scipy_numpy": numpy / own,
        "over_scipy_compiled": compiled / own,
        "evaluations_ours": run.settings["evaluations"],
        "evaluations_scipy": evaluations,
        "error_ours": float(np.abs(run.x[-1] - fine.x[-1]).max()),
        "error_scipy": float(np.abs(end - fine.x[-1]).max()),
    }


# ---- chains of links, by the package's kernels -----------------------------------------------------------------------


class Chain(NamedTuple):
    topology: Ints2
    links: Floats2
    gravity: Floats1
    work: Floats2
    state: Floats2  # (3, nv) q, v, a
    force: Floats1


chain_at = reader_of(Chain)


@callback
def chain_rates(t, y, p, out):
    s = chain_at(address_at(p))
    n = s.force.size
    for i in range(n):
        s.state[0, i], s.state[1, i] = y[i], y[n + i]
    place_and_move(s.topology, s.links, s.state[0], s.state[1], s.work)
    articulated_bodies(s.topology, s.links, s.gravity, s.force, s.work, s.state[2])
    for i in range(n):
        out[i], out[n + i] = y[n + i], s.state[2, i]


@cfunc(C)
def first(t, y, p, out):
    out[0] = y[0]


@cfunc(C)
def circle(t, y, p, out):
    out[0], out[1] = y[1], -y[0]


@njit
def call_often(address, p, source, target, times):
    for _ in range(times):
        apply(address, 0.0, source, 0, p, target, 0)
        source[0, 0] += 1e-9 * target[0, 0]


def run_of(flow, y, end):
    flow.start(0.0, y)
    while (status := flow.advance(end=end)) in (EVENT, FULL):
        flow.take()
        if status == EVENT:
            flow.restart(passed=flow.fired)
    flow.take()


def beside_rates(links):
    mechanism = ss.robots.pendulum(links=links).world.mechanism
    topology, numbers, _, _, gravity = mechanism._tree
    parts = Chain(topology, numbers, gravity, np.zeros_like(mechanism._work()), np.zeros((3, links)), np.zeros(links))
    block = block_of(parts)
    y = np.concatenate([np.linspace(0.5, 1.0, links), np.zeros(links)])
    return timed(callback_address(chain_rates), block.ctypes.data, y, 2.0)


def timed(address, p, y, end):
    """Seconds for an evaluation; those of a whole run with a guard, over its evaluations."""
    flow = Integrator(
        address,
        size=len(y),
        guards=first.address,
        watch=[FALLING],
        given=p,
        relative=RELATIVE,
        absolute=np.full(len(y), ABSOLUTE),
    )
    source, target, times = y[None].copy(), np.zeros((1, len(y))), 10_000
    call_often(address, p, source, target, 1)
    alone, whole = best(lambda: call_often(address, p, source, target, times), lambda: run_of(flow, y, end), repeats=15)
    return {
        "rates_us": alone / times * 1e6,
        "run_us": whole / flow.evaluations * 1e6,
        "ratio": whole / flow.evaluations / (alone / times),
    }


def measured():
    begun = time.perf_counter()
    found = {"beside_scipy": beside_scipy(), "bare": timed(circle.address, 0, np.array([1.0, 0.0]), 1000.0)}
    found |= {f"chain_of_{links}": beside_rates(links) for links in (3, 6, 12)}
    return found | {"seconds": time.perf_counter() - begun}


def main() -> None:
    parser = argparse.ArgumentParser(description="What integrating between events costs.")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    as_json = parser.parse_args().json
    found = measured()
    if as_json:
        print(json.dumps(found, indent=2))
        return
    peer = found["beside_scipy"]
    print(f"two links against a stop, {peer['events']} events in {DURATION:g} s, relative tolerance {RELATIVE:g}")
    print(
        f"  ours                {peer['ours_ms']:8.2f} ms, {peer['evaluations_ours']} evaluations, "
        f"off by {peer['error_ours']:.1e}"
    )
    print(f"  ours, all in Python {peer['ours_in_python_ms']:8.2f} ms")
    print(f"  SciPy, NumPy        {peer['scipy_numpy_ms']:8.2f} ms, {peer['over_scipy_numpy']:.0f} times as long")
    print(
        f"  SciPy, compiled     {peer['scipy_compiled_ms']:8.2f} ms, {peer['over_scipy_compiled']:.0f} times as long, "
        f"{peer['evaluations_scipy']} evaluations, off by {peer['error_scipy']:.1e}"
    )
    for name in ("bare", "chain_of_3", "chain_of_6", "chain_of_12"):
        of = found[name]
        told = f"{of['rates_us']:.3f} us for the rates, {of['run_us']:.3f} us an evaluation in a run, {of['ratio']:.2f} times"
        print(f"{name.replace('_', ' ')}: {told}")


if __name__ == "__main__":
    main()
