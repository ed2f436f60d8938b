"""A scenario made of the tables of its file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from stickslip.contact.material import Material
from stickslip.contact.world import World
from stickslip.dynamics.mechanism import Mechanism
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, StickslipError, did_you_mean
from stickslip.mechanism.numbers import shown
from stickslip.scenario.scenario import SETTINGS, Scenario
from stickslip.scenario.scenario_table import BuiltInRobot, MaterialTable, MjcfRobot, ScenarioTable, UrdfRobot

OF_WORLD = ("obstacles", "material", "materials", "self_contact", "ignore", "planar")  # what a built-in robot brings along


def scenario_of(table: ScenarioTable, folder: Path, stem: str) -> Scenario:
    """The scenario; files are looked for in `folder`, and `stem` is its name if it gives none."""
    base = _built_in(table) if isinstance(table.robot, BuiltInRobot) else _from_file(table, folder, stem)
    mechanism = base.world.mechanism
    with _at("start.q"):
        q = _replaced(base.q, mechanism.configuration, table.start.q, lambda joint: mechanism.coordinates(joint)[0])
    with _at("start.v"):
        v = _replaced(base.v, mechanism.velocity, table.start.v, lambda joint: mechanism.coordinates(joint)[1])
    named = ("name", "about", "duration", "method", *SETTINGS)
    changes = {name: getattr(table, name) for name in named if getattr(table, name, None) is not None}
    return base.changed(q=q, v=v, **changes)


def _built_in(table: ScenarioTable) -> Scenario:
    """The scenario of a robot of `ss.robots`, as it comes."""
    import stickslip.robots as robots  # the room below, where they have names

    robot = table.robot
    assert isinstance(robot, BuiltInRobot)
    if robot.name not in robots.__all__:
        near = did_you_mean(robot.name, robots.__all__)
        cure = near if near != "." else f"; there are {', '.join(robots.__all__)}."
        raise ArgumentError(f"robot.name: there is no built-in robot {shown(robot.name)}{cure}")
    for key in OF_WORLD:
        if getattr(table, key) is not None:
            raise ArgumentError(f"{key} cannot be given, since robot {robot.name!r} brings its world along; leave it out.")
    function = getattr(robots, robot.name)
    known = inspect.signature(function).parameters
    for option in robot.options:
        if option not in known:
            near = did_you_mean(option, known)
            cure = near if near != "." else f"; it has {', '.join(known)}."
            raise ArgumentError(f"robot.options: robot {robot.name!r} has no option {shown(option)}{cure}")
    with _at("robot.options"):
        scenario: Scenario = function(**robot.options)
    return scenario


def _from_file(table: ScenarioTable, folder: Path, stem: str) -> Scenario:
    """The robot of a file in the world that the tables describe, at rest."""
    if table.duration is None:
        raise ArgumentError("duration is missing: say how long to simulate, in s.")
    with _at("robot"):
        mechanism = _mechanism(table, folder)
    world = _world(table, mechanism)
    about = f"{mechanism.description.name} from {Path(_file_of(table)).name}."
    return Scenario(
        name=stem,
        about=about,
        world=world,
        q=mechanism.neutral(),
        v=np.zeros(mechanism.nv),
        duration=table.duration,
    )


def _file_of(table: ScenarioTable) -> str:
    robot = table.robot
    assert not isinstance(robot, BuiltInRobot)
    return robot.urdf if isinstance(robot, UrdfRobot) else robot.mjcf


def _mechanism(table: ScenarioTable, folder: Path) -> Mechanism:
    robot = table.robot
    if isinstance(robot, MjcfRobot):
        return Mechanism.from_mjcf(folder / robot.mjcf, collision=robot.collision)
    assert isinstance(robot, UrdfRobot)
    return Mechanism.from_urdf(
        folder / robot.urdf,
        floating=robot.floating,
        package_dirs=[folder / name for name in robot.package_dirs],
        collision=robot.collision,
        repair_inertia=robot.repair_inertia,
        **({} if robot.gravity is None else {"gravity": robot.gravity}),
    )


def _world(table: ScenarioTable, mechanism: Mechanism) -> World:
    obstacles = []
    for number, obstacle in enumerate(table.obstacles or (), start=1):
        with _at(f"obstacles[{number}]"):
            obstacles.append(obstacle.made())
    materials = {}
    for number, pair in enumerate(table.materials or (), start=1):
        with _at(f"materials[{number}]"):
            materials[pair.between[0] if len(pair.between) == 1 else tuple(pair.between)] = _material(pair)
    with _at("material"):
        material = _material(table.material or MaterialTable())
    return World(
        mechanism,
        obstacles=obstacles,
        material=material,
        materials=materials,
        planar=table.planar,
        self_contact=table.self_contact or False,
        ignore=[name if isinstance(name, str) else (name[0], name[1]) for name in table.ignore or ()],
    )


def _material(table: MaterialTable) -> Material:
    return Material(friction=table.friction, static_friction=table.static_friction, restitution=table.restitution)  # type: ignore[arg-type]


def _replaced(
    base: Floats, filled: Callable[[Mapping[str, Any]], Floats], values: Mapping[str, Any], where: Callable[[str], slice]
) -> Floats:
    """`base` with the coordinates of the joints in `values` as they are there."""
    given, answer = filled(values), base.copy()
    for joint in values:
        answer[where(joint)] = given[where(joint)]
    return answer


@contextmanager
def _at(key: str) -> Iterator[None]:
    """Puts the key in front of what is wrong with its value."""
    try:
        yield
    except StickslipError as error:
        raise ArgumentError(f"{key}: {error}") from None
