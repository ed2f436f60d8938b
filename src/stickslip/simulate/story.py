"""A run in a few lines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from stickslip.complementarity import Answer

if TYPE_CHECKING:
    from stickslip.simulate.trajectory import Trajectory

MOST_LINES = 8  # of contacts that are told one by one, before the others are counted


def story_of_trajectory(run: Trajectory) -> str:
    """How long it took, what touched, what happened, what became of the energy, and how it ended."""
    lines = [f"trajectory of {run.layout.mechanism!r}: {_count(len(run), 'sample')}{_span(run)}{_method(run)}"]
    lines += _contacts(run) + _events(run) + _energy(run) + _certificates(run)
    lines.append(f"  {run.outcome.value}")
    if run.trouble:
        lines += [f"  {line}" for line in run.trouble.splitlines()]
    return "\n".join(lines)


def _span(run: Trajectory) -> str:
    return f" from {run.time[0]:g} s to {run.time[-1]:g} s" if len(run) else ""


def _method(run: Trajectory) -> str:
    method, dt = run.settings.get("method"), run.settings.get("dt")
    return (f", {method}" if method else "") + (f", dt = {dt:g} s" if isinstance(dt, float) else "")


def _contacts(run: Trajectory) -> list[str]:
    if not run.contact_names:
        return ["  nothing touches"]
    lines = []
    for name in run.contact_names[:MOST_LINES]:
        trace = run.contact(name)
        letters = Counter(trace.mode[trace.mode != ""].tolist())
        modes = ", ".join(f"{letter} {number}" for letter, number in sorted(letters.items()))
        push = trace.force[:, 0].max(initial=0.0)
        lines.append(f"  {name}: closed at {_count(letters.total(), 'sample')} ({modes}), at most {push:.4g} N")
    others = len(run.contact_names) - MOST_LINES
    return lines + ([f"  and {_count(others, 'more contact')}"] if others > 0 else [])


def _events(run: Trajectory) -> list[str]:
    kinds = Counter(str(event.kind) for event in run.events)
    if not kinds:
        return []
    told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return [f"  events: {told}; the first: {run.events[0]}"]


def _energy(run: Trajectory) -> list[str]:
    if not len(run):
        return []
    totals = run.energy.sum(axis=1)
    return [f"  energy: {totals[0]:.6g} J at first, {totals[-1]:.6g} J at last, {run.energy[-1, 0]:.4g} J of it kinetic"]


def _certificates(run: Trajectory) -> list[str]:
    if not run.certificates:
        return []
    lines = [f"  certificates: {len(run.certificates)}"]
    for verdict in run.certificates:
        if verdict.existence is Answer.NO or verdict.motion is Answer.AMBIGUOUS:
            what = "no solution exists" if verdict.existence is Answer.NO else "the motion is ambiguous"
            lines[0] += f"; {what} at {verdict.time:g} s"
            break
    return lines


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
