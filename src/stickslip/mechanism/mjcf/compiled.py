"""A model as MuJoCo compiled it, with a name for everything that the file left without one."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from stickslip.mechanism.body import WORLD
from stickslip.mechanism.errors import MjcfError

CONSTRAINTS = ("EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT")  # what the switch "CONSTRAINT" turns off together


class Names:
    """Hands out names that are not taken yet: the wanted one, or the wanted one with a number."""

    def __init__(self, taken: list[str]) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def new(self, wanted: str) -> str:
        """`wanted`, or `wanted_2`, `wanted_3`, … if it is taken."""
        name = wanted
        while name in self._taken:
            self._next[wanted] = self._next.get(wanted, 1) + 1
            name = f"{wanted}_{self._next[wanted]}"
        self._taken.add(name)
        return name


class Compiled:
    """MuJoCo's compiled `model` of a `file`, and what is left out of it on the way to a mechanism: item by kind.

    `bodies`, `joints`, `geoms`, `meshes`, `tendons`, `actuators` and `equalities` are names by MuJoCo's index: the given
    ones, and for the nameless such as tell where they belong. `body_names` and `joint_names` make further ones for the
    bodies and joints that a mechanism needs and MuJoCo does not.
    """

    def __init__(self, file: str, mujoco: ModuleType, model: Any) -> None:
        self.file = file
        self.mujoco = mujoco
        self.model = model
        self.left_out: dict[str, list[str]] = {}
        bodies = self._given("BODY", model.nbody)
        self.body_names = Names([name for name in bodies if name])
        self.bodies = [name or self.body_names.new(f"body_{index}") for index, name in enumerate(bodies)]
        self.bodies[0] = WORLD
        joints = self._given("JOINT", model.njnt)
        self.joint_names = Names([name for name in joints if name])
        self.joints = self._completed(joints, self.joint_names, [f"{self.bodies[body]}_joint" for body in model.jnt_bodyid])
        geoms = self._given("GEOM", model.ngeom)
        homes = [f"{self.bodies[body]}_geom" for body in model.geom_bodyid]
        self.geoms = self._completed(geoms, Names([name for name in geoms if name]), homes)
        self.meshes = self._numbered("MESH", model.nmesh)
        self.tendons = self._numbered("TENDON", model.ntendon)
        actuators = self._given("ACTUATOR", model.nactuator)
        targets = [self._target(index) for index in range(model.nactuator)]
        self.actuators = self._completed(actuators, Names([name for name in actuators if name]), targets)
        self.equalities = self._numbered("EQUALITY", model.neq)

    def enabled(self, feature: str) -> bool:
        """Whether the file leaves a part of the physics switched on, such as "GRAVITY" or "SPRING"."""
        switches = [feature, "CONSTRAINT"] if feature in CONSTRAINTS else [feature]
        return not any(
            self.model.opt.disableflags & int(getattr(self.mujoco.mjtDisableBit, f"mjDSBL_{name}")) for name in switches
        )

    def kind(self, enumeration: str, value: int) -> str:
        """MuJoCo's word for one of its codes: "hinge" for the value of mjJNT_HINGE in the enumeration "Joint"."""
        name: str = getattr(self.mujoco, f"mjt{enumeration}")(int(value)).name
        return name.partition("_")[2].lower()

    def rotation(self, quaternion: Any) -> Any:
        """The rotation matrix (3, 3) of a quaternion wxyz (4,)."""
        matrix = np.empty(9)
        self.mujoco.mju_quat2Mat(matrix, quaternion)
        return matrix.reshape(3, 3)

    def leave_out(self, what: str, *items: str) -> None:
        """Note something that does not become part of the mechanism, with the names of the items, if it has any."""
        noted = self.left_out.setdefault(what, [])
        noted += [item for item in items if item not in noted]

    def refusal(self, culprit: str, cure: str) -> MjcfError:
        """The error that says what stickslip does not model, and what to do about it."""
        return MjcfError(f"{self.file}: {culprit}, which stickslip does not model; {cure}.")

    def drives_joint(self, actuator: int) -> bool:
        """Whether an actuator acts on a joint directly."""
        return self.kind("Trn", self.model.actuator_trntype[actuator]) in ("joint", "jointinparent")

    def drives_tendon(self, actuator: int) -> bool:
        """Whether an actuator acts on a tendon."""
        return self.kind("Trn", self.model.actuator_trntype[actuator]) == "tendon"

    def _target(self, actuator: int) -> str:
        """What a nameless actuator is called after."""
        target = int(self.model.actuator_trnid[actuator, 0])
        if self.drives_joint(actuator):
            return self.joints[target]
        return self.tendons[target] if self.drives_tendon(actuator) else f"actuator_{actuator}"

    def _given(self, kind: str, count: int) -> list[str | None]:
        code = getattr(self.mujoco.mjtObj, f"mjOBJ_{kind}")
        return [self.mujoco.mj_id2name(self.model, code, index) for index in range(count)]

    def _completed(self, given: list[str | None], names: Names, wanted: list[str]) -> list[str]:
        return [name or names.new(fallback) for name, fallback in zip(given, wanted, strict=True)]

    def _numbered(self, kind: str, count: int) -> list[str]:
        given = self._given(kind, count)
        wanted = [f"{kind.lower()}_{index}" for index in range(count)]
        return self._completed(given, Names([name for name in given if name]), wanted)
