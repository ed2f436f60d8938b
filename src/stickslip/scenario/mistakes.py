"""What pydantic finds wrong with a scenario file, as one sentence that names the key and what was expected."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from stickslip.mechanism.numbers import shown
from stickslip.scenario.table import UNKNOWN_KEY

Steps = tuple[int | str, ...]

# Values that may be of two types: how many steps lead to them, and what they must be.
EITHER = {"start": (3, "a number or a list of numbers"), "ignore": (2, "a name or a pair of names")}

EXPECTED = {
    "float_type": "a number",
    "finite_number": "a finite number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "string_type": "a string",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}


def told(error: ValidationError) -> str:
    """The first mistake as a sentence, and how many there are besides."""
    mistakes = error.errors(include_url=False)
    others = len({_place(_steps(mistake["loc"])) for mistake in mistakes}) - 1
    more = f" ({others} more {'key is' if others == 1 else 'keys are'} wrong, too.)" if others else ""
    return _sentence(mistakes[0]) + more


def _sentence(mistake: Any) -> str:
    kind, given, steps = mistake["type"], mistake["input"], _steps(mistake["loc"])
    place = _place(steps)
    if kind == UNKNOWN_KEY:
        return f"{place} {mistake['msg']}"
    if kind == "missing":
        return f"{place} is missing."
    if kind == "union_tag_not_found":
        key = "name, urdf or mjcf" if steps == ("robot",) else "kind"
        return f"{place} must be a table with the key {key}."
    if kind == "union_tag_invalid":
        return f"{place}.kind must be one of {mistake['ctx']['expected_tags']}, not {shown(mistake['ctx']['tag'])}."
    if kind in ("too_short", "too_long"):
        least, most = mistake["ctx"].get("min_length"), mistake["ctx"].get("max_length")
        return f"{place} must have {f'at least {least}' if most is None else f'at most {most}'} entries, not {len(given)}."
    either = EITHER.get(str(steps[0])) if steps else None
    if either and len(mistake["loc"]) > either[0]:
        return f"{place} must be {either[1]}."
    if kind in ("greater_than", "greater_than_equal", "less_than_equal"):
        return f"{place} must be {_bound(mistake['ctx'])}, not {shown(given)}."
    expected = EXPECTED.get(kind) or mistake["msg"].removeprefix("Input should be ").removeprefix("a valid ")
    return f"{place} must be {expected}, not {shown(given)}."


def _bound(limits: dict[str, Any]) -> str:
    if "gt" in limits:
        return f"more than {limits['gt']:g}"
    return f"at least {limits['ge']}" if "ge" in limits else f"at most {limits['le']}"


def _steps(location: Steps) -> Steps:
    """The keys and numbers that lead to a value, without what pydantic puts in between: of several types, which was tried."""
    if location[:1] == ("robot",):
        return location[:1] + location[2:]
    if location[:1] == ("obstacles",):
        return location[:2] + location[3:]
    either = EITHER.get(str(location[0])) if location else None
    return location[: either[0]] if either else location


def _place(steps: Steps) -> str:
    """A place in the file, as in `obstacles[2].radius`; what stands in a list is counted from 1."""
    text = ""
    for step in steps:
        text += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "the scenario"
