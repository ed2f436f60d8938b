"""WHAT HAPPENS: runs and what is kept of them."""

from stickslip.simulate.compiled_controller import CompiledController, compiled_controller
from stickslip.simulate.contact_history import ContactHistory, ContactTrace
from stickslip.simulate.event import Event, EventKind
from stickslip.simulate.hybrid import HybridState, HybridSystem
from stickslip.simulate.hybrid_control import HybridController
from stickslip.simulate.hybrid_trajectory import HybridTrajectory
from stickslip.simulate.layout import Layout
from stickslip.simulate.netcdf import StorageError
from stickslip.simulate.outcome import Outcome
from stickslip.simulate.rollout import Rollout, rollout
from stickslip.simulate.running import simulate
from stickslip.simulate.trajectory import State, Trajectory
from stickslip.simulate.verdict import Verdict

__all__ = [
    "CompiledController",
    "ContactHistory",
    "ContactTrace",
    "Event",
    "EventKind",
    "HybridController",
    "HybridState",
    "HybridSystem",
    "HybridTrajectory",
    "Layout",
    "Outcome",
    "Rollout",
    "State",
    "StorageError",
    "Trajectory",
    "Verdict",
    "compiled_controller",
    "rollout",
    "simulate",
]
