"""Dynamics of trees against Pinocchio, and what a user waits for: compiling, importing, calling.

    python benchmarks/dynamics.py [--json]

Both sides run the same trees (ours written as URDF and read by Pinocchio), in one process and in turn. Ours is timed in a
compiled loop over the entry kernel and as a method called from Python; Pinocchio's algorithms are compiled functions called
from Python, which is the only way it offers there. Ratios are ours over theirs: below 1 we are faster.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pinocchio as pin
from _timing import best

import stickslip as ss
from stickslip.dynamics.compliance import delassus_into
from stickslip.dynamics.forward_dynamics import forward_dynamics_into
from stickslip.dynamics.inverse_dynamics import inverse_dynamics_into
from stickslip.dynamics.mass_matrix import mass_matrix_into

JOINTS = (3, 7, 15, 30, 100)
LINKS = (30, 100, 300, 500, 1000)
PINOCCHIO_LINKS = 500  # its data for 1000 links holds several arrays of 1000^3 numbers: more memory than the machine has
LOOP = 100  # runs of a kernel inside one compiled loop


# ---- the trees -------------------------------------------------------------------------------------------------------


def tree(joints: int, *, branched: bool) -> ss.Mechanism:
    """Hinges about random axes; each body hangs on the last one, or on any if `branched`."""
    rng = np.random.default_rng(joints)
    b = ss.MechanismBuilder()
    for k in range(joints):
        b.body(f"body_{k:04}", mass=1.0, centre=(0.05, 0.0, 0.02), inertia=(0.01, 0.01, 0.005))
        above = rng.integers(k) if branched and k else k - 1
        b.revolute(
            f"joint_{k:04}",
            parent=f"body_{above:04}" if k else "world",
            child=f"body_{k:04}",
            at=(0.1, 0.0, 0.0),
            axis=rng.standard_normal(3),
        )
    return ss.Mechanism(b)


class Peer:
    """The same mechanism in Pinocchio, and our state in its order of joints."""

    def __init__(self, mech: ss.Mechanism) -> None:
        self.model = pin.buildModelFromXML(mech.to_urdf())
        self.data = self.model.createData()
        names = list(self.model.names)[1:]
        self.order = np.array([mech.joint_names.index(name) for name in names])


# ---- ours in compiled loops ------------------------------------------------------------------------------------------


@numba.njit
def many_forward(n, topology, links, springs, rotors, gravity, q, v, force, work, dense, scratch, a):
    for _ in range(n):
        forward_dynamics_into(topology, links, springs, rotors, gravity, q, v, force, work, dense, scratch, a)


@numba.njit
def many_inverse(n, topology, links, springs, rotors, gravity, q, v, a, work, scratch, force):
    for _ in range(n):
        inverse_dynamics_into(topology, links, springs, rotors, gravity, q, v, a, work, scratch, force)


@numba.njit
def many_mass(n, topology, links, springs, rotors, gravity, q, work, M):
    for _ in range(n):
        mass_matrix_into(topology, links, springs, rotors, gravity, q, work, M)


@numba.njit
def many_delassus(
    n,
    topology,
    links,
    springs,
    rotors,
    gravity,
    q,
    holder,
    offset,
    bodies,
    points,
    work,
    dense,
    reach,
    first,
    next_,
    arms,
    F,
    G,
):
    for _ in range(n):
        tree = topology, links, springs, rotors, gravity
        delassus_into(*tree, q, holder, offset, bodies, points, work, dense, reach, first, next_, arms, F, G)


def algorithms(mech: ss.Mechanism) -> dict[str, tuple[Callable[[], object], Callable[[], object], Callable[[], object]]]:
    """For each algorithm: our compiled loop of LOOP runs, our method, Pinocchio's function."""
    peer, tr, work, local = Peer(mech), mech._tree, mech._work(), mech._local
    rng = np.random.default_rng(0)
    q, v, x = rng.standard_normal((3, mech.nv))
    qp, vp, xp = q[peer.order], v[peer.order], x[peer.order]
    model, data, out, M = peer.model, peer.data, np.empty(mech.nv), np.empty((mech.nv, mech.nv))
    assert np.allclose(pin.aba(model, data, qp, vp, xp), mech.forward_dynamics(q, v, x)[peer.order], rtol=1e-8)
    return {
        "ABA": (
            lambda: many_forward(LOOP, *tr, q, v, x, work, local.dense, local.force, out),
            lambda: mech.forward_dynamics(q, v, x),
            lambda: pin.aba(model, data, qp, vp, xp),
        ),
        "CRBA": (
            lambda: many_mass(LOOP, *tr, q, work, M),
            lambda: mech.mass_matrix(q),
            lambda: pin.crba(model, data, qp),
        ),
        "RNEA": (
            lambda: many_inverse(LOOP, *tr, q, v, x, work, local.force, out),
            lambda: mech.inverse_dynamics(q, v, x),
            lambda: pin.rnea(model, data, qp, vp, xp),
        ),
    }


# ---- what is measured ------------------------------------------------------------------------------------------------


def against_pinocchio() -> list[dict[str, Any]]:
    rows = []
    for shape in ("chain", "branched"):
        for joints in JOINTS:
            for name, (loop, method, peer) in algorithms(tree(joints, branched=shape == "branched")).items():
                ours, called, theirs = best(loop, method, peer)
                ours /= LOOP
                rows.append(
                    {
                        "algorithm": name,
                        "tree": shape,
                        "joints": joints,
                        "kernel_us": ours * 1e6,
                        "method_us": called * 1e6,
                        "pinocchio_us": theirs * 1e6,
                        "kernel_ratio": ours / theirs,
                        "method_ratio": called / theirs,
                    }
                )
    return rows


def delassus() -> dict[str, Any]:
    """Four points along a chain; the slope of log time over log links is 1 for a linear algorithm."""
    rows = []
    for links in LINKS:
        mech = tree(links, branched=False)
        q = 0.1 * np.random.default_rng(0).standard_normal(links)
        points = [(f"body_{links * k // 4 - 1:04}", np.array([0.1, 0.0, 0.0])) for k in (1, 2, 3, 4)]
        calls = [delassus_loop(mech, q, points), lambda mech=mech, q=q, points=points: mech.delassus(q, points)]
        row: dict[str, Any] = {"links": links}
        if links <= PINOCCHIO_LINKS:
            calls.append(delassus_in_pinocchio(mech, q, points))
            theirs = calls[-1]()
            row["difference"] = np.abs(in_body_axes(mech, q, points) - theirs).max() / np.abs(theirs).max()
        times = best(*calls)
        row |= {"kernel_us": times[0] / LOOP * 1e6, "method_us": times[1] * 1e6}
        if links <= PINOCCHIO_LINKS:
            row |= {
                "pinocchio_us": times[2] * 1e6,
                "kernel_ratio": times[0] / LOOP / times[2],
                "method_ratio": times[1] / times[2],
            }
        rows.append(row)
    slope = np.polyfit(np.log(LINKS), np.log([row["kernel_us"] for row in rows]), 1)[0]
    return {"rows": rows, "slope": float(slope)}


def delassus_loop(mech: ss.Mechanism, q: np.ndarray, points: list[tuple[str, np.ndarray]]) -> Callable[[], object]:
    work, local, m = mech._work(), mech._local, len(points)
    bodies, places = mech._points(points)
    scratch = (local.dense, local.reach, local.first, np.empty(m, dtype=np.int64), np.empty((m, 3)), np.empty((3 * m, 6)))
    arrays = (*mech._tree, q, *mech._frames, bodies, places, work, *scratch, np.empty((3 * m, 3 * m)))
    return lambda: many_delassus(LOOP, *arrays)


def delassus_in_pinocchio(mech: ss.Mechanism, q: np.ndarray, points: list[tuple[str, np.ndarray]]) -> Callable[[], Any]:
    peer = Peer(mech)
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for body, point in points:
        joint = peer.model.getJointId(body.replace("body", "joint"))
        place = pin.SE3(np.eye(3), point)
        models.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, peer.model, joint, place, pin.ReferenceFrame.LOCAL))
        datas.append(models[-1].createData())
    return lambda: pin.computeDelassusMatrix(peer.model, peer.data, q[peer.order], models, datas)


def in_body_axes(mech: ss.Mechanism, q: np.ndarray, points: list[tuple[str, np.ndarray]]) -> np.ndarray:
    """Our matrix in the axes of each point's body, which is what Pinocchio computes."""
    turn = np.zeros((3 * len(points), 3 * len(points)))
    for k, (body, _) in enumerate(points):
        turn[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = mech.body_pose(q, body)[0]
    return turn.T @ mech.delassus(q, points) @ turn


def call_overhead() -> dict[str, float]:
    """What Python adds to the kernel in `mech.mass_matrix(q)`."""
    mech = tree(7, branched=False)
    q, work, M = np.ones(7), mech._work(), np.empty((7, 7))
    loop, fresh, reused = best(
        lambda: many_mass(LOOP, *mech._tree, q, work, M), lambda: mech.mass_matrix(q), lambda: mech.mass_matrix(q, out=M)
    )
    return {"overhead_us": (fresh - loop / LOOP) * 1e6, "overhead_with_out_us": (reused - loop / LOOP) * 1e6}


FIRST_RESULT = """
import time
start = time.perf_counter()
import stickslip as ss
imported = time.perf_counter()
b = ss.MechanismBuilder(plane="xz")
b.body("rod", mass=1.0, centre=(0.5, 0.0), inertia=1 / 12)
b.revolute("hinge", child="rod")
mech = ss.Mechanism(b)
mech.forward_dynamics([0.1], [0.0], [0.0])
first = time.perf_counter()
q = [0.1]
mech.mass_matrix(q), mech.bias(q, q), mech.inverse_dynamics(q, q, q), mech.energy(q, q), mech.momentum(q, q)
mech.delassus(q, [("rod", (1, 0, 0))]), mech.body_pose(q, "rod"), mech.difference(q, mech.integrate(q, q))
mech.point_jacobian(q, "rod", (1, 0, 0)), mech.point_jacobian_rate(q, q, "rod", (1, 0, 0))
mech.angular_jacobian(q, "rod"), mech.angular_jacobian_rate(q, q, "rod")
mech.loop_residual(q), mech.loop_jacobian(q), mech.loop_drift(q, q)
print(imported - start, first - start, time.perf_counter() - start)
"""


def waiting() -> dict[str, float]:
    """Seconds until a fresh process has imported us, has its first acceleration, and has used every method once."""
    with tempfile.TemporaryDirectory() as folder:
        cold = _fresh_process(folder)
        warm = np.min([_fresh_process(folder) for _ in range(5)], axis=0)
    return {
        "import": warm[0],
        "cold_first_result": cold[1],
        "cold_all_methods": cold[2],
        "warm_first_result": warm[1],
        "warm_all_methods": warm[2],
    }


def _fresh_process(cache: str) -> np.ndarray:
    environment = {**os.environ, "STICKSLIP_CACHE_DIR": cache}
    done = subprocess.run([sys.executable, "-c", FIRST_RESULT], env=environment, capture_output=True, text=True, check=True)
    return np.array([float(word) for word in done.stdout.split()])


# ---- telling it ------------------------------------------------------------------------------------------------------


def tell(report: dict[str, Any]) -> None:
    print("microseconds; ratios are ours over Pinocchio's\n")
    print(f"{'':10} {'tree':9} {'joints':>6} {'kernel':>8} {'method':>8} {'pin':>8} {'kernel/pin':>10} {'method/pin':>10}")
    for row in report["algorithms"]:
        print(
            f"{row['algorithm']:10} {row['tree']:9} {row['joints']:6} {row['kernel_us']:8.2f} {row['method_us']:8.2f} "
            f"{row['pinocchio_us']:8.2f} {row['kernel_ratio']:10.2f} {row['method_ratio']:10.2f}"
        )
    print("\nDelassus matrix of four points on a chain")
    for row in report["delassus"]["rows"]:
        print(f"{row['links']:6} links: kernel {row['kernel_us']:7.1f}, method {row['method_us']:7.1f}", end="")
        if "pinocchio_us" in row:
            print(
                f", Pinocchio {row['pinocchio_us']:7.1f}; kernel/pin {row['kernel_ratio']:.2f}, "
                f"method/pin {row['method_ratio']:.2f}; largest relative difference {row['difference']:.1e}"
            )
        else:
            print(" (more links than Pinocchio has memory for)")
    print(f"slope of log time over log links: {report['delassus']['slope']:.2f}")
    overhead = report["call"]
    print(f"\none call of mass_matrix(q) costs {overhead['overhead_us']:.2f} us besides the kernel,", end=" ")
    print(f"{overhead['overhead_with_out_us']:.2f} us with out=")
    wait = report["waiting"]
    print(f"import stickslip {wait['import']:.3f} s; first result {wait['cold_first_result']:.1f} s on a new machine", end=", ")
    print(f"then {wait['warm_first_result']:.2f} s")
    print(f"every method once: {wait['cold_all_methods']:.1f} s on a new machine, then {wait['warm_all_methods']:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description="Dynamics of trees against Pinocchio.")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    as_json = parser.parse_args().json
    report = {
        "algorithms": against_pinocchio(),
        "delassus": delassus(),
        "call": call_overhead(),
        "waiting": waiting(),
    }
    print(json.dumps(report, indent=2)) if as_json else tell(report)


if __name__ == "__main__":
    main()
