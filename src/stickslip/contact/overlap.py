"""The error of a position that cannot be."""

from __future__ import annotations

from stickslip.mechanism.errors import ArgumentError


class OverlapError(ArgumentError):
    """Two bodies are in one place, or a joint is beyond its limit; `.pair` names the two, `.depth` is how far, in m or rad.

    The depth is NaN where no direction leads out of the overlap.
    """

    def __init__(self, sentence: str, pair: tuple[str, str], depth: float) -> None:
        super().__init__(sentence)
        self.pair = pair
        self.depth = depth

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.pair, self.depth)
