"""Functions that an integrator calls by their addresses: void(double t, double *y, double *p, double *out), as C has them.

Rates of change and guards are such functions; a user makes them with `numba.cfunc`, ctypes or any compiler. Since only the
address is handed over, no integrator is ever compiled anew for a function. `p` is whatever the function was given besides the
state: numbers, or an address that only it understands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from stickslip.dynamics.kernel import AnnouncedCache, compiled

F = TypeVar("F", bound=Callable[..., Any])

_POINTER = types.CPointer(types.float64)
SIGNATURE = (types.float64, _POINTER, _POINTER, _POINTER)

_DOUBLE = ir.DoubleType()
_C_TYPE = ir.FunctionType(ir.VoidType(), [_DOUBLE, *3 * [_DOUBLE.as_pointer()]])


def callback(function: F) -> F:
    """Compile a function of (t, y, p, out) that can be called by address; like all kernels it is kept on disk."""
    return compiled(function, AnnouncedCache, no_cpython_wrapper=True, _nrt=False)


def callback_address(function: Any) -> int:
    """Where the machine code of a callback begins, as C calls it."""
    function.compile(SIGNATURE)
    code = function.overloads[SIGNATURE]
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_cfunc_wrapper_name))


@intrinsic
def apply(typing_context, address, t, source, row, p, target, place):
    """Call the function at `address` for time t and a row of `source`; what it answers goes into a row of `target`."""

    def generate(context, builder, signature, arguments):
        address, t, source, row, p, target, place = arguments
        code = builder.inttoptr(address, _C_TYPE.as_pointer())
        state = _row(context, builder, signature.args[2], source, row)
        answer = _row(context, builder, signature.args[5], target, place)
        builder.call(code, [t, state, builder.inttoptr(p, _DOUBLE.as_pointer()), answer])
        return context.get_dummy_value()

    return types.void(types.int64, types.float64, source, types.int64, types.int64, target, types.int64), generate


@intrinsic
def address_at(typing_context, pointer):
    """The address that a pointer holds: of a block of memory, for a function whose `p` is one."""

    def generate(context, builder, signature, arguments):
        return builder.ptrtoint(arguments[0], ir.IntType(64))

    return types.int64(pointer), generate


def _row(context, builder, kind, value, row):
    """A pointer to the first number of a row of a C-contiguous array."""
    array = make_array(kind)(context, builder, value)
    width = builder.extract_value(array.shape, 1)
    return builder.gep(array.data, [builder.mul(row, width)])
