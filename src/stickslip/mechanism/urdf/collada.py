"""The vertices of a COLLADA file (.dae) as its scene places them.

Read are positions, the transforms of nodes, instances of nodes, and the unit, but not the up axis: the coordinates count
as they are written. RViz and MoveIt have never applied it, and so exporters put any up axis into robot files.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from stickslip.mechanism.errors import UrdfError
from stickslip.mechanism.strict_xml import parse

Array = NDArray[np.float64]

DEEPEST = 100  # elements or nodes one inside another

# Nodes may instantiate each other, which grows like a bomb.
MOST_NODES = 100_000
MOST_VERTICES = 2_000_000  # as often as they are shown

TRANSFORMS = {"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}
COUNT = re.compile(r"\d{1,12}", re.ASCII)
UNREAD = frozenset({"instance_controller", "lookat", "skew"})


def collada_vertices(data: bytes) -> Array:
    """The positions (n, 3) in metres of all that the file's scene shows."""
    root = parse(data, DEEPEST)
    if root.tag.rpartition(":")[2] != "COLLADA":
        raise UrdfError(f"its root element must be <COLLADA>, not <{root.tag}>.")
    document = _Document(root)
    placed = [_moved(transform, positions) for transform, positions in document.placed_positions()]
    if not placed:
        raise UrdfError("its scene shows no geometry.")
    return np.concatenate(placed) * document.metres_per_unit()


class _Node(NamedTuple):
    """A node of the scene, or of a branch that the scene may show many times."""

    transform: Array  # (4, 4)
    positions: list[Array]  # (n, 3) each
    below: list[Element]


class _Document:
    """The elements of a COLLADA file, found by their ids; each is read once, however often it is shown."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.by_id = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
        self.node = cache(self._node)
        self.positions = cache(self._positions)

    def metres_per_unit(self) -> float:
        unit = self.root.find("asset/unit")
        metres = 1.0 if unit is None else _floats(unit.get("meter", "1"), 1, "its unit")[0]
        if not 0 < metres < math.inf:
            raise UrdfError(f"its unit must be a positive number of metres, not {metres:g}.")
        return float(metres)

    def placed_positions(self) -> Iterator[tuple[Array, Array]]:
        """Each geometry that the scene shows: its transform (4, 4) and its positions (n, 3)."""
        scenes = self.root.findall("scene/instance_visual_scene")
        waiting = [(np.eye(4), node, 1) for scene in scenes for node in self.target(scene, "url").findall("node")]
        nodes = vertices = 0
        while waiting:
            above, element, depth = waiting.pop()
            nodes += 1
            if depth > DEEPEST or nodes > MOST_NODES:
                raise UrdfError(f"its nodes are more than {MOST_NODES}, or nested more than {DEEPEST} deep.")
            node = self.node(element)
            transform = above @ node.transform
            for positions in node.positions:
                vertices += max(1, len(positions))
                if vertices > MOST_VERTICES:
                    raise UrdfError(f"its scene shows more than {MOST_VERTICES} vertices; simplify the mesh.")
                yield transform, positions
            waiting.extend((transform, child, depth + 1) for child in node.below)

    def _node(self, node: Element) -> _Node:
        positions = [self.positions(self.target(instance, "url")) for instance in node.findall("instance_geometry")]
        branches = [self.target(instance, "url") for instance in node.findall("instance_node")]
        return _Node(_transform(node), positions, [*node.findall("node"), *branches])

    def _positions(self, geometry: Element) -> Array:
        """The vertices (n, 3) of a geometry in its own frame."""
        inputs = [entry for entry in geometry.findall("mesh/vertices/input") if entry.get("semantic") == "POSITION"]
        if len(inputs) != 1:
            raise UrdfError(f"its geometry {geometry.get('id')!r} is not a mesh with one list of positions.")
        source = self.target(inputs[0], "source")
        array, accessor = source.find("float_array"), source.find("technique_common/accessor")
        if array is None or accessor is None:
            raise UrdfError(f"its positions {source.get('id')!r} need a <float_array> and an <accessor>.")
        what = f"its positions {source.get('id')!r}"
        numbers = _floats(array.text or "", None, what)
        layout = [accessor.get("count", ""), accessor.get("stride", "1"), accessor.get("offset", "0")]
        if not all(COUNT.fullmatch(entry) for entry in layout):
            raise UrdfError(f"{what} have an <accessor> whose count, stride or offset is not a whole number.")
        count, stride, offset = map(int, layout)
        if stride < 3 or offset + count * stride > len(numbers):
            raise UrdfError(
                f"{what} are {len(numbers)} numbers, not the {count} times {stride} that their <accessor> promises."
            )
        return numbers[offset : offset + count * stride].reshape(-1, stride)[:, :3]

    def target(self, element: Element, attribute: str) -> Element:
        """The element that a reference such as url="#mesh" points to."""
        reference = element.get(attribute, "")
        found = self.by_id.get(reference.removeprefix("#"))
        if found is None:
            raise UrdfError(f"its <{element.tag}> refers to {reference!r}, which is not in the file.")
        return found


def _transform(node: Element) -> Array:
    """A node's transforms (4, 4), of which the last in the file acts first."""
    result = np.eye(4)
    for element in node:
        if element.tag in UNREAD:
            raise UrdfError(f"it uses <{element.tag}>, which is not read; export the mesh with its transforms applied.")
        if element.tag in TRANSFORMS:
            numbers = _floats(element.text or "", TRANSFORMS[element.tag], f"its <{element.tag}>")
            result = result @ _matrix(element.tag, numbers)
    return result


def _matrix(kind: str, numbers: Array) -> Array:
    if kind == "matrix":
        return numbers.reshape(4, 4)
    result = np.eye(4)
    if kind == "translate":
        result[:3, 3] = numbers
    elif kind == "scale":
        result[:3, :3] = np.diag(numbers)
    else:
        result[:3, :3] = _turn(numbers[:3], math.radians(numbers[3]))
    return result


def _turn(axis: Array, angle: float) -> Array:
    """Rodrigues' rotation (3, 3) about `axis`, of any length but zero."""
    length = float(np.linalg.norm(axis))
    if not 0 < length < math.inf:
        raise UrdfError("it turns a node about an axis of length zero.")
    x, y, z = axis / length
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)


def _moved(transform: Array, points: Array) -> Array:
    return points @ transform[:3, :3].T + transform[:3, 3]


def _floats(text: str, count: int | None, what: str) -> Array:
    try:
        numbers = np.array(text.split(), dtype=float)
    except ValueError:
        numbers = np.full(1, math.nan)
    if not np.isfinite(numbers).all() or (count is not None and len(numbers) != count):
        expected = "finite numbers" if count is None else f"{count} finite numbers"
        raise UrdfError(f"{what} must be {expected}.")
    return numbers
