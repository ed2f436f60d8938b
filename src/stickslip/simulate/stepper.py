"""The stepper of a world: the arrays of its compiled loop, made once for any number of runs."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from stickslip.complementarity.basis import MARKS, SCRATCH
from stickslip.complementarity.cone_newton import LAW_WIDTH, TABLE_WIDTH
from stickslip.complementarity.cone_residual import CONTACT_WIDTH
from stickslip.complementarity.cone_search import REPORT_WIDTH, VECTORS
from stickslip.complementarity.lemke import FIGURES
from stickslip.contact.placing import workspace
from stickslip.contact.touch import IDENTITY_WIDTH, TOUCH_WIDTH
from stickslip.contact.world import World
from stickslip.dynamics.kinematics import WORK_WIDTH
from stickslip.dynamics.mechanism import Mechanism
from stickslip.dynamics.tree import Floats
from stickslip.impact.touching import Bilateral, FrictionCone, FrictionLcp, Response, Touching
from stickslip.simulate.bracket import BRACKET
from stickslip.simulate.joints import joints_of
from stickslip.simulate.scope import refuse_opening_loops
from stickslip.simulate.stepping import Closures, Looking, Model, Record, Scenery, Trial
from stickslip.simulate.time_stepping import CLOCK, STALE, run_into


class Stepper:
    """Steps one world from one state; `most` contacts at one time, besides joint limits and dry friction.

    Friction in space keeps to the cone, or acts along a number of `directions`.
    """

    def __init__(self, world: World, *, most: int, directions: int | None) -> None:
        mechanism = world.mechanism
        self.world = world
        self.size = 2 if world.planar else 3
        self.most = most
        joints = joints_of(mechanism)
        limits = len(joints.limited)
        room = most + limits + len(joints.rubbing)
        nv, nq, rows = mechanism.nv, mechanism.nq, self.size * room
        self.q, self.v = np.zeros(nq), np.zeros(nv)
        self.clock = np.zeros(CLOCK, dtype=np.int64)
        way = np.array([[1.0, 0.0], [-1.0, 0.0]]) if world.planar else circle(directions or 0)
        self._bilateral, self._trial = _bilateral(mechanism.loop_rows, nv), _trial(nq, nv, rows)
        self._head = (
            Model(*mechanism._tree),
            scenery_of(world),
            joints,
            _closures(mechanism),
            _looking(world, most, limits),
            _touching(room, rows, nv),
            _touching(room, rows, nv),
            Response(np.zeros((nv, nv)), np.zeros((rows, nv)), np.zeros(rows * rows), np.zeros(nv)),
            self._bilateral,
            _lcp(way, room, rows),
            _cone(room if not len(way) else 0),
            self._trial,
        )
        self._tail = np.zeros(rows), np.zeros(BRACKET)

    def start(self, q: Floats, v: Floats) -> None:
        """Begin anew at q (nq,), v (nv,); a velocity that opens a loop is an `ArgumentError`."""
        refuse_opening_loops(self.world.mechanism, q, v)
        self.q[:], self.v[:] = q, v
        self.clock[:] = 0
        self.clock[STALE] = 1
        self._trial.a[:] = 0.0
        self._bilateral.pull[:] = 0.0

    def run(self, applied: Floats, start: float, dt: float, margin: float, steps: int, every: int, record: Record) -> int:
        """Go on until the clock shows `steps`, with the generalised force `applied` (nv,); answers how it returned."""
        total, bracket = self._tail
        return int(
            run_into(*self._head, applied, self.q, self.v, start, dt, margin, steps, every, self.clock, record, total, bracket)
        )


def scenery_of(world: World) -> Scenery:
    """What a world's shapes, pairs and materials are to a kernel."""
    detector = world.detector
    meetings = sorted(world.materials_by_pair(), key=lambda entry: entry[0])
    materials = list(dict.fromkeys(material for _, material in meetings))
    number = {material: k for k, material in enumerate(materials)}
    shapes = len(detector.scene.shapes)
    return Scenery(
        detector._up,
        detector._out_array,
        *detector.scene,
        *detector.broad_phase,
        np.array([first * shapes + second for (first, second), _ in meetings], dtype=np.int64),
        np.array([number[material] for _, material in meetings], dtype=np.int64),
        np.array([(material.friction, material.restitution) for material in materials]).reshape(-1, 2),
    )


def circle(number: int) -> Floats:
    """Unit vectors (number, 2), evenly spread."""
    return np.array([(cos(2 * pi * k / number), sin(2 * pi * k / number)) for k in range(number)]).reshape(number, 2)


def _looking(world: World, most: int, limits: int) -> Looking:
    return Looking(
        np.zeros((world.mechanism.nv, WORK_WIDTH)),
        *workspace(world.detector.scene, world.plane),
        np.zeros((4 * most, 2), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros((2 * most + limits, TOUCH_WIDTH)),
        np.zeros((2 * most + limits, IDENTITY_WIDTH), dtype=np.int64),
        np.zeros((4, 5)),
    )


def _touching(most: int, rows: int, nv: int) -> Touching:
    return Touching(
        np.zeros((most, TOUCH_WIDTH)),
        np.zeros((most, IDENTITY_WIDTH), dtype=np.int64),
        np.zeros(most),
        np.zeros(most),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(rows),
        np.zeros((rows, nv)),
        np.zeros(rows),
        np.zeros(rows),
    )


def _closures(mechanism: Mechanism) -> Closures:
    frames, loops = mechanism._frames, mechanism._loops
    return Closures(frames.holder, frames.offset, loops.which, loops.vectors, loops.couplings)


def _bilateral(rows: int, nv: int) -> Bilateral:
    return Bilateral(
        J=np.zeros((rows, nv)),
        residual=np.zeros(rows),
        drift=np.zeros(rows),
        rate=np.zeros(rows),
        Q=np.zeros((rows, nv)),
        T=np.zeros((rows + 1, rows)),
        span=np.zeros((rows, 2), dtype=np.int64),
        kept=np.zeros(rows, dtype=np.int64),
        rank=np.zeros(1, dtype=np.int64),
        part=np.zeros(rows),
        change=np.zeros(nv),
        pull=np.zeros(nv),
    )


def _lcp(directions: Floats, most: int, rows: int) -> FrictionLcp:
    n = (max(len(directions), 1) + 2) * most  # without directions projections need one unknown a row
    return FrictionLcp(
        directions=directions,
        first=np.zeros(most, dtype=np.int64),
        generators=np.zeros(n, dtype=np.int64),
        coefficients=np.zeros((n, 3)),
        velocity=np.zeros(rows),
        restored=np.zeros(rows),
        A=np.zeros(n * n),
        b=np.zeros(n),
        z=np.zeros(n),
        w=np.zeros(n),
        basis=np.zeros(n),
        T=np.zeros((n + 2) * n),
        scratch=np.zeros(SCRATCH * n),
        marks=np.zeros(MARKS * (2 * n + 1), dtype=np.int64),
        figures=np.zeros(FIGURES),
    )


def _cone(most: int) -> FrictionCone:
    n = 3 * most
    return FrictionCone(
        np.zeros(CONTACT_WIDTH * most),
        np.zeros(n),
        np.zeros(most, dtype=np.int64),
        np.zeros(LAW_WIDTH * most),
        np.zeros(TABLE_WIDTH * n),
        np.zeros(2 * n, dtype=np.int64),
        np.zeros(n * n),
        np.zeros(2 * n * n),
        np.zeros(VECTORS * n),
        np.zeros(REPORT_WIDTH),
    )


def _trial(nq: int, nv: int, rows: int) -> Trial:
    return Trial(
        q=np.zeros(nq),
        v=np.zeros(nv),
        a=np.zeros(nv),
        impulse=np.zeros(rows),
        q_middle=np.zeros(nq),
        v_begin=np.zeros(nv),
        v_middle=np.zeros(nv),
        v_free=np.zeros(nv),
        a_free=np.zeros(nv),
        force=np.zeros(nv),
        move=np.zeros(nv),
        dense=np.zeros((nv + 1, nv)),
    )
