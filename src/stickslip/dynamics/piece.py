"""Pieces: compiled functions that call each other by address, and find their arrays in one block of memory.

Code that is called in the usual way is copied into its caller and optimised there once more, at every level. A long loop with
all of contact in it takes minutes to compile so. A piece is compiled by itself, once; of several that do the same thing for
different worlds only the one that is called is compiled at all.

A block is an array of int64 in which a NamedTuple of arrays is written down, address and shape of each. A piece takes the
block's address, reads the arrays that it names, and answers with an int64. Whoever made the block keeps the arrays alive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from llvmlite import ir
from numba import int64, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from stickslip.dynamics.kernel import AnnouncedCache, compiled, entry
from stickslip.dynamics.tree import Floats, Ints

F = TypeVar("F", bound=Callable[..., Any])

# arrays with their numbers of dimensions, which the compiled code has to know
Floats1: TypeAlias = Annotated[Floats, 1]
Floats2: TypeAlias = Annotated[Floats, 2]
Ints1: TypeAlias = Annotated[Ints, 1]
Ints2: TypeAlias = Annotated[Ints, 2]

SIGNATURE = (int64,)
WORD = 8  # bytes


def piece(function: F) -> F:
    """Compile a function of a block's address that answers an int64."""
    return compiled(function, AnnouncedCache, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)


def address_of(function: Any) -> int:
    """Where the machine code of a piece begins."""
    function.compile(SIGNATURE)
    code = function.overloads[SIGNATURE]
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


@intrinsic
def call(typing_context, address, block):
    """What the piece at this address answers for this block."""

    def generate(context, builder, signature, arguments):
        kind = context.call_conv.get_function_type(int64, SIGNATURE)
        code = builder.inttoptr(arguments[0], kind.as_pointer())
        _, answer = context.call_conv.call_function(builder, code, int64, SIGNATURE, [arguments[1]])
        return answer

    return int64(int64, int64), generate


@entry
def start(address, block):
    """`call` from Python."""
    return call(address, block)


# ---- blocks ----------------------------------------------------------------------------------------------------------


def block_of(values: tuple[Any, ...]) -> Ints:
    """The block in which this NamedTuple of arrays, integers and other such tuples is written down."""
    return np.array(_words(values), dtype=np.int64)


def _words(value: Any) -> list[int]:
    if isinstance(value, tuple):
        return [word for entry in value for word in _words(entry)]
    if isinstance(value, int):
        return [value]
    return [value.ctypes.data, *value.shape]


def reader_of(kind: type) -> Any:
    """A compiled function that reads a NamedTuple of this kind from the block at an address."""
    layout = numba_type(kind)

    @intrinsic
    def read(typing_context, address):
        def generate(context, builder, signature, arguments):
            words = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
            value, _ = _read(context, builder, layout, words, 0)
            return value

        return layout(int64), generate

    return read


def numba_type(kind: Any) -> Any:
    """Numba's type of what is annotated so."""
    if kind is int:
        return int64
    if get_origin(kind) is Annotated:
        array, dimensions = get_args(kind)
        scalar = types.float64 if array == Floats else int64
        return types.Array(scalar, dimensions, "C")
    hints = get_type_hints(kind, include_extras=True)
    return types.BaseTuple.from_types([numba_type(hint) for hint in hints.values()], kind)


def _read(context, builder, kind, words, place):
    """The value that begins at a word, and the place of the word after it."""
    if isinstance(kind, types.Array):
        return _read_array(context, builder, kind, words, place)
    if not isinstance(kind, types.BaseTuple):
        return _word(builder, words, place), place + 1
    values = []
    for entry_kind in kind.types:
        value, place = _read(context, builder, entry_kind, words, place)
        values.append(value)
    return context.make_tuple(builder, kind, values), place


def _read_array(context, builder, kind, words, place):
    array = make_array(kind)(context, builder)
    shape = [_word(builder, words, place + 1 + k) for k in range(kind.ndim)]
    strides = [ir.Constant(ir.IntType(64), WORD)]
    for extent in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    data = builder.inttoptr(_word(builder, words, place), array.data.type)
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=WORD, meminfo=None)
    return array._getvalue(), place + 1 + kind.ndim


def _word(builder, words, place):
    return builder.load(builder.gep(words, [ir.Constant(ir.IntType(64), place)]))
