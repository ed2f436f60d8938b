"""The vertices of mesh files: STL (binary or text), OBJ and COLLADA.

Contact takes the convex hull of a mesh, so that only distinct vertices matter here; faces, normals and colours are not
read.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np

from stickslip.mechanism.errors import MechanismError, UrdfError
from stickslip.mechanism.regular_file import contents
from stickslip.mechanism.urdf.collada import collada_vertices

STL_HEADER = 84  # bytes: a comment of 80 and the number of triangles
STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

TEXT_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_vertices(path: Path) -> np.ndarray:
    """The distinct vertices (n, 3) of a mesh file, in the file's unit (COLLADA: in metres), sorted by x, y and z."""
    readers = {".stl": _stl_vertices, ".obj": _obj_vertices, ".dae": collada_vertices}
    try:
        reader = readers.get(path.suffix.lower())
        if reader is None:
            raise UrdfError("it must be an STL (.stl), OBJ (.obj) or COLLADA (.dae) file.")
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused below
            vertices = reader(contents(path))
        if not np.isfinite(vertices).all():
            raise UrdfError("it has a vertex that is not finite.")
        distinct = np.unique(vertices, axis=0)
        if len(distinct) < 4:
            raise UrdfError(f"it has {len(distinct)} distinct vertices, but a mesh needs at least four.")
    except MechanismError as error:
        raise UrdfError(f"mesh file {path}: {error}") from None
    return distinct


def _stl_vertices(data: bytes) -> np.ndarray:
    """Text files begin with the word solid; some binary ones do, too, but they hold a zero byte soon."""
    if data.lstrip()[:5].lower() == b"solid" and b"\0" not in data[:STL_HEADER]:
        return _text_stl_vertices(data)
    if len(data) < STL_HEADER:
        raise UrdfError(f"it is too short for an STL file ({len(data)} bytes).")
    (count,) = struct.unpack_from("<I", data, STL_HEADER - 4)
    size = STL_HEADER + count * STL_TRIANGLE.itemsize
    if len(data) != size:
        raise UrdfError(f"its header promises {count} triangles, which take {size} bytes, but the file has {len(data)}.")
    triangles = np.frombuffer(data, dtype=STL_TRIANGLE, offset=STL_HEADER)
    return triangles["corners"].reshape(-1, 3).astype(float)


def _text_stl_vertices(data: bytes) -> np.ndarray:
    if b"endsolid" not in data.lower():
        raise UrdfError("it begins like a text STL file but breaks off before its endsolid.")
    corners = TEXT_VERTEX.findall(data)
    if len(corners) % 3:
        raise UrdfError(f"it has {len(corners)} vertices, which do not make whole triangles.")
    return _numbers(corners)


def _obj_vertices(data: bytes) -> np.ndarray:
    """The lines "v x y z"; what follows the three coordinates is weight or colour."""
    lines = (line.split() for line in data.splitlines())
    return _numbers([words[1:4] for words in lines if words and words[0] == b"v"])


def _numbers(rows: list[list[bytes]] | list[tuple[bytes, bytes, bytes]]) -> np.ndarray:
    if any(len(row) != 3 for row in rows):
        raise UrdfError("it has a vertex of fewer than three coordinates.")
    try:
        return np.array(rows, dtype=float).reshape(-1, 3)
    except ValueError:
        raise UrdfError("it has a vertex with a coordinate that is not a number.") from None
