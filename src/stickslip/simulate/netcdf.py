"""Arrays with named dimensions in an HDF5 file, laid out as NetCDF-4 does, so that its tools and xarray read them.

A dimension is a dimension scale of HDF5: a variable of the dimension's own name, or an empty stand-in where there is none.
What is read is what was asked for: links that lead out of the file are not followed.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from stickslip.mechanism.errors import StickslipError

NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable. %9d"  # the words by which NetCDF-4 knows a stand-in

CHUNK = 1 << 17  # bytes that are compressed and read together
TRIAL = 1 << 15  # bytes of an array that are compressed to see whether it pays
PAYS = 0.7  # part of its size to which an array must shrink for that: motion that never repeats itself hardly does
SHORTEST = 2  # bytes of a word; NetCDF-4 takes words of one byte for single characters
DENSEST = 1100  # times its size on disk: more cannot come out of compressed data


class StorageError(StickslipError, OSError):
    """A trajectory cannot be written to a file, or a file cannot be read as a trajectory."""


# ---- writing -------------------------------------------------------------------------------------------------------


def dimension(file: Any, name: str, size: int) -> None:
    """A dimension that has no variable of its own, and may grow."""
    scale = file.create_dataset(name, shape=(size,), dtype=">f4", chunks=(1024,), maxshape=(None,))
    scale.make_scale(NO_VARIABLE % size)


def variable(file: Any, name: str, array: Any, dimensions: Sequence[str], **attributes: str) -> None:
    """An array over dimensions; one that is named like its dimension is its coordinate. Attributes: units, ….

    It can grow along its first dimension, and is compressed where that pays.
    """
    rows, *rest = array.shape
    width = max(1, int(np.prod(rest))) * array.itemsize
    options: dict[str, Any] = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if _pays(array) else {}
    data = file.create_dataset(
        name,
        data=array,
        chunks=(min(max(1, CHUNK // width), max(1, rows)), *(max(1, size) for size in rest)),
        maxshape=(None, *(size or None for size in rest)),
        fletcher32=True,
        **options,
    )
    _describe(file, data, name, dimensions, attributes)


def labels(file: Any, name: str, words: Sequence[str], along: str, **attributes: str) -> None:
    """Words along a dimension; those that are named like it are its coordinate. All take the room of the longest."""
    import h5py

    encoded = [checked_text(word).encode() for word in words]
    kind = h5py.string_dtype(length=max(SHORTEST, *map(len, encoded), 0))
    variable(file, name, np.array(encoded, dtype=kind), (along,), **attributes)


def checked_text(word: str) -> str:
    """`word`, if HDF5 can keep it: in UTF-8, and without the character that ends a word."""
    try:
        word.encode()
    except UnicodeEncodeError:
        raise StorageError(f"the word {word!r:.60} holds half a character and cannot be stored.") from None
    if "\0" in word:
        raise StorageError(f"the word {word!r:.60} holds a NUL character and cannot be stored.")
    return word


def _describe(file: Any, data: Any, name: str, dimensions: Sequence[str], attributes: dict[str, str]) -> None:
    if (name,) == tuple(dimensions):
        data.make_scale(name)
    else:
        for axis, along in enumerate(dimensions):
            data.dims[axis].attach_scale(file[along])
    for key, value in attributes.items():
        data.attrs[key] = value


def _pays(array: Any) -> bool:
    """Whether a stretch from the middle of the array shrinks enough, byte by byte as HDF5 shuffles them."""
    flat = array.reshape(-1)
    middle = flat[len(flat) // 2 :][: max(1, TRIAL // array.itemsize)]
    if not len(middle):
        return False
    planes = np.frombuffer(middle.tobytes(), dtype=np.uint8).reshape(-1, array.itemsize).T.tobytes()
    return len(zlib.compress(planes, 1)) < PAYS * len(planes)


# ---- reading -------------------------------------------------------------------------------------------------------


def numbers(file: Any, name: str, kind: type[np.generic]) -> Any:
    """The array `name`, which must hold numbers of that kind."""
    data = _dataset(file, name)
    if data.dtype != np.dtype(kind):
        raise StorageError(f"its {name!r} holds {data.dtype}, not {np.dtype(kind)}.")
    return data[...]


def words(file: Any, name: str) -> list[str]:
    """The words that `labels` wrote."""
    data = _dataset(file, name)
    if data.ndim != 1:
        raise StorageError(f"its {name!r} has {data.ndim} dimensions, not one.")
    return [str(word) for word in data.asstr()[...]]


def text(file: Any, name: str) -> str:
    """The text in the attribute `name`."""
    value = file.attrs.get(name)
    if not isinstance(value, str):
        raise StorageError(f"it has no text {name!r}.")
    return value


def _dataset(file: Any, name: str) -> Any:
    import h5py

    link = file.get(name, getlink=True)
    data = file[name] if isinstance(link, h5py.HardLink) else None
    if not isinstance(data, h5py.Dataset):
        raise StorageError(f"it has no {name!r}.")
    if data.is_virtual or data.external:
        raise StorageError(f"its {name!r} is kept outside of the file.")
    if data.nbytes > DENSEST * data.id.get_storage_size():
        raise StorageError(f"its {name!r} claims to be larger than the file can hold.")
    return data
