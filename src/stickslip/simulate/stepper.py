"""The stepper of a world: the arrays of its compiled loop, made once for any number of runs."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np

from stickslip.complementarity.basis import MARKS, SCRATCH
from stickslip.complementarity.cone_newton import LAW_WIDTH, TABLE_WIDTH
from stickslip.complementarity.cone_residual import CONTACT_WIDTH
from stickslip.complementarity.cone_search import REPORT_WIDTH, VECTORS
from stickslip.complementarity.lemke import FIGURES
from stickslip.contact.neighbours import NO_LIST, Neighbours
from stickslip.contact.placing import workspace
from stickslip.contact.touch import IDENTITY_WIDTH, TOUCH_WIDTH
from stickslip.contact.world import World
from stickslip.dynamics.kinematics import WORK_WIDTH
from stickslip.dynamics.mechanism import Mechanism
from stickslip.dynamics.passive import has_passive_forces
from stickslip.dynamics.piece import address_of, block_of, start
from stickslip.dynamics.tree import Floats
from stickslip.impact.touching import Bilateral, FrictionCone, FrictionLcp, Response, Touching
from stickslip.simulate.bracket import BRACKET
from stickslip.simulate.contact_rows import rows_in_plane, rows_in_space
from stickslip.simulate.gathering import gather
from stickslip.simulate.joints import joints_of
from stickslip.simulate.kicks import push
from stickslip.simulate.laws import cone_law, polyhedral_law
from stickslip.simulate.look import look_in_plane, look_in_space
from stickslip.simulate.scope import refuse_opening_loops
from stickslip.simulate.stepping import (
    CLOCK,
    CONTROLLER,
    EVERY,
    GIVEN,
    LAST,
    LIMIT,
    MARGIN,
    PACE,
    PERIOD,
    SCHEDULED,
    SHRINK,
    SIZE,
    STALE,
    STARTED,
    STEP,
    TURNS,
    UNTIL,
    Closures,
    Inputs,
    Looking,
    Model,
    Parts,
    Record,
    Scenery,
    Trial,
)
from stickslip.simulate.time_stepping import meet, run


class Stepper:
    """Steps one world from one state; `most` contacts at one time, besides joint limits and dry friction.

    Friction in space keeps to the cone, or acts along a number of `directions`. What is kept of a run goes into `record`.
    Inputs can be given for as many steps as are `scheduled`.
    """

    def __init__(self, world: World, *, most: int, directions: int | None, record: Record, scheduled: int = 1) -> None:
        mechanism = world.mechanism
        self.world = world
        self.size = 2 if world.planar else 3
        self.most = most
        joints = joints_of(mechanism)
        limits = len(joints.limited)
        room = most + limits + len(joints.rubbing)
        nv, nq, rows = mechanism.nv, mechanism.nq, self.size * room
        way = np.array([[1.0, 0.0], [-1.0, 0.0]]) if world.planar else circle(directions or 0)
        model = Model(*mechanism._tree, passive=int(has_passive_forces(*mechanism._tree[1:3])))
        self.parts = Parts(
            pieces=np.array([address_of(one) for one in pieces_for(world, polyhedral=len(way) > 0)]),
            clock=np.zeros(CLOCK, dtype=np.int64),
            pace=np.zeros(PACE),
            model=model,
            scenery=scenery_of(world),
            joints=joints,
            loops=_closures(mechanism),
            looking=_looking(world, most, limits),
            touching=_touching(room, rows, nv),
            before=_touching(room, rows, nv),
            response=_response(model, nv, rows),
            bilateral=_bilateral(mechanism.loop_rows, nv),
            lcp=_lcp(way, room, rows),
            cone=_cone(room if not len(way) else 0),
            trial=_trial(nq, nv, rows),
            inputs=Inputs(np.zeros((scheduled, mechanism.nu)), mechanism.input_map(), np.zeros(mechanism.nu)),
            applied=np.zeros(nv),
            q=np.zeros(nq),
            v=np.zeros(nv),
            total=np.zeros(rows),
            bracket=np.zeros(BRACKET),
            record=record,
        )
        self.q, self.v, self.clock = self.parts.q, self.parts.v, self.parts.clock
        self._block = block_of(self.parts)
        self._run = address_of(run)

    def start(self, q: Floats, v: Floats) -> None:
        """Begin anew at q (nq,), v (nv,); a velocity that opens a loop is an `ArgumentError`."""
        refuse_opening_loops(self.world.mechanism, q, v)
        self.q[:], self.v[:] = q, v
        self.clock[:] = 0
        self.clock[STALE], self.clock[SIZE], self.clock[LAST] = 1, self.size, -1
        self.parts.pace[SHRINK], self.parts.pace[LIMIT] = 1.0, np.inf
        self.parts.lcp.restored[:] = 0.0
        self.parts.trial.free[:] = 0.0
        self.parts.inputs.tau[:] = 0.0
        self.give(self.parts.inputs.tau[None])

    def give(self, inputs: Floats) -> None:
        """Inputs (rows, nu) of the steps from the start on; the last row is held."""
        self.parts.inputs.table[: len(inputs)] = inputs
        self.clock[SCHEDULED], self.clock[GIVEN] = len(inputs), 1

    def obey(self, controller: int, period: int) -> None:
        """Ask the controller whose machine code is at an address every so many steps; what `give` gave does not count."""
        self.clock[CONTROLLER], self.clock[PERIOD] = controller, period

    def run(self, begun: float, dt: float, margin: float, steps: int, every: int) -> int:
        """Go on until the clock shows `steps`; answers how it returned."""
        pace = self.parts.pace
        pace[STARTED], pace[STEP], pace[MARGIN] = begun, dt, margin
        self.clock[UNTIL], self.clock[EVERY] = steps, every
        return int(start(self._run, self._block.ctypes.data))


def pieces_for(world: World, *, polyhedral: bool) -> tuple[Any, ...]:
    """The pieces that step a world, in the order of `Parts.pieces`."""
    law = polyhedral_law if polyhedral else cone_law
    look, rows = (look_in_plane, rows_in_plane) if world.planar else (look_in_space, rows_in_space)
    return look, rows, law, push, gather, meet


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
        Neighbours(
            np.zeros((16 * most, 2), dtype=np.int64),
            np.zeros((len(world.detector.scene.shapes), 6)),
            np.zeros(1),
            np.array([NO_LIST, 0], dtype=np.int64),
        ),
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
        np.zeros(rows),
        np.zeros((rows, nv)),
        np.zeros(rows),
        np.zeros(rows),
    )


def _response(model: Model, nv: int, rows: int) -> Response:
    return Response(
        topology=model.topology,
        rotors=model.rotors,
        work=np.zeros((nv, WORK_WIDTH)),
        L=np.zeros((nv, nv)),
        Y=np.zeros((rows, nv)),
        G=np.zeros(rows * rows),
        change=np.zeros(nv),
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
        aim=np.zeros(rows),
        Q=np.zeros((rows, nv)),
        T=np.zeros((rows + 1, rows)),
        span=np.zeros((rows, 2), dtype=np.int64),
        kept=np.zeros(rows, dtype=np.int64),
        rank=np.zeros(1, dtype=np.int64),
        part=np.zeros(rows),
        change=np.zeros(nv),
    )


def _lcp(directions: Floats, most: int, rows: int) -> FrictionLcp:
    n = (max(len(directions), 1) + 2) * most  # without directions projections need one unknown a row
    return FrictionLcp(
        directions=directions,
        first=np.zeros(most, dtype=np.int64),
        generators=np.zeros(n, dtype=np.int64),
        coefficients=np.zeros((n, 3)),
        units=np.ones(n),
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
        impulse=np.zeros(rows),
        mean=np.zeros(nv),
        end=np.zeros(nv),
        turns=np.zeros((TURNS, nv)),
        a=np.zeros(nv),
        free=np.zeros(nv),
        v_free=np.zeros(nv),
        began=np.zeros(nv),
        led=np.zeros(nv),
        force=np.zeros(nv),
        move=np.zeros(nv),
    )
