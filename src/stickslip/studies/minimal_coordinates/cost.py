"""Table I: what both techniques cost."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from stickslip.scenario import Scenario
from stickslip.studies.minimal_coordinates.techniques import TECHNIQUES, pendulum, run_of, stopped_early
from stickslip.studies.study import Compared, Finding, Table, Value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PRINTED = {  # links: s in minimal, s in redundant coordinates
    3: (1.326214, 5.035574),
    6: (1.572062, 7.585271),
    12: (3.231113, 21.002845),
    15: (2.930593, 40.110204),
    24: (5.989333, 117.906592),
    30: (4.766953, 212.037019),
}
DURATION = 5.0  # s
REPEATS = 3
ROOM_FOR_LEGEND = 30.0  # times the largest cost that is drawn


class Cost(NamedTuple):
    """Of a pendulum: what `simulated` s cost in minimal and in redundant coordinates, in s, and what stopped which of them."""

    links: int
    simulated: float
    minimal: float
    redundant: float
    flags: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether both techniques came to the end."""
        return not self.flags

    @property
    def ratio(self) -> float:
        """What redundant coordinates cost over what minimal ones cost, for the same simulated time."""
        return self.redundant / self.minimal


def table_1(links: tuple[int, ...] = tuple(PRINTED), repeats: int = REPEATS) -> Finding:
    """Each pendulum by both techniques: the best of some repeats, in turn, each a whole call of `simulate`."""
    costs = [cost(n, repeats) for n in links]
    quantities: dict[str, Compared] = {}
    for one in costs:
        for technique, printed, ours in zip(TECHNIQUES, PRINTED[one.links], (one.minimal, one.redundant), strict=True):
            name = f"{one.links} links, {technique}"
            quantities[f"{name} (s)"] = Compared(printed, ours if one.whole else None)
            if not one.whole:
                quantities[f"{name}, per simulated second (s)"] = Compared(printed / DURATION, ours / one.simulated)
        if not one.whole:
            quantities[f"{one.links} links, simulated by both (s)"] = Compared(DURATION, one.simulated)
        quantities[f"{one.links} links, redundant / minimal"] = Compared(_printed_ratio(one.links), one.ratio)
    return Finding(
        claim="redundant coordinates cost 3 to 40 times as much as minimal ones, and the gap widens with the number of links.",
        finding=f"with {costs[0].links} links they cost {costs[0].ratio:.1f} times as much, with {costs[-1].links} links "
        f"{costs[-1].ratio:.1f} times: the gap widens, but less. From {costs[0].links} to {costs[-1].links} links minimal "
        f"coordinates become {_growth(costs, 0):.1f} times as dear and redundant ones {_growth(costs, 1):.1f} times.",
        quantities=quantities,
        data=_table(costs),
        draw=lambda: _draw(costs),
        flags=tuple(flag for one in costs for flag in one.flags),
    )


def cost(links: int, repeats: int = REPEATS) -> Cost:
    """One pendulum by both techniques, as long as both of them last."""
    scenarios = [pendulum(links, technique) for technique in TECHNIQUES]
    flags: tuple[str, ...] = ()
    reached = DURATION
    for technique, scenario in zip(TECHNIQUES, scenarios, strict=True):
        run = run_of(scenario)  # which compiles what is not compiled yet, too
        reached = min(reached, run.duration)
        flags += stopped_early(f"{links} links in {technique} coordinates", run)
    minimal = redundant = float("inf")
    for _ in range(repeats):
        minimal = min(minimal, _seconds(scenarios[0], reached))
        redundant = min(redundant, _seconds(scenarios[1], reached))
    return Cost(links, reached, minimal, redundant, flags)


def _seconds(scenario: Scenario, duration: float) -> float:
    """What a run costs that keeps its first and its last sample only: stepping is timed, not what is made of the samples."""
    started = time.perf_counter()
    run_of(scenario, duration=duration, record_every=round(duration / scenario.settings["dt"]))
    return time.perf_counter() - started


def _growth(costs: list[Cost], which: int) -> float:
    """What a simulated second costs with the most links over what it costs with the fewest, by one of the techniques."""
    first, last = ((one.minimal, one.redundant)[which] / one.simulated for one in (costs[0], costs[-1]))
    return last / first


def _printed_ratio(links: int) -> float:
    minimal, redundant = PRINTED[links]
    return redundant / minimal


def _table(costs: list[Cost]) -> Table:
    columns = (
        "links",
        "minimal, paper (s)",
        "redundant, paper (s)",
        "ratio, paper",
        "simulated by both (s)",
        "minimal, ours (s)",
        "redundant, ours (s)",
        "ratio, ours",
    )
    rows: list[tuple[Value, ...]] = [
        (one.links, *PRINTED[one.links], _printed_ratio(one.links), one.simulated, one.minimal, one.redundant, one.ratio)
        for one in costs
    ]
    return Table(columns, rows)


def _draw(costs: list[Cost]) -> Figure:
    from stickslip.view import style

    links = [one.links for one in costs]
    figure = style.new_figure(height=3.6)
    left, right = figure.subplots(1, 2)
    for k, (technique, dash) in enumerate(zip(TECHNIQUES, style.DASHES, strict=False)):
        printed = [PRINTED[n][k] / DURATION for n in links]
        ours = [(one.minimal, one.redundant)[k] / one.simulated for one in costs]
        for values, colour, who in ((printed, style.SOFT, "paper"), (ours, style.BLUE, "ours")):
            left.semilogy(links, values, "o", color=colour, linestyle=dash, ms=4, lw=style.LINE, label=f"{technique}, {who}")
    right.plot(links, [_printed_ratio(n) for n in links], "o-", color=style.SOFT, ms=4, lw=style.LINE, label="paper")
    right.plot(links, [one.ratio for one in costs], "o-", color=style.BLUE, ms=4, lw=style.LINE, label="ours")
    for axes in (left, right):
        style.dress(axes)
        axes.set_xticks(links)
        axes.legend(frameon=False, fontsize=style.SMALL)
    left.set_ylim(None, ROOM_FOR_LEGEND * left.get_ylim()[1])
    right.set_ylim(0.0, None)
    style.label(left, x="links", y="seconds for each simulated second", title="Cost (Table I)")
    style.label(right, x="links", y="redundant / minimal", title="Ratio")
    return figure
