"""Where the meshes of a URDF file are: package://, file:// and plain paths, confined to the robot's own folders.

A robot file from somewhere must not make us read whatever it likes, so that the real path, with all links and `..`
followed, has to lie in one of these folders:

- for package://name/…: the folder of the package. It is looked for among the `package_dirs` (folders that hold packages,
  or packages themselves), then upwards from the URDF file, then in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH;
- for file:// and plain paths, which count from the URDF file's folder: the nearest folder upwards that holds a
  package.xml, or the parent of the URDF file's folder where none does;
- any of the `package_dirs`: naming a folder there is how the user allows it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

from stickslip.mechanism.errors import UrdfError


def mesh_path(uri: str, urdf: Path, package_dirs: Sequence[Path]) -> Path:
    """The real path of the mesh that the file `urdf` calls `uri`."""
    folder = _real(urdf).parent
    scheme, separator, rest = uri.partition("://")
    rest = unquote(rest)
    if "\0" in rest:
        raise UrdfError(f"mesh {uri!r} has a zero character (%00) in its path, which no path can hold.")
    if not separator:
        places = [(_home(folder), folder / uri)]
    elif scheme == "file":
        places = [(_home(folder), folder / rest)]
    elif scheme == "package":
        places = _places_in_package(uri, rest, folder, package_dirs)
    else:
        raise UrdfError(f"mesh {uri!r} must be given as package://, file:// or a path, not as {scheme}://.")
    confined = [path for root, path in places if _inside(path, [root, *package_dirs])]
    if not confined:
        raise UrdfError(
            f"mesh {uri!r} lies outside {_listed(root for root, _ in places)}, where the robot's files are; "
            "if that is meant, name its folder in `package_dirs`."
        )
    for path in confined:
        if os.path.exists(path):
            return _real(path)
    raise UrdfError(f"mesh {uri!r} does not exist; it was expected at {_listed(confined)}.")


def _places_in_package(uri: str, rest: str, folder: Path, package_dirs: Sequence[Path]) -> list[tuple[Path, Path]]:
    """Every (package folder, path) that a package:// address may mean."""
    package, _, inner = rest.lstrip("/").partition("/")  # package:///name/… is seen in the wild
    if package in ("", ".", ".."):
        raise UrdfError(f"mesh {uri!r} names no package; package://name/path was expected.")
    roots = list(dict.fromkeys(_package_folders(package, folder, package_dirs)))
    if not roots:
        raise UrdfError(
            f"mesh {uri!r} is in a package {package!r} that is not found in `package_dirs`, upwards from {folder}, or in "
            "ROS_PACKAGE_PATH; name the folder that holds the package in `package_dirs`."
        )
    return [(root, root / inner) for root in roots]


def _package_folders(package: str, folder: Path, package_dirs: Sequence[Path]) -> Iterator[Path]:
    upwards = [folder, *folder.parents][:-1]  # not the root of the file system: that would make a package of /etc
    ros = [Path(entry) for entry in _environment("ROS_PACKAGE_PATH")]
    ament = [Path(entry) / "share" for entry in _environment("AMENT_PREFIX_PATH")]
    for holder in [*package_dirs, *upwards, *ros, *ament]:
        if holder.name == package:
            yield holder
        if os.path.isdir(holder / package):
            yield holder / package


def _home(folder: Path) -> Path:
    """The folder that a robot's relative paths must stay in; its usual layout is robot/urdf and robot/meshes."""
    for holder in (folder, *folder.parents):
        if os.path.isfile(holder / "package.xml"):
            return holder
    parent = folder.parent
    return folder if parent == parent.parent else parent  # never the root of the file system


def _inside(path: Path, roots: Sequence[Path]) -> bool:
    real = _real(path)
    return any(real.is_relative_to(_real(root)) for root in roots)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _environment(variable: str) -> list[str]:
    return [entry for entry in os.environ.get(variable, "").split(os.pathsep) if entry]


def _listed(paths: Iterator[Path] | Sequence[Path]) -> str:
    return " or ".join(str(path) for path in paths)
