"""Reading URDF files, strictly: the mechanism is what the file says, or one sentence says why there is none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from stickslip.mechanism.arguments import FilePath, file_path, folders, switch
from stickslip.mechanism.body import WORLD
from stickslip.mechanism.combination import Coupling
from stickslip.mechanism.description import GRAVITY, MechanismDescription, body_on_a_cycle
from stickslip.mechanism.errors import MasslessError, MechanismError, UrdfError, UrdfWarning, did_you_mean
from stickslip.mechanism.joint import Joint, JointKind
from stickslip.mechanism.regular_file import contents
from stickslip.mechanism.strict_xml import parse
from stickslip.mechanism.urdf.joint import lacks_limits, mimics, read_coupling, read_joint, read_motor
from stickslip.mechanism.urdf.link import LinkReader
from stickslip.mechanism.urdf.node import Node
from stickslip.mechanism.warning import warn_user

ROOT_JOINT = "root_joint"
"""The name of the joint that the reader puts between the world and the root link."""

DEEPEST = 100  # elements one inside another; real robot files stay under twenty


def read_urdf(
    path: FilePath,
    *,
    floating: bool = False,
    gravity: Any = GRAVITY,
    package_dirs: FilePath | Iterable[FilePath] = (),
    collision: bool = True,
    repair_inertia: bool = False,
) -> MechanismDescription:
    """The mechanism that a URDF file describes.

    The root link is welded to the world by a joint "root_joint", or floats on one with `floating=True`. A root link
    called "world" is the world itself: it has no mass, no collision geometry and does not float, but other links may
    hang from it on floating joints. Joints of one coordinate, mimics included, get a motor each, which has the joint's
    name and its effort limit (N m or N). `gravity` (3,) in m/s^2.

    `package_dirs`, one folder or several, are where package:// is looked for first, and where meshes may lie; with
    `collision=False` neither collision geometry nor mesh files are read. An impossible inertia is an error unless
    `repair_inertia=True`, which replaces it by the nearest possible one and warns. Links without <inertial> have no mass.
    All that does not make the mechanism (<visual>, <transmission>, <gazebo>, …) is left unread, and so are an axis, limits
    or a mimic where the kind of joint has none. A <limit> with neither lower nor upper locks its joint at zero, as the
    format has it, with a `UrdfWarning`.
    """
    file = file_path(path, "the path of a URDF file")
    links = LinkReader(
        file,
        folders(package_dirs, "package_dirs"),
        collision=switch(collision, "collision"),
        repair_inertia=switch(repair_inertia, "repair_inertia"),
    )
    switch(floating, "floating")
    try:
        return _Robot(_root_element(file), links).description(floating=floating, gravity=gravity, stem=file.stem)
    except MasslessError as error:
        fault, _, _ = str(error).rpartition("; ")
        raise UrdfError(f"{file}: {fault}; give it a mass, or make the joint fixed.") from None
    except MechanismError as error:
        raise UrdfError(f"{file}: {error}") from None


def _root_element(file: Path) -> Node:
    element = parse(contents(file), DEEPEST)
    if element.tag != "robot":
        cure = "; Mechanism.from_mjcf reads that" if element.tag == "mujoco" else ""
        raise UrdfError(f"the root element must be <robot>, not <{element.tag}>{cure}.")
    for child in element:
        if child.tag.startswith("xacro:"):
            raise UrdfError(f"<{child.tag}> is an instruction to xacro; run xacro on the file first.")
    return Node(element, "<robot>")


class _Robot:
    """The links and joints of a file by name, and the root that they hang from."""

    def __init__(self, robot: Node, reader: LinkReader) -> None:
        self.name = robot.element.get("name", "")
        self.reader = reader
        self.links = _named(robot, "link")
        self.nodes = _named(robot, "joint")
        self.joints = [read_joint(name, node) for name, node in self.nodes.items()]
        self.root = self._root()

    def description(self, *, floating: bool, gravity: Any, stem: str) -> MechanismDescription:
        """All of it; `stem` names a robot that has no name."""
        self._warn_of_locked_joints()
        moving = {name: link for name, link in self.links.items() if name != WORLD or self.root != WORLD}
        bodies = [self.reader.body(name, link) for name, link in moving.items()]
        description = MechanismDescription(
            name=self.name if self.name.strip() else stem,
            bodies=tuple(bodies),
            joints=(*self._root_joints(floating), *self.joints),
            motors=(),
            gravity=gravity,
        )
        # The description knows the order of the state, which is to be that of the inputs, too.
        ordered = [(joint, self.nodes[joint.name]) for joint in description.joints if joint.name in self.nodes]
        motors = [read_motor(joint, node) for joint, node in ordered if joint.kind.nv == 1]
        couplings = [read_coupling(joint, node) for joint, node in ordered if mimics(joint, node)]
        _refuse_circles(couplings)
        return replace(description, motors=tuple(motors), couplings=tuple(couplings))

    def _root(self) -> str:
        for joint in self.joints:
            for role, link in (("parent", joint.parent), ("child", joint.child)):
                if link not in self.links:
                    near = did_you_mean(link, self.links)
                    raise UrdfError(f"joint {joint.name!r} has the {role} link {link!r}, which does not exist{near}")
        children = {joint.child for joint in self.joints}
        roots = [name for name in self.links if name not in children]
        if not self.links:
            raise UrdfError("the file describes no links.")
        if not roots:
            name = body_on_a_cycle({joint.child: joint.parent for joint in self.joints})
            raise UrdfError(f"link {name!r} is part of a cycle of joints, and there is no root for the links to hang from.")
        if len(roots) > 1:
            raise UrdfError(f"the links {roots[0]!r} and {roots[1]!r} are both roots, but a URDF file has one tree.")
        return roots[0]

    def _warn_of_locked_joints(self) -> None:
        locked = [joint.name for joint in self.joints if lacks_limits(joint, self.nodes[joint.name])]
        if locked:
            warn_user(
                f"{self.reader.urdf}: a <limit> with neither lower nor upper locks these joints at zero: "
                f"{', '.join(map(repr, locked))}; give it both, or make a joint that turns without end continuous.",
                UrdfWarning,
            )

    def _root_joints(self, floating: bool) -> list[Joint]:
        if self.root == WORLD:
            self._check_world(floating)
            return []
        if ROOT_JOINT in self.nodes:
            raise UrdfError(
                f"the name {ROOT_JOINT!r} is kept for the joint between the world and the root link; rename that joint."
            )
        kind = JointKind.FREE if floating else JointKind.FIXED
        return [Joint(name=ROOT_JOINT, kind=kind, child=self.root)]

    def _check_world(self, floating: bool) -> None:
        world = self.links[WORLD]
        if floating:
            raise UrdfError("the root link is 'world', which cannot float; read the file with floating=False.")
        if world.child("inertial") or self.reader.shapes(world):
            raise UrdfError(
                "the root link 'world' is the fixed world and can have neither mass nor collision geometry; rename it."
            )


def _refuse_circles(couplings: list[Coupling]) -> None:
    """Joints that mimic each other in a circle follow nothing."""
    masters = {coupling.name: coupling.joints[1][0] for coupling in couplings}
    settled: set[str] = set()
    for joint in masters:
        followed: set[str] = set()
        while joint in masters and joint not in settled:
            if joint in followed:
                raise UrdfError(f"joint {joint!r} mimics itself by way of other joints.")
            followed.add(joint)
            joint = masters[joint]
        settled |= followed


def _named(robot: Node, tag: str) -> dict[str, Node]:
    """All <link> or <joint> elements by name, in the order of the file."""
    found: dict[str, Node] = {}
    for number, element in enumerate(robot.element.findall(tag), start=1):
        name = element.get("name", "")
        if not name.strip():
            raise UrdfError(f"<{tag}> number {number} needs a name.")
        if name in found:
            raise UrdfError(f"there are two {tag}s called {name!r}; names must differ.")
        found[name] = Node(element, f"{tag} {name!r}")
    return found
