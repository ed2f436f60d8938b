"""Fig. 1: what happens to 15 links, in the order in which it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stickslip.scenario import Scenario
from stickslip.simulate import Trajectory
from stickslip.studies.minimal_coordinates.techniques import pendulum, run_of, stopped_early
from stickslip.studies.study import Compared, Finding, Table, Value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINKS = 15
SHOWN = (0.0, 0.2, 0.35, 0.5, 0.62, 0.8, 1.0, 1.27)  # s: down to the ground, along it, and up to the wall

GROUND, WALL = " on floor", " on wall"


def figure_1() -> Finding:
    """15 links in minimal coordinates over 5 s, or as far as they come."""
    scenario = pendulum(LINKS, "minimal")
    run = run_of(scenario)
    hits = [(event.time, name) for event in run.events for name in event.contacts]
    ground, wall, each_other = (_times(hits, kind) for kind in (GROUND, WALL, ""))
    before = [time for time in ground if not wall or time < wall[0]]
    dragging = _dragging(run, until=wall[0] if wall else np.inf)
    at_once = max([len(event.contacts) for event in run.events] + [len(word) for word in run.mode], default=0)
    drags = f"{len(dragging)} of them then slide along it" if dragging else "each for an instant, none stays on it"
    return Finding(
        claim="as the pendulum swings from left to right, it collides with the ground, drags along the ground, and eventually "
        "collides with the wall; at times several links collide with the ground, the wall and each other.",
        finding=f"links meet the ground {len(before)} times from {_at(ground)} on, {drags}; one meets the wall at {_at(wall)}; "
        f"links meet each other from {_at(each_other)} on; up to {at_once} contacts close at one time.",
        quantities={
            "first the ground, then the wall": Compared(True, bool(before and wall)),
            "drags along the ground in between": Compared(True, bool(dragging)),
            "links meet ground, wall and each other": Compared(True, bool(ground and wall and each_other)),
            "several contacts at one time": Compared(True, at_once > 1),
            "first meets the ground (s)": Compared(None, _first(ground)),
            "first meets itself (s)": Compared(None, _first(each_other)),
            "first meets the wall (s)": Compared(None, _first(wall)),
            "simulated (s)": Compared(5.0, run.duration),
        },
        data=Table(("time (s)", "what is hit"), [(time, name) for time, name in hits]),
        draw=lambda: _draw(scenario, run),
        flags=stopped_early(f"the run of {LINKS} links", run),
    )


def _times(hits: list[tuple[float, str]], kind: str) -> list[float]:
    """When a link hits the ground or the wall; without a kind, another link."""
    return [time for time, name in hits if (name.endswith(kind) if kind else not name.endswith((GROUND, WALL)))]


def _dragging(run: Trajectory, until: float) -> list[str]:
    """The contacts with the ground that slide towards +x, which is to the right, at some sample before a time in s."""
    before = run.time < until
    on_ground = [name for name in run.contact_names if name.endswith(GROUND)]
    return [name for name in on_ground if (run.contact(name).mode[before] == "R").any()]


def _first(times: list[float]) -> Value:
    return times[0] if times else None


def _at(times: list[float]) -> str:
    return f"{times[0]:.3f} s" if times else "no time"


def _draw(scenario: Scenario, run: Trajectory) -> Figure:
    from stickslip.view import style, time_lapse

    figure = style.new_figure()
    axes = figure.add_subplot()
    time_lapse(scenario.world, run, [time for time in SHOWN if time <= run.time[-1]], ax=axes)
    style.label(axes, title=f"{LINKS} links swing into the ground and the wall (Fig. 1)")
    return figure
