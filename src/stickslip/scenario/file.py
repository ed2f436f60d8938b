"""Scenarios as TOML files: read strictly, and refused by a sentence with the file, the key and what was expected."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from stickslip.mechanism.arguments import FilePath, file_path
from stickslip.mechanism.errors import MechanismError, StickslipError
from stickslip.mechanism.regular_file import contents
from stickslip.scenario.making import scenario_of
from stickslip.scenario.mistakes import told
from stickslip.scenario.scenario import Scenario, ScenarioError
from stickslip.scenario.scenario_table import ScenarioTable


def load(path: FilePath) -> Scenario:
    """The scenario in the TOML file at `path`; files that it names are looked for beside it."""
    source = file_path(path, "the path of a scenario")
    with _named(source):
        table = _checked(_parsed(_text(source)))
        return scenario_of(table, source.parent, source.stem)


@contextmanager
def _named(source: Path) -> Iterator[None]:
    """Puts the file in front of everything that is wrong with it."""
    try:
        yield
    except StickslipError as error:
        raise ScenarioError(f"{source}: {error}") from None


def _text(source: Path) -> str:
    try:
        return contents(source).decode()
    except UnicodeDecodeError:
        raise MechanismError("this is not a text file in UTF-8, and so no TOML.") from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise MechanismError("this is not TOML that can be read: lists or tables are nested too deeply.") from None
    except ValueError as error:  # of its syntax, or of a number with thousands of digits
        raise MechanismError(f"this is not TOML: {_lowered(str(error))}.") from None


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def _checked(given: dict[str, Any]) -> ScenarioTable:
    try:
        return ScenarioTable.model_validate(given)
    except ValidationError as error:
        raise MechanismError(told(error)) from None
