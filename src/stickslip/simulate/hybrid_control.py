"""A hybrid controller, and the closed loop that it makes with a hybrid plant (paper 1, (93)-(98))."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError
from stickslip.simulate.hybrid import HybridState, HybridSystem
from stickslip.simulate.hybrid_function import numbers


@dataclass(frozen=True, eq=False, kw_only=True)
class HybridController:
    """An algorithm with a state of its own that sees a plant and steers it; time in s.

    `plant` and `own` are states (.time, .x (n,), .z (k,)). `control(plant, own)` gives the inputs u of the plant. `flow`,
    `guard` and `jump` are as in a `HybridSystem`, but of (plant, own) and (plant, own, due). `states` and `discrete` name the
    numbers in its x and z; a controller that only jumps needs no flow.
    """

    control: Callable[[HybridState, HybridState], Any]
    states: Sequence[str] = ()
    discrete: Sequence[str] = ()
    flow: Callable[[HybridState, HybridState], Any] | None = None
    guard: Callable[[HybridState, HybridState], Any] | None = None
    events: Sequence[str] = ()
    jump: Callable[[HybridState, HybridState, Any], Any] | None = None


def closed_loop(plant: HybridSystem, controller: HybridController) -> HybridSystem:
    """The closed loop; its state is the plant's x, then the controller's, and so with z."""
    _check(plant, controller)
    loop = _Loop(plant, controller)
    return HybridSystem(
        flow=loop.flow,
        guard=loop.guard if plant.events or controller.events else None,
        events=(*plant.events, *controller.events),
        jump=loop.jump,
        after_accumulation=loop.after_accumulation if plant.after_accumulation else None,
        marks=plant.marks,
        ends=plant.ends,
        states=(*plant.states, *controller.states),
        discrete=(*plant.discrete, *controller.discrete),
    )


class _Loop:
    """The data (C, F, D, G) of the loop, C and D by their guards."""

    def __init__(self, plant: HybridSystem, controller: HybridController) -> None:
        self.plant, self.controller = plant, controller
        self.n, self.k = len(plant.states), len(plant.discrete)

    def parts(self, t: float, x: Floats, z: Floats) -> tuple[HybridState, HybridState]:
        """The plant's state and the controller's."""
        n, k = self.n, self.k
        return HybridState(t, x[:n], z[:k]), HybridState(t, x[n:], z[k:])

    def flow(self, t: float, x: Floats, z: Floats) -> Floats:
        """F, of (94)."""
        plant, own = self.parts(t, x, z)
        u = numbers(self.controller.control(plant, own), self.plant.inputs, "the control gave", t)
        rates = numbers(self.plant.flow(t, plant.x, plant.z, u), self.n, "the plant's flow gave", t)
        if self.controller.flow is None:
            return rates
        return np.concatenate([rates, numbers(self.controller.flow(plant, own), len(own.x), "the controller's flow gave", t)])

    def guard(self, t: float, x: Floats, z: Floats) -> Floats:
        """D, of (95): the guards of both."""
        plant, own = self.parts(t, x, z)
        found = []
        if self.plant.events:
            found.append(numbers(self.plant.guard(t, plant.x, plant.z), len(self.plant.events), "the plant's guard gave", t))
        if self.controller.guard is not None:
            count = len(self.controller.events)
            found.append(numbers(self.controller.guard(plant, own), count, "the controller's guard gave", t))
        return np.concatenate(found)

    def jump(self, t: float, x: Floats, z: Floats, due: tuple[str, ...]) -> tuple[Floats, Floats]:
        """G, of (96) to (98)."""
        plant, own = self.parts(t, x, z)
        after, own_after = (plant.x, plant.z), (own.x, own.z)
        plants = tuple(name for name in due if name in self.plant.events)
        owns = tuple(name for name in due if name in self.controller.events)
        if plants and self.plant.jump is not None:
            answer = self.plant.jump(t, plant.x.copy(), plant.z.copy(), plants)
            after = state_after(answer, self.n, self.k, "the plant's jump gave", t)
        if owns and self.controller.jump is not None:
            answer = self.controller.jump(plant, own, owns)
            own_after = state_after(answer, len(own.x), len(own.z), "the controller's jump gave", t)
        return np.concatenate([after[0], own_after[0]]), np.concatenate([after[1], own_after[1]])

    def after_accumulation(self, t: float, x: Floats, z: Floats, due: tuple[str, ...]) -> tuple[Floats, Floats]:
        """What the plant does after infinitely many events."""
        plant, own = self.parts(t, x, z)
        assert self.plant.after_accumulation is not None
        answer = self.plant.after_accumulation(t, plant.x.copy(), plant.z.copy(), due)
        after = state_after(answer, self.n, self.k, "after_accumulation gave", t)
        return np.concatenate([after[0], own.x]), np.concatenate([after[1], own.z])


def state_after(answer: Any, n: int, k: int, who: str, t: float) -> tuple[Floats, Floats]:
    """What a jump answered: x (n,), and z (k,) if there is any discrete state."""
    if k == 0 and not (isinstance(answer, tuple) and len(answer) == 2 and np.size(answer[1]) == 0):
        return numbers(answer, n, who, t), np.zeros(0)
    if not (isinstance(answer, tuple) and len(answer) == 2):
        answer = (answer, np.nan)  # which is said to be no discrete state
    return numbers(answer[0], n, who, t), numbers(answer[1], k, f"{who} for the discrete state", t)


def _check(plant: HybridSystem, controller: HybridController) -> None:
    if plant.inputs < 1:
        raise ArgumentError("a plant that is controlled needs a number of `inputs`, and a flow(t, x, z, u).")
    if not plant.states:
        raise ArgumentError("a plant that is controlled needs the names of its `states`, and of its `discrete` ones.")
    if not callable(plant.flow) or (plant.events and not callable(plant.guard)):
        raise ArgumentError("a plant that is controlled by functions of Python must be made of such functions itself.")
    if bool(controller.states) != (controller.flow is not None):
        raise ArgumentError("a controller needs a flow if it has `states`, and only then.")
    if bool(controller.events) != (controller.guard is not None) or bool(controller.events) != (controller.jump is not None):
        raise ArgumentError("a controller needs `events`, a guard and a jump, or none of them.")
    for one, other in (
        (plant.states, controller.states),
        (plant.discrete, controller.discrete),
        (plant.events, controller.events),
    ):
        for name in other:
            if name in one:
                raise ArgumentError(f"plant and controller both have {name!r}; one of them needs another name for it.")
