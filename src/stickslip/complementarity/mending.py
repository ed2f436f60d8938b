"""A basis that is wrong by round-off alone: where a w is hardly negative its pair becomes active, until it is a solution.

Where forces are nearly jammed, round-off in them is larger than the tolerance for velocities; Lemke's path may then end beside
the basis that solves the problem.
"""

from stickslip.complementarity.basis import ACTIVE, ROWS, TOLERANCE, basis_point
from stickslip.complementarity.kernel import kernel, routine

NEARLY = 1e-6  # a residual above this is no round-off
MENDINGS = 3  # pairs that are added at most


@kernel
def is_active(marks, count, i):
    for k in range(count):
        if marks[ACTIVE, k] == i:
            return True
    return False


@kernel
def most_negative(A, b, count, scratch, marks, z):
    """The pair, not active, whose w = A z + b is most below zero in the units of the scaled problem; -1 if none is."""
    which, lowest = -1, 0.0
    for i in range(b.size):
        value = b[i]
        for k in range(count):
            value += A[i, marks[ACTIVE, k]] * z[marks[ACTIVE, k]]
        if value * scratch[ROWS, i] < lowest and not is_active(marks, count, i):
            which, lowest = i, value * scratch[ROWS, i]
    return which


@routine
def mend(A, b, count, residual, T, scratch, marks, z, w, floor):
    """Add pairs to the basis of the first `count` ACTIVE ones, whose point z has this residual; answers both anew."""
    for _ in range(MENDINGS):
        if residual <= TOLERANCE or not residual <= NEARLY:
            break
        pair = most_negative(A, b, count, scratch, marks, z)
        if pair < 0:
            break
        marks[ACTIVE, count] = pair
        count += 1
        residual = basis_point(A, b, count, T, scratch, marks, z, w, floor)
    return count, residual
