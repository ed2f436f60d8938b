"""What happened when: a ribbon of contact modes for each contact, and a row of marks for each kind of event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from stickslip.complementarity import Answer
from stickslip.dynamics.tree import Floats
from stickslip.simulate import EventKind, Trajectory
from stickslip.view import style
from stickslip.view.panels import ENTRY, Panel, legend_beside, shortened

MOST_RIBBONS = 24  # contacts; of more, those that were closed for the longest
MOST_KINDS = 10  # rows of events
ROW, FRAME = 0.17, 0.3  # inches of a row, and around all of them
THICK = 0.38  # of a row: half a ribbon
NO_SOLUTION, AMBIGUOUS = "no solution exists", "motion is ambiguous"
LOUD = (EventKind.COLLISION.value, NO_SOLUTION, AMBIGUOUS)  # drawn in the colour of an alarm


def ribbon_panel(run: Trajectory, contacts: Sequence[str], ends: tuple[float, float]) -> Panel:
    """The ribbons of contacts between two times in s."""
    spans = {name: spans_of(run, name, ends) for name in contacts}
    longest = sorted(contacts, key=lambda name: -sum(b - a for _, a, b in spans[name]))[:MOST_RIBBONS]
    rows = [name for name in contacts if name in longest]
    letters = {letter for name in rows for letter, _, _ in spans[name]}
    height = max(FRAME + ROW * len(rows), ENTRY * (len(letters) + 1.5))
    return Panel(height=height, draw=_Ribbons({name: spans[name] for name in rows}, len(contacts) - len(rows)))


def event_panel(run: Trajectory) -> Panel:
    """The events of a run by kind, and where certificates say that there is no solution or no unique motion."""
    kinds: dict[str, list[float]] = {}
    for event in run.events:
        kinds.setdefault(str(event.kind), []).append(event.time)
    for verdict in run.certificates:
        if verdict.existence is Answer.NO:
            kinds.setdefault(NO_SOLUTION, []).append(verdict.time)
        if verdict.motion is Answer.AMBIGUOUS:
            kinds.setdefault(AMBIGUOUS, []).append(verdict.time)
    rows = dict(sorted(kinds.items(), key=lambda item: -len(item[1]))[:MOST_KINDS])
    return Panel(height=FRAME + ROW * max(len(rows), 1), draw=_Events(rows, len(kinds) - len(rows)))


def spans_of(run: Trajectory, contact: str, ends: tuple[float, float]) -> list[tuple[str, float, float]]:
    """(letter, from, until) in s of a contact's modes: each sample stands for the time half-way to its neighbours."""
    borders = np.concatenate([[ends[0]], 0.5 * (run.time[:-1] + run.time[1:]), [ends[1]]])
    history = run.contacts
    records = np.flatnonzero(history.contact == history.names.index(contact))
    samples, letters = history.sample[records], history.letter[records]
    new = np.ones(len(records), dtype=bool)
    new[1:] = (np.diff(samples) > 1) | (letters[1:] != letters[:-1])
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(records))[: len(first)] - 1
    return [
        (str(letters[a]), float(borders[samples[a]]), float(borders[samples[b] + 1])) for a, b in zip(first, last, strict=True)
    ]


@dataclass(frozen=True)
class _Ribbons:
    """Draws a row for each contact, empty where it is open."""

    spans: dict[str, list[tuple[str, float, float]]]
    left_out: int

    def __call__(self, axes: Axes) -> None:
        letters: dict[str, None] = {}
        for row, spans in enumerate(self.spans.values()):
            for letter in dict.fromkeys(letter for letter, _, _ in spans):
                letters[letter] = None
                ranges = [(a, b - a) for own, a, b in spans if own == letter]
                colour = style.mode_colour(letter)
                axes.broken_barh(
                    ranges, (row - THICK, 2 * THICK), facecolors=colour, edgecolors=colour, linewidth=0.5, label=f"_{letter}"
                )
        _rows(axes, [shortened(name) for name in self.spans], "modes", "nothing touched")
        if self.left_out:
            style.note(axes, f"{self.left_out} contacts that were closed for less time are left out")
        known = [letter for letter in style.MODES if letter in letters]
        others = [letter for letter in letters if letter not in style.MODES]
        legend_beside(axes, [_patch(letter) for letter in known + others])


@dataclass(frozen=True)
class _Events:
    """Draws a row of marks for each kind of event."""

    rows: dict[str, list[float]]
    left_out: int

    def __call__(self, axes: Axes) -> None:
        for row, (kind, times) in enumerate(self.rows.items()):
            colour = style.ALARM if kind in LOUD else style.INK
            axes.vlines(times, row - THICK, row + THICK, colors=colour, linewidth=style.THIN, label=f"_{kind}")
        _rows(axes, [f"{shortened(kind)} ({len(times)})" for kind, times in self.rows.items()], "events", "no events")
        if self.left_out:
            style.note(axes, f"{self.left_out} rarer kinds of event are left out")


def _rows(axes: Axes, names: Sequence[str], title: str, otherwise: str) -> None:
    """Names beside rows, the first of them on top; `otherwise` is said where there are none."""
    axes.set_ylim(max(len(names), 1) - 0.5, -0.5)
    if not names:
        style.say(axes, otherwise)
    axes.set_yticks(np.arange(len(names)), list(names))
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    style.label(axes, y=title)


def _patch(letter: str) -> Patch:
    word = style.MODE_WORDS.get(letter)
    return Patch(facecolor=style.mode_colour(letter), label=f"{letter}: {word}" if word else letter)


def event_times(run: Trajectory) -> Floats:
    """The times of all events, in s, each once."""
    return np.unique([event.time for event in run.events])
