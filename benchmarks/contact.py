"""Detection of contacts: a chain of ten links among discs, against MuJoCo's own detection of the same scene.

    python benchmarks/contact.py [--json]

Both sides place the same links and look for all gaps up to the same margin, at the same positions, in one process and in turn.
Ours is timed in a compiled loop over the entry kernel and as `World.contacts`; MuJoCo's `mj_kinematics` and `mj_collision` are
called from Python, which costs it about half a microsecond a call. Discs are spheres there. Ratios below 1: we are faster.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

import mujoco
import numba
import numpy as np
from _timing import best

import stickslip as ss
from stickslip.contact import World
from stickslip.contact.detection import detect_planar_into

LINKS, LENGTH, RADIUS = 10, 0.2, 0.02  # m
POST, SPACING = 0.05, 0.3  # m: radius of the discs, and how far apart they stand
MARGIN = 0.01  # m
POSITIONS = 100
OBSTACLES = (10, 100, 1000)


def field(count: int) -> np.ndarray:
    """The centres of discs (count, 2), nearest to the origin first, on a shaken grid."""
    rng = np.random.default_rng(0)
    side = np.arange(-20, 21) * SPACING
    grid = np.array([(x, y) for x in side for y in side])
    grid += rng.uniform(-1, 1, grid.shape) * (SPACING / 2 - POST) * 0.9
    return grid[np.argsort((grid**2).sum(axis=1), kind="stable")][:count]


def chain() -> ss.Mechanism:
    b = ss.MechanismBuilder(plane="xy", gravity=(0, 0, 0))
    lying = ((0, 0, 1), (0, 1, 0), (-1, 0, 0))  # a capsule's axis along the link's x
    for k in range(LINKS):
        capsule = ss.Capsule(radius=RADIUS, length=LENGTH, centre=(LENGTH / 2, 0, 0), rotation=lying)
        b.body(f"link_{k}", mass=1.0, centre=(LENGTH / 2, 0), inertia=0.01, shapes=[capsule])
        if k == 0:
            b.planar("root", child="link_0")
        else:
            b.revolute(f"joint_{k}", parent=f"link_{k - 1}", child=f"link_{k}", at=(LENGTH, 0))
    return ss.Mechanism(b)


def positions(mech: ss.Mechanism) -> np.ndarray:
    """A chain that winds like a snake and wanders about the middle of the field."""
    rng = np.random.default_rng(1)
    q = np.zeros((POSITIONS, mech.nq))
    q[:, :2] = rng.uniform(-0.3, 0.3, (POSITIONS, 2)) - (LINKS * LENGTH / 2, 0.0)
    q[:, 2:] = rng.normal(0.0, 0.35, (POSITIONS, LINKS))
    return q


def in_mujoco(centres: np.ndarray) -> tuple[Any, Any]:
    body = ""
    for k in reversed(range(LINKS)):
        joints = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>' if k == 0 else ""
        place = 0.0 if k == 0 else LENGTH
        body = (
            f'<body pos="{place} 0 0">{joints}<joint type="hinge" axis="0 0 1"/><geom type="capsule" size="{RADIUS}" '
            f'fromto="0 0 0 {LENGTH} 0 0" contype="1" conaffinity="2" margin="{MARGIN}"/>{body}</body>'
        )
    posts = "".join(
        f'<geom type="sphere" size="{POST}" pos="{x:.17g} {y:.17g} 0" contype="2" conaffinity="1"/>' for x, y in centres
    )
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{posts}{body}</worldbody></mujoco>")
    return model, mujoco.MjData(model)


@numba.njit
def many_detections(topology, links, positions, scene, movers, partners, grid, starts, members, margin, work, scratch):
    shapes, sizes, corners = scene
    placed, placed_corners, near, touches, identities = scratch
    total = 0
    for i in range(positions.shape[0]):
        total += detect_planar_into(
            topology,
            links,
            positions[i],
            shapes,
            sizes,
            corners,
            movers,
            partners,
            grid,
            starts,
            members,
            1,
            margin,
            work,
            placed,
            placed_corners,
            near,
            touches,
            identities,
        )
    return total


def compiled(world: World, states: np.ndarray) -> Callable[[], int]:
    mech, detector = world.mechanism, world.detector
    scene = detector.scene.shapes, detector.scene.sizes, detector.scene.corners
    near, touches, identities = detector._scratch()
    scratch = detector._local.placed, detector._local.placed_corners, near, touches, identities
    arrays = scene, *detector.broad_phase, MARGIN, mech._work(), scratch
    return lambda: many_detections(mech._tree[0], mech._tree[1], states, *arrays)


def theirs(model: Any, data: Any, states: np.ndarray) -> Callable[[], int]:
    def run() -> int:
        total = 0
        for q in states:
            data.qpos[:] = q
            mujoco.mj_kinematics(model, data)
            mujoco.mj_collision(model, data)
            total += data.ncon
        return total

    return run


def detection() -> list[dict[str, float]]:
    mech = chain()
    states = positions(mech)
    rows = []
    for count in OBSTACLES:
        centres = field(count)
        world = World(mech, obstacles=[ss.Disc(radius=POST, centre=(x, y, 0)) for x, y in centres])
        ours, peer = compiled(world, states), theirs(*in_mujoco(centres), states)
        found, expected = ours(), peer()
        assert found == expected, f"{found} contacts, but MuJoCo finds {expected}"
        kernel, method, mujocos = best(ours, lambda world=world: [world.contacts(q, margin=MARGIN) for q in states], peer)
        rows.append(
            {
                "discs": count,
                "contacts": found / POSITIONS,
                "kernel_us": kernel / POSITIONS * 1e6,
                "method_us": method / POSITIONS * 1e6,
                "mujoco_us": mujocos / POSITIONS * 1e6,
                "kernel_ratio": kernel / mujocos,
            }
        )
    return rows


def tell(rows: list[dict[str, float]]) -> None:
    print(f"a chain of {LINKS} links among discs: microseconds for one instant; the ratio is ours over MuJoCo's\n")
    print(f"{'discs':>6} {'contacts':>8} {'kernel':>8} {'method':>8} {'MuJoCo':>8} {'kernel/MuJoCo':>13}")
    for row in rows:
        print(
            f"{row['discs']:6} {row['contacts']:8.1f} {row['kernel_us']:8.2f} {row['method_us']:8.1f} {row['mujoco_us']:8.1f} "
            f"{row['kernel_ratio']:13.3f}"
        )
    print(
        f"\n{rows[-1]['discs']} discs cost {rows[-1]['kernel_us'] / rows[0]['kernel_us']:.2f} times what {rows[0]['discs']} do"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Detection of contacts against MuJoCo.")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    as_json = parser.parse_args().json
    rows = detection()
    print(json.dumps(rows, indent=2)) if as_json else tell(rows)


if __name__ == "__main__":
    main()
