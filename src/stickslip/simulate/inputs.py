"""The inputs of a step: held, from a table with one row a step, or from a controller in machine code."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from stickslip.complementarity.kernel import kernel
from stickslip.dynamics.kinematics import GOOD, finite
from stickslip.simulate.stepping import BAD_TAU, CONTROLLER, GIVEN, NOW, PERIOD, SCHEDULED, STEPS


@intrinsic
def ask(typing_context, address, time, q, v, tau):
    """Call the C function at an address: controller(time, q, nq, v, nv, tau, nu), which writes to tau."""

    def generate(context, builder, signature, arguments):
        real, pointer, count = ir.DoubleType(), ir.DoubleType().as_pointer(), ir.IntType(64)
        given = [arguments[1]]
        for kind, value in zip(signature.args[2:], arguments[2:], strict=True):
            array = context.make_array(kind)(context, builder, value)
            given += [array.data, array.nitems]
        shape = ir.FunctionType(ir.VoidType(), [real, pointer, count, pointer, count, pointer, count])
        builder.call(builder.inttoptr(arguments[0], shape.as_pointer()), given)
        return context.get_dummy_value()

    return types.void(address, time, q, v, tau), generate


@kernel
def take_inputs(clock, pace, inputs, applied, q, v):
    """The generalised force (nv,) of the next step's inputs; answers a status."""
    tau, table = inputs.tau, inputs.table
    row = clock[STEPS]
    if clock[CONTROLLER] != 0:
        if row % clock[PERIOD] != 0:
            return GOOD
        ask(clock[CONTROLLER], pace[NOW], q, v, tau)
        if not finite(tau):
            return BAD_TAU
    elif clock[SCHEDULED] == 1 and clock[GIVEN] == 0:
        return GOOD
    else:
        for k in range(tau.size):
            tau[k] = table[min(row, clock[SCHEDULED] - 1), k]
    for i in range(applied.size):
        applied[i] = 0.0
        for k in range(tau.size):
            applied[i] += inputs.map[i, k] * tau[k]
    clock[GIVEN] = 0
    return GOOD
