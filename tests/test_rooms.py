"""Data walks the rooms from top to bottom and never back."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "stickslip"

ROOMS = [
    "mechanism",
    "dynamics",
    "complementarity",
    "contact",
    "impact",
    "simulate",
    "modes",
    "control",
    "scenario",
    "robots",
    "sweep",
    "view",
    "studies",
    "cli",
]

# Conveniences such as `.plot()` import a room from below inside their body: (file, room that it imports).
EXCEPTIONS = {
    ("scenario/making.py", "robots"),  # a file names one of them
    ("simulate/trajectory.py", "view"),  # .plot()
}

LONGEST_FILE = 400  # lines; most files stay under 300

FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def imported_modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def test_every_folder_is_a_room():
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(ROOMS)


def test_nothing_lives_outside_the_rooms():
    assert {path.name for path in PACKAGE.iterdir() if path.is_file()} == {"__init__.py", "py.typed"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_from_rooms_above_it(path):
    file = path.relative_to(PACKAGE)
    above = ROOMS[: ROOMS.index(file.parts[0]) + 1]
    for module in imported_modules(ast.parse(path.read_text())):
        assert not module.startswith("."), f"{file} imports {module}; absolute imports show which room they come from"
        package, _, rest = module.partition(".")
        if package == "stickslip":
            room = rest.partition(".")[0]
            assert room in above or (str(file), room) in EXCEPTIONS, f"{file} imports {module}, which is not above it"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_are_short_enough_to_hold_one_concept(path):
    lines = path.read_text().count("\n")
    assert lines <= LONGEST_FILE


def test_every_exception_is_still_needed():
    for file, room in EXCEPTIONS:
        assert any(
            module.startswith(f"stickslip.{room}") for module in imported_modules(ast.parse((PACKAGE / file).read_text()))
        )
