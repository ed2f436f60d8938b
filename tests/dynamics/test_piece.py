"""Pieces find their arrays in a block, and each other by address."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from stickslip.dynamics.piece import Floats1, Floats2, Ints1, address_of, block_of, call, numba_type, piece, reader_of, start


class Inner(NamedTuple):
    table: Floats2
    size: int
    nothing: Floats1


class Outer(NamedTuple):
    pieces: Ints1
    inner: Inner
    line: Floats1
    one: Floats1


read = reader_of(Outer)


@piece
def add_up(block):
    """The sum of the table goes to the line."""
    s = read(block)
    for i in range(s.inner.table.shape[0]):
        for k in range(s.inner.table.shape[1]):
            s.line[0] += s.inner.table[i, k] * (10.0 if k == s.inner.table.shape[1] - 1 else 1.0)
    return s.inner.size + s.inner.nothing.size


@piece
def twice(block):
    """What the first piece answers, asked for two times."""
    s = read(block)
    return call(s.pieces[0], block) + call(s.pieces[0], block)


def make():
    inner = Inner(np.arange(6.0).reshape(2, 3), 41, np.zeros(0))
    return Outer(np.array([address_of(add_up)]), inner, np.zeros(3), np.ones(1))


def test_a_piece_reads_its_arrays_and_writes_to_them():
    parts = make()
    block = block_of(parts)
    assert start(address_of(add_up), block.ctypes.data) == 41
    assert parts.line.tolist() == [0 + 1 + 20 + 3 + 4 + 50, 0, 0]


def test_pieces_call_each_other_by_address():
    parts = make()
    block = block_of(parts)
    assert start(address_of(twice), block.ctypes.data) == 82
    assert parts.line[0] == 2 * 78


def test_annotations_say_what_numba_sees():
    assert numba_type(Outer) == numba.typeof(make())


def test_a_block_is_address_and_shape_of_each_array():
    parts = make()
    table = parts.inner.table
    assert block_of(parts).tolist()[2:6] == [table.ctypes.data, 2, 3, 41]
