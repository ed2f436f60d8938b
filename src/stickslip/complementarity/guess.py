"""A basis active set: one dense solve, then the proof of the pudding.

Contacts change seldom: the active set of the last instant is nearly always right at this one, and then a solution costs less
than a factorisation of the whole matrix. A wrong guess is told as such, and costs no more.
"""

from stickslip.complementarity.basis import (
    ACTIVE,
    COLUMNS,
    FLOOR,
    ROWS,
    SOLVED,
    TOLERANCE,
    WRONG,
    basis_point,
    equilibrate,
)
from stickslip.complementarity.kernel import entry, kernel


@kernel
def guess(A, b, basis, L, scratch, marks, z, w, figures):
    """The solution of w = A z + b whose active pairs are those where `basis` (n,) is not zero; answers SOLVED or WRONG.

    Scratch: L (n, n) or larger, scratch (4, n), marks (6, 2 n + 1) int64; figures[0] becomes the residual.
    """
    count = 0
    for i in range(b.size):
        scratch[ROWS, i] = 1.0
        scratch[COLUMNS, i] = 1.0
        if basis[i] != 0.0:
            marks[ACTIVE, count] = i
            count += 1
    figures[0] = basis_point(A, b, count, L, scratch, marks, z, w, 0.0)
    if figures[0] <= TOLERANCE:
        return SOLVED
    return anew(A, b, count, L, scratch, marks, z, w, figures)


@kernel
def anew(A, b, count, L, scratch, marks, z, w, figures):
    """Once more in units that can be compared, in which tiny rows may be told from round-off."""
    equilibrate(A, scratch)
    figures[0] = basis_point(A, b, count, L, scratch, marks, z, w, FLOOR)
    return SOLVED if figures[0] <= TOLERANCE else WRONG


@entry
def guess_into(A, b, basis, L, scratch, marks, z, w, figures):
    return guess(A, b, basis, L, scratch, marks, z, w, figures)
