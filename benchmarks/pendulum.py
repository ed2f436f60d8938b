"""Paper 2's pendulum, stepped: ours, MuJoCo, Drake and PyBullet, the same scene and the same step of 1 ms, in one process.

    python benchmarks/pendulum.py [--links 3 6 …] [--json]

Each engine steps in a compiled loop of its own and keeps nothing of the way (`Stepper.run`, `mj_step(nstep=…)`,
`Simulator.AdvanceTo`, PyBullet's `numSubSteps`); they are timed in turn. Before that each peer takes one step in free air,
which must accelerate it as ours. Timed are the whole 5 s and the first 0.5 s, in which nothing touches anything yet. A run of
ours that stops is timed as far as it came, and the others as far. How deep things overlap is measured at the end of every step,
for all by our own gaps; how far a run is off, by the centres of its spheres against a run of ours with a step of 0.01 ms.
Ratios are our time over theirs: below 1 we are faster.

Drake and PyBullet are no part of the development environment; what is not installed is not measured, and the report says so.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from _engine import DURATION, STEP, Engine
from _engine_ours import Ours
from _timing import best

import stickslip as ss
from stickslip.contact.touch import GAP

PEERS = {"MuJoCo": "_engine_mujoco", "Drake": "_engine_drake", "PyBullet": "_engine_pybullet"}
INSTALL = f"{os.path.relpath(sys.executable)} -m pip install drake pybullet"

LINKS = (3, 6, 12, 15, 24, 30)
FLIGHT = 0.5  # s
REPEATS = 10

REFINED = 1e-5  # s
OUR_STEPS = (0.1, 5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)  # s: all go into 5 s, and they and 1 ms into each other
THEIR_STEPS = (1e-3, 1e-4)

STARTS, STARTS_STEPS = 1024, 500

Kind = Callable[..., Engine]


def installed_peers() -> tuple[dict[str, Kind], dict[str, str]]:
    """The engines that can be measured, and why the others cannot."""
    kinds, missing = {}, {}
    for name, module in PEERS.items():
        try:
            kinds[name] = getattr(import_module(module), name)
        except ImportError as error:
            missing[name] = f"not measured: {error}. To measure it: {INSTALL}"
    return kinds, missing


# ---- time and overlap ------------------------------------------------------------------------------------------------


def race(kinds: dict[str, Kind], links: int) -> list[dict[str, Any]]:
    """One row for each engine."""
    ours, flight = Ours(links), round(FLIGHT / STEP)
    engines = [ours, *(kind(links) for kind in kinds.values())]
    for engine in engines[1:]:
        engine.check_same_motion()
    ours.steps(round(DURATION / STEP))
    taken = ours.taken
    whole = best(*(_call(engine.steps, taken) for engine in engines), repeats=REPEATS)
    free = best(*(_call(engine.steps, flight) for engine in engines), repeats=REPEATS)
    rows = []
    for k, engine in enumerate(engines):
        q, trouble = ours.told_path() if engine is ours else (engine.path()[: taken + 1], "")
        row = {"links": links, "engine": engine.name, "steps": taken, "trouble": trouble}
        row |= {"us": whole[k] / taken * 1e6, "free_us": free[k] / flight * 1e6}
        row |= {"ratio": whole[0] / whole[k], "free_ratio": free[0] / free[k]}
        rows.append(row | {"penetration_m": penetration(ours.scenario.world, q)})
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


# ---- error -----------------------------------------------------------------------------------------------------------


def errors(kinds: dict[str, Kind]) -> dict[str, Any]:
    """Three links: how far the centres of the spheres are off, and what it costs."""
    reference = centres(Ours(3, REFINED).path(round(STEP / REFINED)))
    doubled = centres(Ours(3, 2 * REFINED).path(round(STEP / REFINED / 2)))
    if "MuJoCo" in kinds:
        kinds = kinds | {"MuJoCo tuned": import_module(PEERS["MuJoCo"]).TunedMuJoCo}
    engines = [Ours(3, dt) for dt in OUR_STEPS] + [kind(3, dt) for kind in kinds.values() for dt in THEIR_STEPS]
    rows = [error(engine, reference) for engine in engines]
    return {"refined_moves_m": _distance(reference, doubled), "cheaper": cheaper_at_equal_error(rows), "rows": rows}


def error(engine: Engine, reference: np.ndarray) -> dict[str, Any]:
    """Errors at the samples that a run shares with the reference, which has one every ms."""
    found = centres(engine.path(max(1, round(STEP / engine.dt))))
    shared = reference[:: round((len(reference) - 1) / (len(found) - 1))]
    second = round((len(found) - 1) / DURATION) + 1
    return {
        "engine": engine.name,
        "dt": engine.dt,
        "seconds": best(_call(engine.steps, round(DURATION / engine.dt)), repeats=3)[0],
        "error_1s_m": _distance(shared[:second], found[:second]),
        "error_5s_m": _distance(shared, found),
    }


def cheaper_at_equal_error(rows: list[dict[str, Any]]) -> dict[str, float]:
    """What peers cost at 1 ms over what the cheapest run of ours costs that is no farther off after 5 s."""
    ours = [row for row in rows if row["engine"] == "ours"]
    return {
        peer["engine"]: peer["seconds"] / min(row["seconds"] for row in ours if row["error_5s_m"] <= peer["error_5s_m"])
        for peer in rows
        if peer["engine"] != "ours" and peer["dt"] == STEP
    }


def centres(q: np.ndarray) -> np.ndarray:
    """Where the spheres of reading B are (samples, links, 2), in m, for angles (samples, links) from hanging."""
    angle = np.cumsum(q, axis=1)
    half = 3.0 / q.shape[1] * np.stack([-np.sin(angle), -np.cos(angle)], axis=-1)
    return 2 * np.cumsum(half, axis=1) - half + (0.0, 5.0)


def _distance(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.linalg.norm(first - second, axis=-1).max())


# ---- many starts -----------------------------------------------------------------------------------------------------


def rollouts() -> dict[str, Any]:
    """Many pendulums of three links at once; MuJoCo by its own threaded rollout, which keeps every state."""
    import mujoco
    from _engine_mujoco import MuJoCo
    from mujoco.rollout import Rollout

    cores = len(os.sched_getaffinity(0))
    theirs = MuJoCo(3)
    scenario = theirs.scenario
    rng = np.random.default_rng(0)
    q = scenario.q + rng.normal(0.0, 0.05, (STARTS, 3))
    v = scenario.v + rng.normal(0.0, 0.1, (STARTS, 3))
    data = [mujoco.MjData(theirs.model) for _ in range(cores)]
    states = np.concatenate([np.zeros((STARTS, 1)), q, v], axis=1)  # time, qpos, qvel

    def our_rollout(threads: int) -> ss.Rollout:
        return ss.rollout(scenario.world, q, v, STARTS_STEPS, STEP, threads=threads)

    finished = sum(map(bool, our_rollout(cores).outcome))
    with Rollout(nthread=cores) as many:
        calls = (
            lambda: our_rollout(1),
            lambda: our_rollout(cores),
            lambda: many.rollout(theirs.model, data, states, nstep=STARTS_STEPS),
        )
        alone, together, their_together = best(*calls, repeats=3)
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


def tell(report: dict[str, Any]) -> None:
    for name, text in report["settings"].items():
        print(f"{name}: {text}")
    print(f"\nmicroseconds per step of {STEP * 1e3:g} ms, ours over theirs, and the deepest overlap\n")
    print(f"{'links':>5} {'':8} {'whole':>8} {'ratio':>6} {'flight':>8} {'ratio':>6} {'overlap':>9}")
    for row in report["race"]:
        first = row["engine"] == "ours"
        ratios = ("", "") if first else (f"{row['ratio']:.2f}", f"{row['free_ratio']:.2f}")
        print(
            f"{row['links'] if first else '':>5} {row['engine']:8} {row['us']:8.2f} {ratios[0]:>6} {row['free_us']:8.2f} "
            f"{ratios[1]:>6} {row['penetration_m']:7.1e} m"
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
    if report["rollout"]:
        _tell_rollouts(report["rollout"])


def _tell_rollouts(many: dict[str, Any]) -> None:
    print(f"\n{STARTS} starts of three links, {STARTS_STEPS} steps each, {many['finished']} finished: microseconds per step")
    print(f"one thread {many['one_thread_us']:.2f}, {many['cores']} threads {many['all_threads_us']:.2f}", end=", ")
    print(f"which is {many['gain_per_core']:.2f} times the cores; MuJoCo's rollout {many['mujoco_us']:.2f}", end=", ")
    print(f"ratio {many['ratio']:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Paper 2's pendulum against MuJoCo, Drake and PyBullet.")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--links", type=int, nargs="+", default=LINKS, help="how many links to race with")
    chosen = parser.parse_args()
    kinds, missing = installed_peers()
    settings = {"ours": Ours(3).settings()} | {name: kind(3).settings() for name, kind in kinds.items()}
    if "MuJoCo" in kinds:
        settings["MuJoCo tuned"] = import_module(PEERS["MuJoCo"]).TunedMuJoCo(3).settings()
    report = {
        "settings": settings | missing,
        "race": [row for links in chosen.links for row in race(kinds, links)],
        "errors": errors(kinds),
        "rollout": rollouts() if "MuJoCo" in kinds else None,
    }
    print(json.dumps(report, indent=2)) if chosen.json else tell(report)


if __name__ == "__main__":
    main()
