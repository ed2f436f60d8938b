"""The arrays in which contacts that are closed, and what they do to each other, are handed from kernel to kernel."""

from __future__ import annotations

from typing import NamedTuple

from stickslip.dynamics.piece import Floats1, Floats2, Ints1, Ints2


class Touching(NamedTuple):
    """The contacts of an instant, joint limits and dry friction among them, one row each.

    And their rows of motion, `size` for each contact (2 in the plane, else 3).
    """

    touches: Floats2  # (most, TOUCH_WIDTH)
    identities: Ints2  # (most, IDENTITY_WIDTH)
    friction: Floats1  # (most,)
    restitution: Floats1  # (most,)
    pressed: Ints1  # (most,) 1 where the normal direction is one of its own, driven by a given force: dry friction of a joint
    held: Ints1  # (most,) 1 where the contact pushed last
    impulse: Floats1  # (size most,) with which it did, in N s
    J: Floats2  # (size most, nv)
    velocity: Floats1  # (size most,)
    drift: Floats1  # (size most,)


class Response(NamedTuple):
    """Where the mechanism is, M = R R^T there (`dynamics/inertia_root.py`), Y = R^-1 J^T row by row, G = Y Y^T."""

    topology: Ints2
    rotors: Floats2
    work: Floats2
    L: Floats2  # (nv, nv)
    Y: Floats2  # (size most, nv)
    G: Floats1  # (size most)^2 as one line, of which a part is used
    change: Floats1  # (nv,) of the velocities


class Bilateral(NamedTuple):
    """Rows of loops and couplings, and what `bilateral.py` makes of them; the first `rank` rows of Q, T, part count."""

    J: Floats2  # (rows, nv)
    residual: Floats1  # (rows,) by how much they are open, in m or rad
    drift: Floats1  # (rows,) dJ/dt v
    rate: Floats1  # (rows,) asked for
    aim: Floats1  # (rows,) rates with which a step begins, so that it ends with closed loops
    Q: Floats2  # (rows, nv)
    T: Floats2  # (rows + 1, rows), the last row for whatever is taken out of rows of contacts
    span: Ints2  # (rows, 2)
    kept: Ints1  # (rows,) which rows have a row of Q
    rank: Ints1  # (1,)
    part: Floats1  # (rows,)
    change: Floats1  # (nv,) of the velocities, or of the position


class FrictionLcp(NamedTuple):
    """An LCP of 2 + directions pairs for each contact or less, and its scratch; matrices as one line, part of which is used."""

    directions: Floats2  # (directions, 2) of friction
    first: Ints1  # (most,) pair of every contact
    generators: Ints1  # (pairs,) first row of the contact that the pair's unknown pushes, -1 for a speed of slip
    coefficients: Floats2  # (pairs, 3) how it pushes along the contact's rows
    units: Floats1  # (pairs,) in which the unknowns are counted: such that each does one to itself
    velocity: Floats1  # (size most,) of the contacts, without impulses
    restored: Floats1  # (size most,) normal impulses that act in any case
    A: Floats1  # (pairs^2,)
    b: Floats1
    z: Floats1
    w: Floats1
    basis: Floats1
    T: Floats1  # ((pairs + 2) pairs,)
    scratch: Floats1
    marks: Ints1
    figures: Floats1


class FrictionCone(NamedTuple):
    """Scratch of the cone's solver, as lines of which a part is used."""

    contacts: Floats1
    u: Floats1
    modes: Ints1
    law: Floats1
    table: Floats1
    owner: Ints1
    H: Floats1
    columns: Floats1
    vectors: Floats1
    report: Floats1
