"""Mesh files: what is in them, what is wrong with them, and where they may lie."""

import struct
import time
from pathlib import Path

import numpy as np
import pytest

from stickslip.mechanism import MechanismError, Mesh, UrdfError
from stickslip.mechanism.urdf.mesh_file import read_vertices
from stickslip.mechanism.urdf.mesh_path import mesh_path

CORNERS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
TRIANGLES = [[CORNERS[corner] for corner in face] for face in FACES]


def binary_stl(triangles: list[list[tuple[float, float, float]]], *, header: bytes = b"", count: int | None = None) -> bytes:
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *np.ravel(corners), 0) for corners in triangles)
    return header.ljust(80, b"\0") + struct.pack("<I", len(triangles) if count is None else count) + body


def text_stl(triangles: list[list[tuple[float, float, float]]]) -> bytes:
    facets = []
    for corners in triangles:
        vertices = "\n".join("vertex {} {} {}".format(*corner) for corner in corners)
        facets.append(f"facet normal 0 0 0\nouter loop\n{vertices}\nendloop\nendfacet\n")
    return f"solid tetra\n{''.join(facets)}endsolid tetra\n".encode()


def obj(corners: list[tuple[float, float, float]]) -> bytes:
    lines = ["# a comment", "vn 0 0 1", "vt 0 0", *("v {} {} {} 1.0".format(*corner) for corner in corners), "f 1 2 3"]
    return "\n".join(lines).encode()


def collada(*, node: str = '<instance_geometry url="#g"/>', unit: str = "", numbers: str = "", count: int = 4) -> bytes:
    numbers = numbers or " ".join(str(number) for corner in CORNERS for number in corner)
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>{unit}<up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="12">{numbers}</float_array>
      <technique_common><accessor source="#a" count="{count}" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  </mesh></geometry></library_geometries>
  <library_nodes><node id="twig"><node id="leaf"><instance_geometry url="#g"/></node></node></library_nodes>
  <library_visual_scenes><visual_scene id="s"><node id="n">{node}</node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>""".encode()


@pytest.fixture
def vertices_of(tmp_path: Path):
    """The vertices of a file with that suffix and content, as a set."""

    def vertices(suffix: str, data: bytes) -> set[tuple[float, float, float]]:
        path = tmp_path / f"tetra{suffix}"
        path.write_bytes(data)
        return {tuple(vertex) for vertex in read_vertices(path).tolist()}

    return vertices


@pytest.mark.parametrize(
    ("suffix", "data"),
    {
        "binary STL": (".stl", binary_stl(TRIANGLES)),
        "binary STL that calls itself solid": (".stl", binary_stl(TRIANGLES, header=b"solid tetra")),
        "text STL": (".STL", text_stl(TRIANGLES)),
        "OBJ": (".obj", obj(CORNERS)),
        "COLLADA": (".dae", collada()),
    }.values(),
)
def test_all_formats_give_the_distinct_vertices(vertices_of, suffix: str, data: bytes) -> None:
    assert vertices_of(suffix, data) == set(CORNERS)


def test_collada_nodes_place_the_geometry_last_transform_first(vertices_of) -> None:
    node = "<translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 3 4</scale>" + '<instance_geometry url="#g"/>'
    placed = vertices_of(".dae", collada(node=node, unit='<unit meter="0.1"/>'))
    np.testing.assert_allclose(sorted(placed), [(0.7, 0, 0), (1, 0, 0), (1, 0, 0.4), (1, 0.2, 0)], atol=1e-15)


def test_collada_matrices_and_instances_of_nodes_nest(vertices_of) -> None:
    node = "<matrix>1 0 0 5  0 1 0 0  0 0 1 0  0 0 0 1</matrix>" + '<instance_node url="#twig"/>'
    assert vertices_of(".dae", collada(node=node)) == {(x + 5, y, z) for x, y, z in CORNERS}


BROKEN = {
    "absent": (".stl", None, "there is no such file"),
    "unknown format": (".ply", b"ply", r"must be an STL \(.stl\), OBJ \(.obj\) or COLLADA \(.dae\) file"),
    "empty": (".stl", b"", "empty"),
    "short STL": (".stl", b"\1" * 50, r"too short for an STL file \(50 bytes\)"),
    "truncated STL": (".stl", binary_stl(TRIANGLES)[:-10], "promises 4 triangles, which take 284 bytes, but the file has 274"),
    "lying STL": (".stl", binary_stl(TRIANGLES, count=4_000_000_000), "promises 4000000000 triangles"),
    "no triangles": (".stl", binary_stl([]), "0 distinct vertices"),
    "NaN in an STL": (".stl", binary_stl([[(float("nan"), 0, 0)] * 3]), "not finite"),
    "flat STL": (
        ".stl",
        binary_stl([[(1, 0, 0), (2, 0, 0), (3, 0, 0)]]),
        "3 distinct vertices, but a mesh needs at least four",
    ),
    "broken text STL": (".stl", text_stl(TRIANGLES)[:200], "breaks off before its endsolid"),
    "text STL with half a triangle": (
        ".stl",
        b"solid\nvertex 1 2 3\nendsolid",
        "1 vertices, which do not make whole triangles",
    ),
    "text STL with words": (".stl", b"solid\n" + b"vertex 1 two 3\n" * 3 + b"endsolid", "not a number"),
    "OBJ with words": (".obj", b"v 1 2 x\n", "not a number"),
    "OBJ with two coordinates": (".obj", b"v 1 2\n", "fewer than three coordinates"),
    "OBJ with infinity": (".obj", b"v 1 2 1e999\n", "not finite"),
    "binary OBJ": (".obj", bytes(range(256)), "0 distinct vertices"),
    "not COLLADA": (".dae", b"<robot/>", "root element must be <COLLADA>, not <robot>"),
    "broken COLLADA": (".dae", collada()[:-20], "not well-formed XML"),
    "laughing COLLADA": (".dae", b"<!DOCTYPE x [<!ENTITY a 'ha'>]><COLLADA/>", "document type"),
    "COLLADA without a scene": (".dae", collada(node=""), "its scene shows no geometry"),
    "COLLADA that promises too much": (".dae", collada(count=5), "'p' are 12 numbers, not the 5 times 3"),
    "COLLADA that counts in halves": (".dae", collada(count=2.5), "'p' .* not a whole number"),
    "COLLADA with words": (".dae", collada(numbers="one two three"), "positions 'p' must be finite numbers"),
    "COLLADA with NaN": (".dae", collada(numbers="nan " * 12), "positions 'p' must be finite numbers"),
    "COLLADA of no size": (".dae", collada(unit='<unit meter="0"/>'), "unit must be a positive number of metres"),
    "COLLADA of nothing": (".dae", collada(node='<instance_geometry url="#x"/>'), "<instance_geometry> refers to '#x'"),
    "COLLADA turned about nothing": (".dae", collada(node="<rotate>0 0 0 9</rotate>"), "axis of length zero"),
    "COLLADA with a short matrix": (".dae", collada(node="<matrix>1 2</matrix>"), "<matrix> must be 16 finite numbers"),
    "COLLADA with a skin": (
        ".dae",
        collada(node='<instance_controller url="#g"/>'),
        "<instance_controller>, which is not read",
    ),
    "COLLADA in a circle": (".dae", collada(node='<instance_node url="#n"/>'), "nested more than 100 deep"),
}


@pytest.mark.parametrize(("suffix", "data", "sentence"), BROKEN.values(), ids=BROKEN)
def test_a_broken_mesh_is_refused_with_a_sentence_that_names_the_file(
    tmp_path: Path, suffix: str, data: bytes | None, sentence: str
) -> None:
    path = tmp_path / f"part{suffix}"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(UrdfError, match=sentence) as refusal:
        read_vertices(path)
    assert str(refusal.value).startswith(f"mesh file {path}: ")


def test_nodes_that_double_each_other_are_no_bomb(tmp_path: Path) -> None:
    def node(i: int) -> str:
        return f'<node id="b{i}">' + f'<instance_node url="#b{i + 1}"/>' * 2 + "</node>"

    bomb = "".join(map(node, range(60))) + '<node id="b60"/>'
    text = collada(node='<instance_node url="#b0"/>').decode().replace("<library_nodes>", f"<library_nodes>{bomb}")
    path = tmp_path / "bomb.dae"
    path.write_text(text)
    with pytest.raises(UrdfError, match="more than 100000"):
        read_vertices(path)


def test_a_large_geometry_shown_many_times_is_no_bomb(tmp_path: Path) -> None:
    def node(i: int) -> str:
        return f'<node id="b{i}">' + f'<instance_node url="#b{i + 1}"/>' * 2 + "</node>"

    bomb = "".join(map(node, range(14))) + '<node id="b14"><instance_geometry url="#g"/></node>'
    text = collada(node='<instance_node url="#b0"/>', numbers="1 2 3 " * 20_000, count=20_000).decode()
    path = tmp_path / "bomb.dae"
    path.write_text(text.replace("<library_nodes>", f"<library_nodes>{bomb}"))
    start = time.perf_counter()
    with pytest.raises(UrdfError, match="shows more than 2000000 vertices"):
        read_vertices(path)
    assert time.perf_counter() - start < 5


def test_a_geometry_is_read_once_however_often_it_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "forest.dae"
    path.write_bytes(collada(node='<instance_geometry url="#g"/>' * 500, numbers="1 " * 100_000))
    start = time.perf_counter()
    with pytest.raises(UrdfError, match="1 distinct vertices"):
        read_vertices(path)
    assert time.perf_counter() - start < 2


class TestMesh:
    """The shape that is made of the vertices."""

    def test_it_is_plain_and_hashable_whatever_it_was_made_of(self) -> None:
        mesh = Mesh(vertices=np.array(CORNERS))
        assert mesh == Mesh(vertices=CORNERS)
        assert hash(mesh) == hash(Mesh(vertices=tuple(CORNERS)))
        assert mesh.vertices == tuple(CORNERS)

    @pytest.mark.parametrize(
        "vertices",
        [[(1, 2)] * 4, [(1, 2, 3), (1, 2)], [("1", "2", "3")] * 4, [(True, True, True)] * 4, 7, "abc", [[[1, 2, 3]]], None],
    )
    def test_vertices_are_rows_of_three_numbers(self, vertices: object) -> None:
        with pytest.raises(MechanismError, match=r"vertices of Mesh 'hull' must be rows of three numbers, \(n, 3\)"):
            Mesh(vertices=vertices, name="hull")

    def test_a_vertex_that_is_not_finite_is_named(self) -> None:
        with pytest.raises(MechanismError, match=r"vertex 2 is \(0\.0, nan, 0\.0\)"):
            Mesh(vertices=[*CORNERS[:2], (0, float("nan"), 0), (1, 1, 1)])

    def test_four_vertices_must_differ(self) -> None:
        with pytest.raises(MechanismError, match="at least four different points"):
            Mesh(vertices=[CORNERS[0]] * 5)

    @pytest.mark.parametrize("spread", [1e-300, 1.0, 1e300])
    def test_it_has_a_volume(self, spread: float) -> None:
        corners = spread * np.array([(0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)])
        with pytest.raises(MechanismError, match="the vertices of a Mesh lie in one plane; a mesh has a volume"):
            Mesh(vertices=corners)
        assert Mesh(vertices=[*corners, (0, 0, (1 + 1e-6) * spread)])

    def test_its_source_is_a_string(self) -> None:
        with pytest.raises(MechanismError, match="source of a Mesh must be the path of its file as a string, not 5"):
            Mesh(vertices=CORNERS, source=5)


class TestWhereMeshesMayLie:
    """A robot in robot/urdf/robot.urdf with its meshes in robot/meshes, and a secret beside the robot."""

    @pytest.fixture
    def home(self, tmp_path: Path) -> Path:
        for name in ("robot/urdf/robot.urdf", "robot/meshes/leg part.stl", "secret.stl", "other/arm.stl"):
            path = tmp_path / "home" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x")
        return tmp_path / "home"

    @pytest.mark.parametrize(
        "uri",
        [
            "package://robot/meshes/leg part.stl",
            "package:///robot/meshes/leg part.stl",
            "package://robot/urdf/../meshes/leg part.stl",
            "package://robot/meshes/leg%20part.stl",
            "package://rob%6ft/meshes/leg%20part.stl",
            "../meshes/leg part.stl",
            "file://{home}/robot/meshes/leg%20part.stl",
            "{home}/robot/meshes/leg part.stl",
        ],
    )
    def test_the_usual_addresses_are_found(self, home: Path, uri: str) -> None:
        found = mesh_path(uri.format(home=home), home / "robot/urdf/robot.urdf", [])
        assert found == home / "robot/meshes/leg part.stl"

    @pytest.mark.parametrize(
        "uri",
        [
            "package://robot/../secret.stl",
            "package://robot/%2e%2e/secret.stl",
            "package://robot/../../../../../etc/passwd",
            "../../secret.stl",
            "{home}/secret.stl",
        ],
    )
    def test_an_address_that_leaves_the_robot_is_refused(self, home: Path, uri: str) -> None:
        with pytest.raises(UrdfError, match=f"lies outside {home / 'robot'}.* name its folder in `package_dirs`"):
            mesh_path(uri.format(home=home), home / "robot/urdf/robot.urdf", [])

    def test_a_link_that_leaves_the_robot_is_refused(self, home: Path) -> None:
        (home / "robot/meshes/way_out.stl").symlink_to(home / "secret.stl")
        with pytest.raises(UrdfError, match=r"'package://robot/meshes/way_out\.stl' lies outside"):
            mesh_path("package://robot/meshes/way_out.stl", home / "robot/urdf/robot.urdf", [])

    def test_the_user_may_allow_a_folder(self, home: Path) -> None:
        urdf = home / "robot/urdf/robot.urdf"
        assert mesh_path("../../secret.stl", urdf, [home]) == home / "secret.stl"
        assert mesh_path("package://other/arm.stl", urdf, [home / "other"]) == home / "other/arm.stl"

    def test_a_package_file_marks_how_far_relative_paths_may_go(self, home: Path) -> None:
        (home / "package.xml").write_text("<package/>")
        assert mesh_path("../../secret.stl", home / "robot/urdf/robot.urdf", []) == home / "secret.stl"

    def test_packages_are_found_through_the_environment(self, home: Path, tmp_path: Path, monkeypatch) -> None:
        for variable, folder in (("ROS_PACKAGE_PATH", "ros"), ("AMENT_PREFIX_PATH", "ament/share")):
            mesh = tmp_path / folder / f"{variable.lower()}/hand.stl"
            mesh.parent.mkdir(parents=True)
            mesh.write_text("x")
            monkeypatch.setenv(variable, str(tmp_path / folder.partition("/")[0]))
            assert mesh_path(f"package://{variable.lower()}/hand.stl", home / "robot/urdf/robot.urdf", []) == mesh

    @pytest.mark.parametrize(
        ("uri", "sentence"),
        {
            "package://gone/leg.stl": "'package://gone/leg.stl' is in a package 'gone' that is not found",
            "package://robot/meshes/gone.stl": r"does not exist; it was expected at .*robot/meshes/gone\.stl",
            "package://../robot/x.stl": "names no package",
            "package://": "names no package",
            "package://etc/passwd": "'etc' that is not found",
            "http://robot/leg.stl": "not as http://",
            "file://a%00b.stl": "'file://a%00b.stl' has a zero character",
            "package://robot/a%00b.stl": "has a zero character",
        }.items(),
    )
    def test_an_address_that_leads_nowhere_is_named(self, home: Path, uri: str, sentence: str) -> None:
        with pytest.raises(UrdfError, match=sentence):
            mesh_path(uri, home / "robot/urdf/robot.urdf", [])

    def test_an_endless_name_does_not_exist(self, home: Path) -> None:
        with pytest.raises(UrdfError, match="does not exist"):
            mesh_path("x" * 10_000 + ".stl", home / "robot/urdf/robot.urdf", [])
