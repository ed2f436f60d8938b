"""The files of an MJCF model, looked at before MuJoCo compiles them: whether they are MJCF at all, and not without bounds.

MuJoCo would also take URDF, archives and document types. It waits for ever on a pipe, copies bodies without end where
<replicate> and <attach> say so, makes height fields and meshes of any size, and falls into itself where a model attaches
itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from stickslip.mechanism.errors import MechanismError, MjcfError
from stickslip.mechanism.numbers import shown
from stickslip.mechanism.regular_file import contents
from stickslip.mechanism.strict_xml import parse

MOST_ELEMENTS = 30_000  # copies included; MuJoCo needs seconds for as many, and four times that for twice as many
DEEPEST = 500  # elements one inside another, as in MuJoCo

# The words by which a few letters ask for much memory, and the largest number that is taken for each.
SIZES = re.compile("nkey|nuser.*|nrow|ncol|width|height|dim|nsample")
LARGEST = 10_000
FINEST = 1000  # of the parameters of a built-in mesh, which has as many vertices or its square

# A comment; or a tag or literal text, in which none can begin.
COMMENT = re.compile(rb"""<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?\]\]>|<(?:[^<>"']|"[^"]*"|'[^']*')*>""", re.DOTALL)


def check_files(file: str) -> None:
    """Refuse a model that cannot be read, is no MJCF, or asks for more than a machine has."""
    path = Path(file)
    root = _root(path)
    if root.tag != "mujoco":
        cure = "; Mechanism.from_urdf reads that" if root.tag == "robot" else ""
        raise MjcfError(f"{file}: the root element of MJCF must be <mujoco>, not <{root.tag}>{cure}.")
    try:
        _Survey().model(path, ())
    except MjcfError:
        raise
    except MechanismError as error:
        raise MjcfError(f"{file}: {error}") from None


class _Model(NamedTuple):
    name: str
    elements: float  # copies included


class _Survey:
    """Looks through the file of a model, those that it includes, and those of the models that it attaches, each once."""

    def __init__(self) -> None:
        self.known: dict[Path, _Model] = {}

    def model(self, path: Path, above: tuple[Path, ...]) -> _Model:
        """What a model amounts to; `above` are the models that are made of it."""
        real = path.resolve()
        if real in above:
            raise MechanismError(f"the model {path.name!r} is part of itself, directly or by way of others.")
        if real not in self.known:
            self.known[real] = self._counted(path, (*above, real))
        return self.known[real]

    def _counted(self, path: Path, above: tuple[Path, ...]) -> _Model:
        elements = list(_elements(path))
        folders = [path.parent, *(path.parent / name for name in _folders(element for element, _ in elements))]
        parts: dict[str, _Model] = {}
        for element, _ in elements:
            _check(element, folders)
            if element.tag == "model" and (path.parent / element.get("file", "")).is_file():
                part = self.model(path.parent / element.get("file", ""), above)
                parts[element.get("name") or part.name] = part
        total = sum(part.elements for part in parts.values())
        for element, copies in elements:
            attached = parts.get(element.get("model", "")) if element.tag == "attach" else None
            total += copies * (attached.elements if attached else 1.0)
        if total > MOST_ELEMENTS:
            raise MechanismError(f"the model has more than {MOST_ELEMENTS} elements, copies included; that is no robot.")
        return _Model(elements[0][0].get("model", ""), total)


def _elements(path: Path) -> Iterator[tuple[Element, float]]:
    """The elements of a file and of those that it includes, each with the number of its copies."""
    included = {path}
    waiting = [(_root(path), 1.0, path.parent)]
    while waiting:
        element, copies, folder = waiting.pop()
        if element.tag == "replicate":  # which takes MuJoCo's time even where it is empty
            copies *= max(map(abs, _numbers(element.get("count", ""))), default=1.0)
        yield element, copies
        if element.tag == "include":
            name = element.get("file", "")
            found = next((place / name for place in (path.parent, folder) if (place / name).exists()), path)
            if found not in included:  # MuJoCo refuses what is absent, or included twice
                included.add(found)
                waiting.append((_root(found), copies, found.parent))
        waiting.extend((child, copies, folder) for child in element)


def _folders(elements: Iterator[Element]) -> Iterator[str]:
    """The folders that a model names for its meshes and the like."""
    for element in elements:
        if element.tag == "compiler":
            yield from (element.attrib[word] for word in ("meshdir", "texturedir", "assetdir") if word in element.attrib)


def _check(element: Element, folders: list[Path]) -> None:
    """Refuse an element that has no bounds by itself."""
    if element.tag == "flexcomp":
        raise MechanismError("the model has deformable bodies (flexcomp), which stickslip does not model; remove them.")
    for word, value in element.attrib.items():
        largest = LARGEST if SIZES.fullmatch(word) else FINEST if word == "params" else None
        if largest is not None and any(number > largest for number in _numbers(value)):
            raise MechanismError(f"{word}={shown(value)} of <{element.tag}> must be at most {largest}; that is no robot.")
        if word.startswith("file"):
            places = [folder / value for folder in folders]
            if any(place.exists() and not place.is_file() and not place.is_dir() for place in places):
                raise MechanismError(f"<{element.tag}> refers to {shown(value)}, which is not a regular file.")


def _numbers(text: str) -> Iterator[float]:
    for word in text.split():
        with suppress(ValueError):
            yield float(word)


def _root(path: Path) -> Element:
    """The root element of a file, whose comments may hold what XML forbids there, as MuJoCo allows."""
    try:
        return parse(COMMENT.sub(_without_comment, contents(path)).lstrip(), DEEPEST)
    except MechanismError as error:
        raise MjcfError(f"{path}: {error}") from None


def _without_comment(found: re.Match[bytes]) -> bytes:
    """What was found, if it is no comment; else only its ends of lines, which errors count."""
    return b"\n" * found[0].count(b"\n") if found[0].startswith(b"<!--") else found[0]
