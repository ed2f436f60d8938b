"""Shapes that come with a robot's file touch like those that were built by hand."""

from math import cos, pi, sin

import numpy as np
import pytest

import stickslip as ss
from touching import G
from urdf_text import INERTIAL, joint, link, robot

FLOOR = ss.HalfSpace(normal=(0, 0, 1), name="floor")
TILTED = ss.HalfSpace(normal=(0, -sin(0.3), cos(0.3)), name="slope")


def collision(geometry: str, origin: str = "", name: str = "") -> str:
    return f"<collision{f' name={name!r}' if name else ''}>{origin}<geometry>{geometry}</geometry></collision>"


def read(tmp_path, *parts: str, floating: bool = True) -> ss.Mechanism:
    path = tmp_path / "robot.urdf"
    path.write_text(robot(*parts))
    return ss.Mechanism.from_urdf(path, floating=floating)


def stl(vertices, triangles) -> str:
    corners = [[f"vertex {' '.join(map(str, vertices[i]))}" for i in triangle] for triangle in triangles]
    faces = "".join(f"facet normal 0 0 0\nouter loop\n{chr(10).join(corner)}\nendloop\nendfacet\n" for corner in corners)
    return f"solid wedge\n{faces}endsolid wedge\n"


@pytest.mark.parametrize(("ground", "turn"), [(FLOOR, 0.0), (TILTED, 0.3)])
def test_a_box_of_a_file_stands_on_its_four_corners(tmp_path, ground, turn):
    """It is given on its side; its centre of mass is 0.1 m off the middle of its base."""
    lying = '<origin xyz="0 0 0.05" rpy="0 1.5707963267948966 0"/>'
    mech = read(tmp_path, link("crate", INERTIAL + collision('<box size="0.3 0.4 0.6"/>', lying, "brick")))
    world = ss.World(mech, obstacles=[ground], material=ss.Material(0.5))
    height = 0.1  # of the frame: 0.15 - 0.05
    q = [0, -height * sin(turn), height * cos(turn), cos(turn / 2), sin(turn / 2), 0, 0]
    problem = ss.contact_problem(world, q, np.zeros(6))
    solution = problem.solve()
    assert [contact.name.partition(":")[0] for contact in problem.contacts] == ["brick"] * 4
    spread = np.array([contact.point for contact in problem.contacts])
    assert np.ptp(spread[:, 0]) == pytest.approx(0.6)
    assert np.ptp(spread[:, 1]) == pytest.approx(0.4 * cos(turn))
    assert solution.word == "FFFF"
    assert solution.acceleration == pytest.approx(np.zeros(6), abs=1e-10)
    assert solution.force[::3].sum() == pytest.approx(2.0 * G * cos(turn))
    moment = sum(force * contact.point[0] for force, contact in zip(solution.force[::3], problem.contacts, strict=True))
    assert moment == pytest.approx(0.1 * 2.0 * G * cos(turn))  # of the weight, about the frame's y
    assert solution.certificate.motion.value == "unique" or turn > 0  # on a slope there may be no proof
    assert solution.certificate.force.value == "ambiguous"


def test_every_kind_of_geometry_of_a_file_touches(tmp_path):
    """Sphere, cylinder and mesh, the last scaled and moved; the lowest point of each is at its gap."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    (tmp_path / "wedge.stl").write_text(stl(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]))
    pieces = [
        collision('<sphere radius="0.1"/>', '<origin xyz="0 0 0.5"/>', "ball"),
        collision('<cylinder radius="0.2" length="0.6"/>', f'<origin xyz="0 1 0.5" rpy="{pi / 2} 0 0"/>', "can"),
        collision('<mesh filename="wedge.stl" scale="0.5 0.5 0.5"/>', '<origin xyz="0 0 -0.25"/>', "wedge"),
    ]
    mech = read(tmp_path, link("body", INERTIAL + "".join(pieces)))
    contacts = ss.World(mech, obstacles=[FLOOR]).contacts([0, 0, 1.0, 1, 0, 0, 0], margin=2.0)
    lowest = {name: min(c.gap for c in contacts if c.name.startswith(name)) for name in ("ball", "can", "wedge")}
    assert lowest == pytest.approx({"ball": 1.4, "can": 1.3, "wedge": 0.75})
    assert len([c for c in contacts if c.name.startswith("wedge")]) == 4


def test_links_of_a_file_touch_each_other_but_their_neighbours(tmp_path):
    ball = INERTIAL + collision('<sphere radius="0.6"/>')
    at = '<origin xyz="1 0 0"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/>'
    arms = [link(name, ball) for name in ("base", "upper", "lower")]
    mech = read(
        tmp_path,
        *arms,
        joint("shoulder", "base", "upper", inside=at),
        joint("elbow", "upper", "lower", inside=at),
        floating=False,
    )
    world = ss.World(mech, self_contact=True)
    assert world.pairs == [("base", "lower")]
    assert world.gap([0.0, 0.0]) == pytest.approx(0.8)
    assert world.gap([pi / 2, 1.0]) == pytest.approx(2**0.5 - 1.2)  # the third ball is on the elbow
    with pytest.raises(ss.OverlapError, match=r"'lower' overlaps 'base' by 0\.2 m"):
        world.check([2 * np.arccos(0.5), 0.0])


def test_geometry_that_is_left_unread_touches_nothing(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(robot(link("body", INERTIAL + collision('<sphere radius="0.1"/>'))))
    bare = ss.Mechanism.from_urdf(path, floating=True, collision=False)
    assert ss.World(bare, obstacles=[FLOOR]).pairs == []


def test_geometry_of_an_mjcf_file_touches_as_mujoco_says(tmp_path):
    """The gaps to a tilted plane of capsules, boxes and ellipsoids, in MuJoCo's own words."""
    mujoco = pytest.importorskip("mujoco")
    geoms = (
        '<geom name="pill" type="capsule" size="0.1 0.3" pos="0.5 0 0.2" euler="20 30 0"/>'
        '<geom name="brick" type="box" size="0.2 0.1 0.3" pos="-0.5 0.2 0" euler="-40 10 5"/>'
        '<geom name="egg" type="ellipsoid" size="0.3 0.1 0.2" pos="0 -0.6 0.1" euler="10 -50 70"/>'
    )
    ground = '<geom name="ground" type="plane" size="9 9 1" euler="10 0 0"/>'
    path = tmp_path / "robot.xml"
    path.write_text(f'<mujoco><worldbody>{ground}<body name="body"><freejoint/>{geoms}</body></worldbody></mujoco>')
    with pytest.warns(ss.MjcfWarning):  # what belongs to the world is not the mechanism's
        mech = ss.Mechanism.from_mjcf(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    data.qpos[:] = [0.2, -0.1, 1.5, 0.9, 0.1, -0.4, 0.1]
    data.qpos[3:] /= np.linalg.norm(data.qpos[3:])
    mujoco.mj_kinematics(model, data)
    slope = ss.HalfSpace(normal=(0, -sin(pi / 18), cos(pi / 18)))
    contacts = ss.World(mech, obstacles=[slope]).contacts(data.qpos.copy(), margin=5.0)
    for k, name in enumerate(("pill", "brick", "egg"), start=1):
        theirs = mujoco.mj_geomDistance(model, data, 0, k, 10.0, np.zeros(6))
        assert min(c.gap for c in contacts if c.name.startswith(name)) == pytest.approx(theirs, abs=1e-6)
