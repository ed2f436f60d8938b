"""Where the robot descriptions lie that `make robots` fetches, for the tests of `make verify`."""

import os
from pathlib import Path

ROBOTS = Path(os.environ.get("STICKSLIP_ROBOTS", Path(__file__).parents[1] / ".robots"))


def urdf_files() -> list[Path]:
    """Every URDF of example-robot-data, with the meshes of its collision geometry beside it; empty before `make robots`."""
    return sorted((ROBOTS / "example-robot-data").rglob("*.urdf"))


def mjcf_files() -> list[Path]:
    """Every complete MJCF model of gymnasium and of dm_control's suite; empty before `make robots`."""
    return sorted([*(ROBOTS / "gymnasium").glob("*.xml"), *(ROBOTS / "dm_control").glob("*.xml")])
