"""All that an integrator works in, as its compiled code finds it."""

from __future__ import annotations

from typing import NamedTuple

from stickslip.dynamics.piece import Floats1, Floats2, Ints1, reader_of


class Integration(NamedTuple):
    """One flow of n numbers y with m guards."""

    codes: Ints1  # addresses: of the rates, of the guards, of what they are given besides the state
    clock: Ints1
    pace: Floats1
    absolute: Floats1  # (n,) error that is allowed in each number
    y: Floats2  # (rows, n) the state, and others
    rates: Floats2  # (7, n) of the stages
    bends: Floats2  # (3, n) of the dense output, beyond a straight line
    guards: Floats2  # (rows, m) values of the guards at points of a step
    watch: Ints1  # (m,) which crossings count: FALLING, RISING, ANY, or INSIDE
    side: Ints1  # (m,) sign of each guard, as far as it is known: -1, 0, 1
    zero: Ints1  # (m,) whether a guard starts at zero: 0 no, 1 yes, 2 not known yet
    verdicts: Ints1  # (m,) scratch
    fired: Ints1  # (m,) for the guards that an event is of: 1 if they crossed zero, 2 if the flow began below it
    samples: Floats2  # (room, 1 + n) time and state at the end of every step
    bent: Floats2  # (room, 3 n) `bends` of the step that led there


integration_at = reader_of(Integration)

# ---- `codes` -----------------------------------------------------------------------------------------------------------
RATES, GUARDS, GIVEN = range(3)

# ---- `clock`, int64 ----------------------------------------------------------------------------------------------------
FRESH = 0  # 1 where the flow begins, or was changed: nothing is known of it yet
SAMPLES = 1  # rows of the record that are taken
EVALUATIONS = 2  # of the rates
LOOKS = 3  # calls of the guards
ACCEPTED, REJECTED = 4, 5  # steps
REFUSED = 6  # 1 if the last attempt was rejected
CLOCK = 7

# ---- `pace`, float64 ---------------------------------------------------------------------------------------------------
NOW = 0  # s
UNTIL = 1  # s: where somebody wants to change something
END = 2  # s
STEP = 3  # s: length of the next step; 0 if it is to be found
LONGEST = 4  # s
RELATIVE = 5  # error that is allowed, relative to the state
LOCATION = 6  # s: error that is allowed in the time of an event
BEFORE = 7  # error of the last step that was accepted, 1 being what is allowed
BACK = 8  # part of the step over which slopes of guards at its end are measured
PACE = 9

# ---- rows of `y` and of `guards` ---------------------------------------------------------------------------------------
STATE, STAGE, NEXT, POINT = range(4)
Y_ROWS = 4
NODES = 9  # the first rows of `guards`
PROBE, LAST = 9, 10
GUARD_ROWS = 11

# ---- `watch` -----------------------------------------------------------------------------------------------------------
FALLING, RISING, ANY = -1, 1, 0
INSIDE = -2  # falling, and a flow that begins below zero is an event at once

# ---- how the integrator returns ---------------------------------------------------------------------------------------
DONE, NEED_CONTROL, EVENT, FULL = range(4)
NOT_FINITE = -1  # rates where a flow begins, or so near to the present that no step is short enough
TOO_SHORT = -2  # no step that the clock can tell is short enough for the error that is allowed
NO_GUARD = -3  # a guard that is not a number
