"""The settings that laws with a coefficient of restitution share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stickslip.impact.law import MOST, ORDERS, RESOLUTIONS, count, one_of, share_or_none


@dataclass(frozen=True, kw_only=True)
class RestitutingLaw:
    """Restitution, dimensionless (None: that of the materials), and whether contacts collide at once or one after the other."""

    called: ClassVar[str]

    restitution: float | None = None
    resolution: str = "simultaneous"
    order: str = "fastest"
    most: int = MOST

    def __post_init__(self) -> None:
        object.__setattr__(self, "restitution", share_or_none(self.restitution, f"the restitution of {self.called}"))
        one_of(self.resolution, RESOLUTIONS, f"the resolution of {self.called}")
        one_of(self.order, ORDERS, f"the order of {self.called}")
        count(self.most, f"the number of single impacts of {self.called}")
