"""What a compiled run leaves behind, collected piece by piece and made into a Trajectory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from stickslip.contact.world import World
from stickslip.dynamics.tree import Floats, Ints
from stickslip.simulate.contact_history import ContactHistory
from stickslip.simulate.ending import End
from stickslip.simulate.event import Event, EventKind
from stickslip.simulate.joints import joints_of, limit_names
from stickslip.simulate.layout import Layout
from stickslip.simulate.stepping import CONTACTS, EVENTS, LAST, SAMPLES, Record
from stickslip.simulate.time_stepping import (
    CONTACT_WIDTH,
    EVENT_ENERGY,
    EVENT_HELD,
    EVENT_IDENTITY,
    EVENT_IMPULSE,
    EVENT_WIDTH,
    OF_FIRST,
    OF_FORCE,
    OF_GAP,
    OF_HELD,
    OF_SLIP,
    SAMPLE,
    TIME,
)
from stickslip.simulate.trajectory import Trajectory

ROOM = 2048  # samples that are recorded before the loop hands them over
OLD = -2  # what the clock says of a last sample that was collected already
STILL = 1e-8  # m/s: a contact that slips no faster than this is fixed


class Piece(NamedTuple):
    """What was recorded between two pauses: rows of samples, contacts and events."""

    samples: Floats
    contacts: Floats
    events: Floats


class RunRecord:
    """Collects samples, contacts and collisions of one run of a world."""

    def __init__(self, world: World, most: int) -> None:
        self.world, self.size = world, 2 if world.planar else 3
        nq, nv, nu = world.mechanism.nq, world.mechanism.nv, world.mechanism.nu
        self.limits, self.first_limit = limit_names(world.mechanism), len(world.detector.scene.shapes)
        room = most + len(self.limits) + len(joints_of(world.mechanism).rubbing)
        self.buffer = Record(
            np.zeros((ROOM, 1 + nq + nv + nu)),
            np.zeros((ROOM + 64 * room, CONTACT_WIDTH)),
            np.zeros((ROOM + 64 * room, EVENT_WIDTH)),
        )
        self.pieces: list[Piece] = []
        self.count = 0
        self.last: Piece | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing was recorded yet."""
        return not self.pieces

    def begin(self, q: Floats, v: Floats, tau: Floats) -> None:
        """The state (nq,), (nv,) at time zero, and the inputs (nu,)."""
        start = np.concatenate([[0.0], q, v, tau])[None]
        self.pieces.append(Piece(start, np.zeros((0, CONTACT_WIDTH)), np.zeros((0, EVENT_WIDTH))))
        self.count = 1

    def collect(self, clock: Ints) -> None:
        """Take over what was recorded since the last time, and make room."""
        samples, contacts, events, last = (int(clock[which]) for which in (SAMPLES, CONTACTS, EVENTS, LAST))
        closed = self.buffer.contacts[: contacts + max(last, 0)].copy()
        closed[:, SAMPLE] += self.count
        piece = Piece(self.buffer.samples[:samples].copy(), closed[:contacts], self.buffer.events[:events].copy())
        self.pieces.append(piece)  # at once, so that an interruption finds all of it or nothing
        if last != OLD:
            self.last = Piece(self.buffer.samples[samples : samples + (last >= 0)].copy(), closed[contacts:], piece.events[:0])
        self.count += samples
        clock[[SAMPLES, CONTACTS, EVENTS, LAST]] = 0, 0, 0, OLD

    def trajectory(self, end: End, settings: Mapping[str, Any]) -> Trajectory:
        """All of it, and the last state, though it may not be one of those that are kept."""
        mechanism = self.world.mechanism
        pieces = [*self.pieces, self.last] if self.last is not None else self.pieces
        samples, contacts, events = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
        q, v, tau = np.split(samples[:, 1:], [mechanism.nq, mechanism.nq + mechanism.nv], axis=1)
        return Trajectory(
            layout=Layout.of(mechanism),
            time=samples[:, TIME],
            q=q,
            v=v,
            tau=tau,
            energy=np.array([mechanism.energy(position, velocity) for position, velocity in zip(q, v, strict=True)]),
            contacts=self._history(contacts[contacts[:, OF_FIRST] < self.first_limit]),
            events=self._events(samples[:, TIME], contacts, events),
            certificates=end.certificates,
            outcome=end.outcome,
            trouble=end.trouble,
            problem=end.problem,
            settings=settings,
        )

    def _history(self, contacts: Floats) -> ContactHistory:
        if not len(contacts):
            return ContactHistory.none(planar=self.size == 2)
        keys = contacts[:, OF_FIRST : OF_FIRST + 3].astype(np.int64)
        distinct, which = np.unique(keys, axis=0, return_inverse=True)
        names = tuple(self.world.contact_name(*key) for key in distinct.tolist())
        force = contacts[:, OF_FORCE : OF_FORCE + self.size]
        return ContactHistory(
            names=names,
            sample=contacts[:, SAMPLE].astype(np.int64),
            contact=which.ravel(),
            force=force,
            gap=contacts[:, OF_GAP],
            letter=letters(contacts[:, OF_SLIP], contacts[:, OF_HELD] > 0, planar=self.size == 2),
        )

    def _events(self, time: Floats, contacts: Floats, rows: Floats) -> tuple[Event, ...]:
        """Collisions, the contacts that were hit at one time together; limits that were reached, and left."""
        reached = (rows[:, EVENT_IDENTITY] >= self.first_limit) & (rows[:, EVENT_HELD] == 0.0)
        found = self._together(rows[~reached], EventKind.COLLISION) + self._together(rows[reached], EventKind.LIMIT_REACHED)
        return tuple(sorted(found + self._limits_left(time, contacts), key=lambda event: event.time))

    def _together(self, rows: Floats, kind: EventKind) -> list[Event]:
        """One event for all of these rows that have one time."""
        found = []
        for time in np.unique(rows[:, TIME]):
            now = rows[rows[:, TIME] == time]
            names = tuple(self._name(*row) for row in now[:, EVENT_IDENTITY : EVENT_IDENTITY + 3].astype(np.int64).tolist())
            sizes = np.where(now[:, EVENT_IDENTITY] >= self.first_limit, 1, self.size).tolist()
            impulses = [row[:size] for row, size in zip(now[:, EVENT_IMPULSE:].tolist(), sizes, strict=True)]
            found.append(Event(float(time), kind, names, tuple(map(tuple, impulses)), float(now[:, EVENT_ENERGY].sum())))
        return found

    def _limits_left(self, time: Floats, contacts: Floats) -> list[Event]:
        """A limit is left by the first sample, of those that are kept, at which it is not reached any more."""
        found = []
        for k, name in enumerate(self.limits):
            there = np.zeros(len(time), dtype=bool)
            there[contacts[contacts[:, OF_FIRST] == self.first_limit + k, SAMPLE].astype(np.int64)] = True
            left = np.flatnonzero(there[:-1] & ~there[1:]) + 1
            found += [Event(float(time[sample]), EventKind.LIMIT_LEFT, (name,)) for sample in left]
        return found

    def _name(self, first: int, second: int, number: int) -> str:
        limit = first - self.first_limit
        return self.limits[limit] if limit >= 0 else self.world.contact_name(first, second, number)


def letters(slip: Floats, held: Any, *, planar: bool) -> Any:
    """The mode of each record from its slip (m,) in m/s; what does not push is separating."""
    way = np.where(slip > 0.0, "R", "L") if planar else np.full(len(slip), "D")
    return np.where(held, np.where(np.abs(slip) <= STILL, "F", way), "S")
