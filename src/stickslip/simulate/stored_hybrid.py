"""The run of a hybrid system in an HDF5 file: which array is called what there, and back.

Over `time`: x, z and bends, with `state` and `discrete_state` for their numbers. Over `event`: events, as in other runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stickslip.simulate.hybrid_trajectory import HybridTrajectory
from stickslip.simulate.netcdf import StorageError, checked_text, dimension, labels, numbers, text, variable, words
from stickslip.simulate.outcome import Outcome
from stickslip.simulate.plain_data import from_json, to_json
from stickslip.simulate.stored_trajectory import read_events, write_events

KIND = "hybrid system"  # what the attribute `kind` of such a file says


def write(file: Any, run: HybridTrajectory) -> None:
    """Everything that the run holds."""
    file.attrs["title"] = "run of a hybrid system"
    file.attrs["kind"] = KIND
    file.attrs["outcome"] = run.outcome.name
    file.attrs["outcome_meaning"] = run.outcome.value
    file.attrs["trouble"] = checked_text(run.trouble)
    file.attrs["settings"] = to_json(run.settings)
    dimension(file, "state", run.x.shape[1])
    dimension(file, "discrete_state", run.z.shape[1])
    dimension(file, "bend", 3)
    labels(file, "name", run.states, "name", long_name="names of the states, if they have any")
    labels(file, "discrete_name", run.discrete, "discrete_name", long_name="names of the discrete states, if they have any")
    variable(file, "time", run.time, ("time",), units="s", long_name="time", axis="T")
    variable(file, "x", run.x, ("time", "state"), long_name="what flows")
    variable(file, "z", run.z, ("time", "discrete_state"), long_name="discrete state")
    variable(file, "bends", run.bends, ("time", "bend", "state"), long_name="coefficients of the dense output")
    write_events(file, run.events)


def read(file: Any) -> HybridTrajectory:
    """The same run again."""
    outcome = text(file, "outcome")
    if outcome not in Outcome.__members__:
        raise StorageError(f"its outcome {outcome!r:.60} is unknown.")
    return HybridTrajectory(
        **{name: numbers(file, name, np.float64) for name in ("time", "x", "z", "bends")},
        states=tuple(words(file, "name")),
        discrete=tuple(words(file, "discrete_name")),
        events=read_events(file),
        outcome=Outcome[outcome],
        trouble=text(file, "trouble"),
        settings=from_json(text(file, "settings"), "the settings"),
    )
