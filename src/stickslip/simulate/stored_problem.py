"""The contact problem that a run stopped at, as text and back; JSON keeps every digit of a float."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from stickslip.complementarity import Contact, ContactProblem, LinearConstraint, Rows
from stickslip.simulate.plain_data import from_json, frozen, to_json

MATRICES = ("mass", "bias", "input_map", "jacobian", "drift", "velocity", "friction", "static_friction", "restitution")
ROWS = ("limits", "dry_friction", "bilateral")
CONSTRAINTS = ("equalities", "inequalities")


def problem_to_json(problem: ContactProblem) -> str:
    """All that the problem was made of."""
    told: dict[str, Any] = {name: getattr(problem, name) for name in (*MATRICES, "thresholds")}
    told["contacts"] = [_fields(contact) for contact in problem.contacts]
    told |= {name: _fields(getattr(problem, name)) for name in ROWS}
    told |= {name: [_fields(constraint) for constraint in getattr(problem, name)] for name in CONSTRAINTS}
    return to_json(frozen(told, "the contact problem"))


def problem_from_json(text: str) -> ContactProblem:
    """The problem again, the same in every bit."""
    told = dict(from_json(text, "the contact problem"))
    told["contacts"] = [Contact(**contact) for contact in told["contacts"]]
    told |= {name: Rows(**told[name]) for name in ROWS}
    told |= {name: [LinearConstraint(**constraint) for constraint in told[name]] for name in CONSTRAINTS}
    return ContactProblem(**told)


def _fields(thing: Any) -> dict[str, Any]:
    return {field.name: getattr(thing, field.name) for field in fields(thing)}
