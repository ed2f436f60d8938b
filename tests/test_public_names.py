"""Every public name says what it is, and everything that takes or gives a physical quantity says its shape and its unit."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import stickslip

ROOT = Path(__file__).parents[1]

ARRAY = re.compile(r"ndarray|NDArray|ArrayLike|Floats|Vector3|Matrix3")
NUMBER = re.compile(r"\bfloat\b")

# A shape is written as NumPy prints it: (nv,), (3, 3), (3m, 3m).
SHAPE = re.compile(r"\(\w+,\)|\((\w{1,9}, )+\w{1,9}\)")
# "the body's" ends in an s that is no second.
UNIT = re.compile(r"(?<![\w'’])(kg|m|metres?|rad|radians?|s|seconds?|N|J|dimensionless|unit|ratio|quaternions?)(?![\w'’])")


def public_objects() -> Iterator[tuple[str, object, list[str]]]:
    """(name, object, the annotations of what goes in and comes out) of every public name and everything public in it."""
    for name in stickslip.__all__:
        if name == "__version__":
            continue
        thing = getattr(stickslip, name)
        yield from _described(name, thing)
        if inspect.ismodule(thing) and thing.__name__ == f"stickslip.{name}":  # a room; numbers of an LCP have no units
            for member in thing.__all__:
                yield from _described(f"{name}.{member}", getattr(thing, member))


def _described(name: str, thing: object) -> Iterator[tuple[str, object, list[str]]]:
    """One public name, and everything public in it if it is a class."""
    yield name, thing, _annotations(thing)
    if inspect.isclass(thing):
        for owner in thing.__mro__:
            if owner.__module__.startswith("stickslip."):
                yield from _members(name, thing, owner)


def _members(prefix: str, thing: type, owner: type) -> Iterator[tuple[str, object, list[str]]]:
    fields = {field.name for field in dataclasses.fields(thing)} if dataclasses.is_dataclass(thing) else set()
    for name, member in vars(owner).items():
        if name.startswith("_") or name in fields:
            continue
        function = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
        if inspect.isfunction(function):
            yield f"{prefix}.{name}", function, _annotations(function)


def _annotations(thing: object) -> list[str]:
    if dataclasses.is_dataclass(thing):
        own = vars(thing).get("__annotations__", {})  # fields that are inherited are described where they come from
        return [str(annotation) for name, annotation in own.items() if not name.startswith("_")]
    if inspect.isfunction(thing):
        return [str(annotation) for name, annotation in thing.__annotations__.items() if name not in ("options", "self")]
    return []


PUBLIC = list(public_objects())


@pytest.mark.parametrize(("name", "thing", "annotations"), PUBLIC, ids=[name for name, *_ in PUBLIC])
def test_docstring(name, thing, annotations):
    text = vars(thing).get("__doc__") if inspect.isclass(thing) else thing.__doc__
    assert text, f"{name} has no docstring"
    assert not text.startswith(f"{name}("), f"the docstring of {name} only repeats its fields"
    takes_arrays = any(ARRAY.search(annotation) for annotation in annotations)
    takes_numbers = any(NUMBER.search(annotation) for annotation in annotations)
    if takes_arrays:
        assert SHAPE.search(text), f"the docstring of {name} gives no shape such as (nv,) or (3, 3)"
    if takes_arrays or takes_numbers:
        assert UNIT.search(text), f"the docstring of {name} gives no unit such as kg, m or rad"


def test_methods_are_looked_at_too():
    names = {name for name, *_ in PUBLIC}
    assert {"Mechanism.mass_matrix", "Mechanism.body_names", "Mechanism.from_urdf", "MechanismBuilder.revolute"} <= names


def test_functions_of_public_rooms_are_looked_at_too():
    assert "robots.pendulum" in {name for name, *_ in PUBLIC}


@pytest.mark.parametrize(
    "page", ["README.md", "docs/usage.md", "docs/contact.md", "docs/hybrid.md", "docs/figures.md", "docs/command_line.md"]
)
def test_names_in_the_documentation_exist(page):
    for dotted in re.findall(r"\bss\.([A-Za-z_.]*\w)", (ROOT / page).read_text()):
        thing = stickslip
        for part in dotted.split("."):
            assert hasattr(thing, part), f"{page} speaks of ss.{dotted}, which does not exist"
            thing = getattr(thing, part)


def test_every_name_is_in_the_reference():
    documented = re.findall(
        r"^\.\. auto\w+:: stickslip\.(?:\w+\.)?(\w+)$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE
    )
    assert sorted(documented) == sorted(name for name in stickslip.__all__ if name != "__version__")
