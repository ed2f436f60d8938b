"""What runs of worlds and of hybrid systems have in common: samples in time, settings, and a file that keeps all of it."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.arguments import FilePath
from stickslip.mechanism.errors import ArgumentError
from stickslip.simulate.plain_data import thawed


class Recorded:
    """A frozen dataclass of samples at `time` (n,) in s with `settings`; nothing in it can be changed once it is made."""

    if TYPE_CHECKING:

        @property
        def time(self) -> Floats: ...

        @property
        def settings(self) -> Any: ...

    def __len__(self) -> int:
        return len(self.time)

    @property
    def duration(self) -> float:
        """From the first sample to the last, in s."""
        return float(self.time[-1] - self.time[0]) if len(self) else 0.0

    def save(self: Any, path: FilePath) -> None:
        """Write it to an HDF5 file, bit for bit; the file appears when it is whole, in place of an older one."""
        from stickslip.simulate.storage import save

        save(self, path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies are made anew: arrays that come out of a pickle could be changed."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]
        return partial(type(self), **values | {"settings": thawed(self.settings)}), ()

    def _refuse_disorder(self) -> None:
        if not np.isfinite(self.time).all() or (np.diff(self.time) < 0).any():
            raise ArgumentError("the times of a trajectory must be finite, and none before the one that it follows.")

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
