"""Mutated URDF and mesh files: a mechanism of finite numbers, or one sentence; never another exception, never long."""

import copy
import dataclasses
import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stickslip.mechanism import UrdfError
from stickslip.mechanism.urdf import read_urdf
from stickslip.mechanism.urdf.mesh_file import read_vertices
from stickslip.mechanism.urdf.writer import to_urdf
from urdf_text import INERTIAL, LIMIT, joint, link, robot

ROBOT = robot(
    link("base", ""),
    link(
        "arm",
        '<inertial><origin xyz="0 0 1e-3" rpy="0.1 0.2 0.3"/><mass value="2"/>'
        '<inertia ixx="0.1" ixy="0.01" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
        '<collision name="foot"><origin rpy="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision>'
        '<collision><geometry><mesh filename="tetra.obj" scale="1 1 -1"/></geometry></collision>',
    ),
    link("hand", INERTIAL + '<collision><geometry><box size="1 2 3"/></geometry></collision>'),
    link("tool", "<visual/>"),
    joint("hip", "base", "arm", inside=f'<origin xyz="0 0 1"/><axis xyz="0 1 0"/>{LIMIT}<dynamics damping="1" friction="2"/>'),
    joint("wrist", "arm", "hand", kind="prismatic", inside=f'{LIMIT}<mimic joint="hip" multiplier="2" offset="0.1"/>'),
    joint("grip", "hand", "tool", kind="fixed", inside=""),
)

NUMBERS = ["", "0", "-0", "-1", "1e-320", "1e-15", "1e160", "1e308", "-1e308", "1.7976931348623157e+308", "1e400", "nan", "inf"]
WORDS = ["base", "arm", "hand", "world", "hip", "wrist", "root_joint", "revolute", "continuous", "floating", "planar", "fixed"]
VALUES = NUMBERS + WORDS + ["0 0 0", "1e308 1e308 1e308", "1 2 x", "../../etc/passwd", "package://x/y.stl", "\ud7ff", "é"]
TAGS = ["robot", "link", "joint", "inertial", "origin", "limit", "mimic", "collision", "geometry", "mesh", "xacro:if", "gazebo"]
SNIPPETS = [
    "<",
    ">",
    "/>",
    '"',
    "&",
    "&lt;",
    "<!--",
    "-->",
    "<![CDATA[",
    "<?x?>",
    "<!DOCTYPE a>",
    "<link name='a'>",
    "\0",
    "=",
    *VALUES,
]

quickly = settings(deadline=timedelta(seconds=2), max_examples=200)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fuzz")
    (path / "tetra.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
    return path


def numbers(thing: Any) -> Iterator[float]:
    """All floats in a description, but the bounds of joints and motors, which may be infinite."""
    if isinstance(thing, float):
        yield thing
    elif isinstance(thing, tuple):
        for part in thing:
            yield from numbers(part)
    elif dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            if field.name != "limits":
                yield from numbers(getattr(thing, field.name, None))


def outcome(read: Callable[..., Any], path: Path, **options: Any) -> Any:
    """What the reader returns, or the sentence by which it refuses."""
    try:
        return read(path, **options)
    except UrdfError as refusal:
        return str(refusal)


def check(folder: Path, data: bytes, *, floating: bool = False) -> None:
    """Read the bytes: finite numbers that survive writing, or one sentence with the file's name."""
    path = folder / "robot.urdf"
    path.write_bytes(data)
    description = outcome(read_urdf, path, floating=floating)
    if isinstance(description, str):
        assert description.startswith(f"{path}: ")
        return
    assert all(map(math.isfinite, numbers(description)))
    assert not any(math.isnan(end) for item in (*description.joints, *description.motors) for end in item.limits)
    path.write_text(to_urdf(description), encoding="utf-8")
    again = read_urdf(path, floating=floating)
    assert [item.name for item in again.joints] == [item.name for item in description.joints]


def test_the_file_is_good_before_it_is_mutated(folder: Path) -> None:
    path = folder / "robot.urdf"
    path.write_text(ROBOT)
    assert len(read_urdf(path).joints) == 4


@quickly
@given(data=st.data())
def test_mutated_text(folder: Path, data: st.DataObject) -> None:
    text = ROBOT
    for _ in range(data.draw(st.integers(1, 4), "edits")):
        start = data.draw(st.integers(0, len(text)), "from")
        end = start + data.draw(st.sampled_from([0, 1, 2, 5, 30, 300]), "removed")
        text = text[:start] + data.draw(st.sampled_from(["", *SNIPPETS]) | st.text(max_size=3), "inserted") + text[end:]
    check(folder, text.encode("utf-8", "surrogatepass"))


def remove(tree: ET.Element, data: st.DataObject) -> None:
    parent = data.draw(st.sampled_from([element for element in tree.iter() if len(element)]), "parent")
    parent.remove(data.draw(st.sampled_from(list(parent)), "removed"))


def graft(tree: ET.Element, data: st.DataObject) -> None:
    elements = list(tree.iter())
    branch = copy.deepcopy(data.draw(st.sampled_from(elements), "copied"))
    data.draw(st.sampled_from(elements), "onto").append(branch)


def rename(tree: ET.Element, data: st.DataObject) -> None:
    data.draw(st.sampled_from(list(tree.iter())), "renamed").tag = data.draw(st.sampled_from(TAGS), "tag")


def change(tree: ET.Element, data: st.DataObject) -> None:
    element = data.draw(st.sampled_from([element for element in tree.iter() if element.attrib]), "changed")
    attribute = data.draw(st.sampled_from(sorted(element.attrib)), "attribute")
    old = element.attrib[attribute].split()
    words = [data.draw(st.sampled_from([word, *VALUES]), "word") for word in old]
    element.attrib[attribute] = " ".join(words)


def forget(tree: ET.Element, data: st.DataObject) -> None:
    element = data.draw(st.sampled_from([element for element in tree.iter() if element.attrib]), "forgetful")
    del element.attrib[data.draw(st.sampled_from(sorted(element.attrib)), "forgotten")]


@quickly
@given(data=st.data(), floating=st.booleans())
def test_mutated_trees(folder: Path, data: st.DataObject, floating: bool) -> None:
    tree = ET.fromstring(ROBOT)
    for _ in range(data.draw(st.integers(1, 3), "mutations")):
        mutate: Callable[[ET.Element, st.DataObject], None] = data.draw(
            st.sampled_from([remove, graft, rename, change, forget])
        )
        if len(tree):
            mutate(tree, data)
    check(folder, ET.tostring(tree, encoding="utf-8"), floating=floating)


MESHES = {
    ".obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n",
    ".stl": bytes(80) + (2).to_bytes(4, "little") + np.arange(24, dtype="<f4").tobytes()[:48] + bytes(2) + bytes(range(50)),
    ".STL": b"solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid",
    ".dae": b"""<COLLADA><asset><unit meter="0.01"/></asset><library_geometries><geometry id="g"><mesh><source id="p">
        <float_array>0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor count="4" stride="3"/></technique_common>
        </source><vertices><input semantic="POSITION" source="#p"/></vertices></mesh></geometry></library_geometries>
        <library_visual_scenes><visual_scene id="s"><node id="n"><rotate>0 0 1 90</rotate><scale>1 2 3</scale>
        <instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>""",
}


LONG = 40_000  # letters, on which anything quadratic takes many seconds


@quickly
@given(
    data=st.data(), letters=st.sampled_from(["1", ".", "e", "1e", "-", " ", "1 ", "a", "0123456789abcdef", "é", "/", ":", "%"])
)
def test_endless_values(folder: Path, data: st.DataObject, letters: str) -> None:
    tree = ET.fromstring(ROBOT)
    element = data.draw(st.sampled_from([element for element in tree.iter() if element.attrib]), "changed")
    attribute = data.draw(st.sampled_from(sorted(element.attrib)), "attribute")
    element.attrib[attribute] = letters * (LONG // len(letters)) + data.draw(st.sampled_from(["", "x", "1"]), "end")
    check(folder, ET.tostring(tree, encoding="utf-8"))


@quickly
@given(data=st.data(), tag=st.sampled_from(["<link ", "<link>", "<link/>", "<!-- ", "<![CDATA[", "&lt;", "<a b='", "<a><"]))
def test_endless_repetitions(folder: Path, data: st.DataObject, tag: str) -> None:
    start = data.draw(st.integers(0, len(ROBOT)), "at")
    check(folder, (ROBOT[:start] + tag * (LONG // len(tag)) + ROBOT[start:]).encode())


@quickly
@given(data=st.data(), suffix=st.sampled_from(sorted(MESHES)))
def test_mutated_meshes(folder: Path, data: st.DataObject, suffix: str) -> None:
    content = MESHES[suffix]
    for _ in range(data.draw(st.integers(0, 4), "edits")):
        start = data.draw(st.integers(0, len(content)), "from")
        end = start + data.draw(st.sampled_from([0, 1, 4, 50]), "removed")
        endless = st.sampled_from([b"1", b"vertex ", b" ", b"v ", b"1 ", b"<node>", b"<node/>"]).map(lambda word: word * 10_000)
        words = st.sampled_from([b"", b"#n", b"1e308", b"1e400", b"-1", b"nan", b"\xff\xff\xff\xff", b"<node>", b"vertex"])
        content = content[:start] + data.draw(words | st.binary(max_size=4) | endless, "inserted") + content[end:]
    path = folder / f"mesh{suffix}"
    path.write_bytes(content)
    vertices = outcome(read_vertices, path)
    if isinstance(vertices, str):
        assert vertices.startswith(f"mesh file {path}: ")
    else:
        assert len(vertices) >= 4
        assert np.isfinite(vertices).all()
