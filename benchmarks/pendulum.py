"""Paper 2's pendulum, stepped: ours against MuJoCo, the same scene and the same step of 1 ms, in one process and in turn.

    python benchmarks/pendulum.py [--json]

Each engine steps in its own compiled loop and keeps nothing of the way: ours in `Stepper.run`, MuJoCo in `mj_step(nstep=…)`.
Timed are the whole 5 s and the first 0.5 s, in which nothing touches anything yet. A run of ours that stops is timed as far as
it came, and MuJoCo as far. How deep things overlap is measured at the end of every step, for both by our own gaps; how far a
run is off, by the centres of its spheres against a run of ours with a step of 0.01 ms. Ratios below 1: we are faster.

PyBullet and Drake are no part of the development environment, and so are not measured here.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from _timing import best
from mujoco.rollout import Rollout

import stickslip as ss
from stickslip.contact.touch import GAP
from stickslip.simulate.run_record import RunRecord
from stickslip.simulate.running import MARGIN
from stickslip.simulate.stepper import Stepper
from stickslip.simulate.time_stepping import CONTACTS, EVENTS, RECORD_FULL, SAMPLES, STEPS

LINKS = (3, 6, 12, 15, 24, 30)
STEP, DURATION, FLIGHT = 1e-3, 5.0, 0.5  # s
MOST = 64  # contacts at one time, as in ss.simulate

REFINED = 1e-5  # s
OUR_STEPS = (0.1, 5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)  # s: all go into 5 s, and they and 1 ms into each other
THEIR_STEPS = (1e-3, 1e-4, 1e-5)
TUNED = (0.005, 3.0)  # solref with the least error at 1 ms, of time constants 0.5, 2, 5, 20 ms and damping ratios 1, 3, 10

STARTS, STARTS_STEPS = 1024, 500


# ---- ours ------------------------------------------------------------------------------------------------------------


class Ours:
    """A pendulum, and the compiled loop that steps it."""

    def __init__(self, links: int) -> None:
        self.scenario = ss.robots.pendulum(links=links)
        world = self.scenario.world
        self.stepper, self.record = Stepper(world, most=MOST, directions=None), RunRecord(world, MOST)
        self.applied = np.zeros(world.mechanism.nv)

    def steps(self, count: int, dt: float = STEP) -> int:
        """Take so many steps from the start, or as many as can be taken; answers how many."""
        stepper, status = self.stepper, RECORD_FULL
        stepper.start(self.scenario.q, self.scenario.v)
        while status == RECORD_FULL:
            status = stepper.run(self.applied, 0.0, dt, MARGIN, count, count + 1, self.record.buffer)
            stepper.clock[[SAMPLES, CONTACTS, EVENTS]] = 0
        return int(stepper.clock[STEPS])

    def path(self, dt: float = STEP, every: int = 1) -> tuple[np.ndarray, str]:
        """The positions (samples, links) of the whole run, and what stopped it."""
        run = self.scenario.run(dt=dt, record_every=every)
        return run.q, run.trouble


# ---- MuJoCo's --------------------------------------------------------------------------------------------------------


class Theirs:
    """The same pendulum in MuJoCo. Neighbours pass through each other there, too: MuJoCo filters parents and children."""

    def __init__(self, ours: Ours, dt: float = STEP, tuned: bool = False) -> None:
        self.q, self.v = ours.scenario.q, ours.scenario.v
        self.model = mujoco.MjModel.from_xml_string(in_mjcf(ours.scenario, dt))
        if tuned:
            self.model.geom_solref[:] = TUNED
        self.data = mujoco.MjData(self.model)
        check_same_motion(ours.scenario, self.model)

    def restart(self) -> None:
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = self.q, self.v

    def steps(self, count: int) -> None:
        self.restart()
        mujoco.mj_step(self.model, self.data, nstep=count)

    def path(self, every: int = 1) -> np.ndarray:
        """The positions (samples, links) of the whole run."""
        samples = round(DURATION / self.model.opt.timestep) // every
        q = np.empty((samples + 1, self.model.nq))
        self.restart()
        q[0] = self.data.qpos
        for k in range(samples):
            mujoco.mj_step(self.model, self.data, nstep=every)
            q[k + 1] = self.data.qpos
        return q


def in_mjcf(scenario: ss.Scenario, dt: float) -> str:
    """The scene as MJCF."""
    world = scenario.world
    description, material = world.mechanism.description, world.material_of("link_1", "floor")
    chain = ""
    for body in reversed(description.bodies):
        joint = next(joint for joint in description.joints if joint.child == body.name)
        sphere = body.shapes[0]
        chain = (
            f'<body pos="{_words(joint.at)}"><joint type="hinge" axis="{_words(joint.axis)}"/>'
            f'<geom type="sphere" size="{sphere.radius}" pos="{_words(sphere.centre)}" mass="{body.mass}"/>{chain}</body>'
        )
    planes = "".join(
        f'<geom type="plane" size="20 20 1" pos="{_words(np.multiply(plane.normal, plane.offset))}" '
        f'zaxis="{_words(plane.normal)}"/>'
        for plane in world.obstacles.values()
    )
    return (
        f'<mujoco><option timestep="{dt}" gravity="{_words(description.gravity)}"/>'
        f'<default><geom friction="{material.friction} 0 0"/></default><worldbody>{planes}{chain}</worldbody></mujoco>'
    )


def _words(numbers: Any) -> str:
    return " ".join(f"{x:.17g}" for x in numbers)


def check_same_motion(scenario: ss.Scenario, model: Any) -> None:
    """Both have the same masses, lengths and axes: their accelerations agree where nothing touches."""
    mechanism, data = scenario.world.mechanism, mujoco.MjData(model)
    bend = 0.1 * np.arange(mechanism.nv)
    data.qpos[:], data.qvel[:] = scenario.q - bend / mechanism.nv, scenario.v + bend
    mujoco.mj_forward(model, data)
    expected = mechanism.forward_dynamics(np.array(data.qpos), np.array(data.qvel), np.zeros(mechanism.nv))
    assert not data.ncon, "this position was meant to be free"
    assert np.allclose(data.qacc, expected, rtol=1e-8, atol=1e-8), "MuJoCo has another mechanism"


# ---- what is measured ------------------------------------------------------------------------------------------------


def race() -> list[dict[str, Any]]:
    rows = []
    for links in LINKS:
        ours = Ours(links)
        theirs = Theirs(ours)
        taken, flight = ours.steps(round(DURATION / STEP)), round(FLIGHT / STEP)
        calls = (ours.steps, taken), (theirs.steps, taken), (ours.steps, flight), (theirs.steps, flight)
        whole, their_whole, free, their_free = best(*(_call(*call) for call in calls))
        q, trouble = ours.path()
        world = ours.scenario.world
        rows.append(
            {
                "links": links,
                "steps": taken,
                "trouble": trouble,
                "us": whole / taken * 1e6,
                "mujoco_us": their_whole / taken * 1e6,
                "ratio": whole / their_whole,
                "free_us": free / flight * 1e6,
                "mujoco_free_us": their_free / flight * 1e6,
                "free_ratio": free / their_free,
                "penetration_m": penetration(world, q),
                "mujoco_penetration_m": penetration(world, theirs.path()[: taken + 1]),
            }
        )
    return rows


def _call(function: Callable[[int], object], count: int) -> Callable[[], object]:
    return lambda: function(count)


def penetration(world: ss.World, positions: np.ndarray) -> float:
    """The deepest overlap in m at any of the positions (samples, links)."""
    deepest = 0.0
    for q in np.ascontiguousarray(positions):
        touches = world.found(q, 0.0).touches
        if len(touches):
            deepest = min(deepest, float(touches[:, GAP].min()))
    return -deepest


def errors() -> dict[str, Any]:
    """Three links: how far the centres of the spheres are off, and what it costs."""
    ours = Ours(3)
    reference = centres(ours.path(REFINED, round(STEP / REFINED))[0])
    rows = [_row("ours", dt, reference, ours.path(dt, max(1, round(STEP / dt)))[0], _call_at(ours, dt)) for dt in OUR_STEPS]
    for tuned in (False, True):
        for dt in THEIR_STEPS:
            theirs = Theirs(ours, dt, tuned)
            name = "MuJoCo tuned" if tuned else "MuJoCo"
            rows.append(_row(name, dt, reference, theirs.path(round(STEP / dt)), _call(theirs.steps, round(DURATION / dt))))
    doubled = centres(ours.path(2 * REFINED, round(STEP / REFINED / 2))[0])
    return {"refined_moves_m": _distance(reference, doubled), "cheaper": cheaper_at_equal_error(rows), "rows": rows}


def cheaper_at_equal_error(rows: list[dict[str, Any]]) -> dict[str, float]:
    """For MuJoCo's runs at 1 ms: what they cost over what the cheapest run of ours costs that is no farther off after 5 s."""
    ours = [row for row in rows if row["engine"] == "ours"]
    return {
        peer["engine"]: peer["seconds"] / min(row["seconds"] for row in ours if row["error_5s_m"] <= peer["error_5s_m"])
        for peer in rows
        if peer["engine"] != "ours" and peer["dt"] == STEP
    }


def _call_at(ours: Ours, dt: float) -> Callable[[], object]:
    return lambda: ours.steps(round(DURATION / dt), dt)


def _row(engine: str, dt: float, reference: np.ndarray, q: np.ndarray, run: Callable[[], object]) -> dict[str, Any]:
    """Errors at the samples that a run shares with the reference, which has one every ms."""
    shared = reference[:: round((len(reference) - 1) / (len(q) - 1))]
    second = round((len(q) - 1) / DURATION) + 1
    found = centres(q)
    return {
        "engine": engine,
        "dt": dt,
        "seconds": best(run, repeats=3)[0],
        "error_1s_m": _distance(shared[:second], found[:second]),
        "error_5s_m": _distance(shared, found),
    }


def centres(q: np.ndarray) -> np.ndarray:
    """Where the spheres of reading B are (samples, links, 2), in m, for angles (samples, links) from hanging."""
    angle = np.cumsum(q, axis=1)
    half = 3.0 / q.shape[1] * np.stack([-np.sin(angle), -np.cos(angle)], axis=-1)
    return 2 * np.cumsum(half, axis=1) - half + (0.0, 5.0)


def _distance(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.linalg.norm(first - second, axis=-1).max())


def rollouts() -> dict[str, Any]:
    """Many pendulums of three links at once; MuJoCo by its own threaded rollout, which keeps every state."""
    cores = len(os.sched_getaffinity(0))
    ours = Ours(3)
    theirs = Theirs(ours)
    rng = np.random.default_rng(0)
    q = ours.scenario.q + rng.normal(0.0, 0.05, (STARTS, 3))
    v = ours.scenario.v + rng.normal(0.0, 0.1, (STARTS, 3))
    data = [mujoco.MjData(theirs.model) for _ in range(cores)]
    states = np.concatenate([np.zeros((STARTS, 1)), q, v], axis=1)  # time, qpos, qvel

    def our_rollout(threads: int) -> ss.Rollout:
        return ss.rollout(ours.scenario.world, q, v, STARTS_STEPS, STEP, threads=threads)

    finished = sum(map(bool, our_rollout(cores).outcome))
    with Rollout(nthread=cores) as many:
        calls = (
            lambda: our_rollout(1),
            lambda: our_rollout(cores),
            lambda: many.rollout(theirs.model, data, states, nstep=STARTS_STEPS),
        )
        alone, together, their_together = best(*calls, repeats=2)
    per_step = 1e6 / (STARTS * STARTS_STEPS)
    return {
        "cores": cores,
        "finished": finished,
        "one_thread_us": alone * per_step,
        "all_threads_us": together * per_step,
        "gain_per_core": alone / together / cores,
        "mujoco_us": their_together * per_step,
        "ratio": together / their_together,
    }


# ---- telling it ------------------------------------------------------------------------------------------------------


def settings() -> dict[str, str]:
    ours = Ours(3)
    option = Theirs(ours).model.opt
    material = ours.scenario.world.material_of("link_1", "floor")
    integrator = mujoco.mjtIntegrator(option.integrator).name[6:]
    solver, cone = mujoco.mjtSolver(option.solver).name[6:], mujoco.mjtCone(option.cone).name[7:]
    return {
        "ours": f"version {ss.__version__}; midpoint rule, exact contact in the plane (LCP), friction {material.friction:g}, "
        f"restitution {material.restitution:g}, collisions located within the step, gaps projected",
        "MuJoCo": f"version {mujoco.__version__}, its defaults: integrator {integrator}, solver {solver} ({option.iterations} "
        f"iterations, tolerance {option.tolerance:g}), cone {cone}, solref 0.02 1, no restitution; friction "
        f"{material.friction:g}; in space, where each contact has two tangents",
        "MuJoCo tuned": f"the same with solref {TUNED[0]:g} {TUNED[1]:g}, the best at this step of twelve for three links",
    }


def tell(report: dict[str, Any]) -> None:
    for name, text in report["settings"].items():
        print(f"{name}: {text}")
    print(f"\nmicroseconds per step of {STEP * 1e3:g} ms, ours and MuJoCo's, and the deepest overlap\n")
    print(f"{'links':>5} {'whole':>7} {'MuJoCo':>7} {'ratio':>6} {'flight':>7} {'MuJoCo':>7} {'ratio':>6}", end="")
    print(f" {'overlap':>9} {'MuJoCo':>9}")
    for row in report["race"]:
        print(
            f"{row['links']:5} {row['us']:7.2f} {row['mujoco_us']:7.2f} {row['ratio']:6.2f} {row['free_us']:7.2f} "
            f"{row['mujoco_free_us']:7.2f} {row['free_ratio']:6.2f} {row['penetration_m']:7.1e} m "
            f"{row['mujoco_penetration_m']:7.1e} m"
        )
    for row in report["race"]:
        if row["trouble"]:
            print(f"our run of {row['links']} links stopped after {row['steps']} steps: {row['trouble']}")
    print("\nthree links, 5 s: what a run costs, and how far its spheres are off within the first second and within all five\n")
    print(f"{'':12} {'step':>8} {'cost':>9} {'1 s':>10} {'5 s':>10}")
    for row in report["errors"]["rows"]:
        print(
            f"{row['engine']:12} {row['dt'] * 1e3:5g} ms {row['seconds'] * 1e3:6.1f} ms {row['error_1s_m']:8.1e} m "
            f"{row['error_5s_m']:8.1e} m"
        )
    print(f"the run that they are measured against moves by {report['errors']['refined_moves_m']:.1e} m if its step is doubled")
    for engine, ratio in report["errors"]["cheaper"].items():
        print(f"at the error of {engine} over 5 s in steps of 1 ms, ours is {ratio:.1f} times cheaper")
    many = report["rollout"]
    print(f"\n{STARTS} starts of three links, {STARTS_STEPS} steps each, {many['finished']} finished: microseconds per step")
    print(f"one thread {many['one_thread_us']:.2f}, {many['cores']} threads {many['all_threads_us']:.2f}", end=", ")
    print(f"which is {many['gain_per_core']:.2f} times the cores; MuJoCo's rollout {many['mujoco_us']:.2f}", end=", ")
    print(f"ratio {many['ratio']:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Paper 2's pendulum against MuJoCo.")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    as_json = parser.parse_args().json
    report = {"settings": settings(), "race": race(), "errors": errors(), "rollout": rollouts()}
    print(json.dumps(report, indent=2)) if as_json else tell(report)


if __name__ == "__main__":
    main()
