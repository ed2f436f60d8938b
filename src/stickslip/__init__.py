"""Exact contact for robots: what happens, what could happen, what to do.

Public names are loaded when they are first used, so that importing stickslip costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stickslip import robots, view
    from stickslip.complementarity import (
        Answer,
        BudgetError,
        Certificate,
        Contact,
        ContactProblem,
        ContactSolution,
        LinearConstraint,
        Rows,
        Status,
        critical_friction,
        lcp,
    )
    from stickslip.contact import HalfSpace, Material, OverlapError, Stribeck, World, contact_problem
    from stickslip.dynamics import Mechanism
    from stickslip.impact import DissipationPrinciple, Energetic, Impact, ImpactStatus, Newton, Poisson, impact
    from stickslip.mechanism import (
        PD,
        ArgumentError,
        Body,
        Box,
        Capsule,
        Coupling,
        Cylinder,
        Disc,
        Ellipsoid,
        InertiaError,
        InertiaWarning,
        Joint,
        JointKind,
        Loop,
        LoopKind,
        MasslessError,
        MechanismBuilder,
        MechanismDescription,
        MechanismError,
        Mesh,
        MissingExtraError,
        MjcfError,
        MjcfWarning,
        Motor,
        Point,
        Polygon,
        Segment,
        Shape,
        SingularInertiaError,
        Sphere,
        Spring,
        StickslipError,
        UrdfError,
        UrdfWarning,
    )
    from stickslip.scenario import Scenario, ScenarioError
    from stickslip.simulate import (
        Event,
        HybridController,
        HybridState,
        HybridSystem,
        HybridTrajectory,
        Outcome,
        Rollout,
        StorageError,
        Trajectory,
        compiled_controller,
        rollout,
        simulate,
    )

_ROOMS = (
    "mechanism",
    "dynamics",
    "complementarity",
    "contact",
    "impact",
    "simulate",
    "scenario",
)  # in the order of the house: a room is loaded only for what no room above it holds

__version__ = "0.1.0"

__all__ = [
    "PD",
    "Answer",
    "ArgumentError",
    "Body",
    "Box",
    "BudgetError",
    "Capsule",
    "Certificate",
    "Contact",
    "ContactProblem",
    "ContactSolution",
    "Coupling",
    "Cylinder",
    "Disc",
    "DissipationPrinciple",
    "Ellipsoid",
    "Energetic",
    "Event",
    "HalfSpace",
    "HybridController",
    "HybridState",
    "HybridSystem",
    "HybridTrajectory",
    "Impact",
    "ImpactStatus",
    "InertiaError",
    "InertiaWarning",
    "Joint",
    "JointKind",
    "LinearConstraint",
    "Loop",
    "LoopKind",
    "MasslessError",
    "Material",
    "Mechanism",
    "MechanismBuilder",
    "MechanismDescription",
    "MechanismError",
    "Mesh",
    "MissingExtraError",
    "MjcfError",
    "MjcfWarning",
    "Motor",
    "Newton",
    "Outcome",
    "OverlapError",
    "Point",
    "Poisson",
    "Polygon",
    "Rollout",
    "Rows",
    "Scenario",
    "ScenarioError",
    "Segment",
    "Shape",
    "SingularInertiaError",
    "Sphere",
    "Spring",
    "Status",
    "StickslipError",
    "StorageError",
    "Stribeck",
    "Trajectory",
    "UrdfError",
    "UrdfWarning",
    "World",
    "__version__",
    "compiled_controller",
    "contact_problem",
    "critical_friction",
    "impact",
    "lcp",
    "robots",
    "rollout",
    "simulate",
    "view",
]

_OPEN = ("robots", "view")  # rooms that are public by their own names


class _Package(ModuleType):
    """Keeps a room from hiding the function that it is named after: `ss.simulate` is what simulates."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _OPEN or not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name in _OPEN:
        return import_module(f"{__name__}.{name}")
    if name in __all__:
        for room in _ROOMS:
            module = import_module(f"{__name__}.{room}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
