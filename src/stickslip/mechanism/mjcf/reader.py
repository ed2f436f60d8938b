"""From an MJCF file to a description of a mechanism, by way of MuJoCo's own compiler."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from stickslip.mechanism.arguments import FilePath, file_path, switch
from stickslip.mechanism.combination import Spring
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.errors import MechanismError, MissingExtraError, MjcfError, MjcfWarning
from stickslip.mechanism.mjcf.actuation import read_actuators
from stickslip.mechanism.mjcf.compiled import Compiled, Names
from stickslip.mechanism.mjcf.equality import read_equalities
from stickslip.mechanism.mjcf.geom import read_shapes
from stickslip.mechanism.mjcf.survey import check_files
from stickslip.mechanism.mjcf.tendon import read_springs
from stickslip.mechanism.mjcf.tree import read_tree
from stickslip.mechanism.mjcf.unsupported import refuse_unsupported
from stickslip.mechanism.warning import warn_user

LISTED = 8  # names that a warning spells out before it counts the others

BYSTANDERS = (("nsensor", "sensors"), ("nkey", "keyframes"), ("nsite", "sites"), ("ncam", "cameras"))


def read_mjcf(path: FilePath, *, collision: bool = True) -> MechanismDescription:
    """The mechanism in the MJCF file at `path`, compiled by MuJoCo (`pip install "stickslip[mjcf]"`).

    The state is MuJoCo's: q is qpos and v is qvel, the neutral configuration is qpos0, and each input is the ctrl of the
    actuator in its place (for actuators with an activation, its act). Position and velocity servos keep their gains as
    springs and dampers. With `collision`, geoms that can touch something become shapes.

    Whatever would change the motion and has no counterpart here (a fluid, muscles, springs along spatial tendons, …) is
    refused with an `MjcfError`. What is no part of a mechanism is left out, and an `MjcfWarning` names it: the
    environment, since a world has obstacles of its own, the settings of contacts, sensors and the like. MuJoCo's solver,
    its softness and the looks of things have no meaning here and are passed over in silence.
    """
    file = str(file_path(path, "the path of an MJCF file"))
    switch(collision, "collision")
    compiled = _compile(file)
    try:
        with np.errstate(all="ignore"):  # an overflow leaves an infinity, which the description refuses by name
            description = _description(compiled, collision)
    except MjcfError:
        raise
    except MechanismError as error:
        raise MjcfError(f"{file}: {error}") from None
    for field, word in BYSTANDERS:
        if getattr(compiled.model, field):
            compiled.leave_out(word)
    if compiled.left_out:
        listed = "; ".join(_listed(what, items) for what, items in compiled.left_out.items())
        warn_user(f"{file}: left out, as no part of a mechanism: {listed}.", MjcfWarning)
    return description


def _description(compiled: Compiled, collision: bool) -> MechanismDescription:
    refuse_unsupported(compiled)
    bodies, joints = read_tree(compiled, read_shapes(compiled) if collision else {})
    names = Names([])
    springs: list[Spring] = read_springs(compiled, names)
    motors, servos = read_actuators(compiled, names)
    loops, couplings = read_equalities(compiled)
    gravity = compiled.model.opt.gravity if compiled.enabled("GRAVITY") else (0.0, 0.0, 0.0)
    return MechanismDescription(
        name=Path(compiled.file).stem,
        bodies=tuple(bodies),
        joints=tuple(joints),
        springs=(*springs, *servos),
        motors=tuple(motors),
        loops=tuple(loops),
        couplings=tuple(couplings),
        gravity=gravity,
    )


def _compile(file: str) -> Compiled:
    mujoco = _compiler()
    check_files(file)
    remarks: list[str] = []
    # Without a handler of our own MuJoCo would write its remarks into a file in the working directory.
    handler = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(remarks.append)
    try:
        model = mujoco.MjModel.from_xml_path(file)
        compiled = Compiled(file, mujoco, model)
    except UnicodeDecodeError:
        raise MjcfError(f"{file}: a name in this file is not UTF-8; save the file in that encoding.") from None
    except (ValueError, RuntimeError, MemoryError, mujoco.FatalError) as error:
        raise MjcfError(f"{file}: MuJoCo cannot compile this file: {_one_line(error)}.") from None
    finally:
        mujoco.set_mju_user_warning(handler)
    for remark in remarks:
        if "'NaN'" in remark:
            raise MjcfError(f"{file}: this file gives NaN for a number; give a finite one.")
        warn_user(f"{file}: MuJoCo's compiler remarks: {_one_line(remark)}.", MjcfWarning)
    return compiled


def _compiler() -> ModuleType:
    try:
        import mujoco
    except ImportError:
        raise MissingExtraError(
            'reading MJCF needs MuJoCo\'s compiler; install it with pip install "stickslip[mjcf]".'
        ) from None
    return cast(ModuleType, mujoco)


def _listed(what: str, items: list[str]) -> str:
    shown = ", ".join(map(repr, items[:LISTED]))
    more = f" and {len(items) - LISTED} more" if len(items) > LISTED else ""
    return f"{what} ({shown}{more})" if items else what


def _one_line(message: Any) -> str:
    lines = [line.strip() for line in str(message).splitlines()]
    return ", ".join(line for line in lines if line).rstrip(".")
