"""The arrays in which contacts that are closed, and what they do to each other, are handed from kernel to kernel."""

from __future__ import annotations

from typing import NamedTuple

from stickslip.dynamics.tree import Floats, Ints

MOVING, CLOSED, STUCK = range(3)  # of a contact is at rest: nothing, its normal direction, all


class Touching(NamedTuple):
    """The contacts of an instant, joint limits and dry friction among them, one row each.

    And their rows of motion, `size` for each contact (2 in the plane, else 3).
    """

    touches: Floats  # (most, TOUCH_WIDTH)
    identities: Ints  # (most, IDENTITY_WIDTH)
    friction: Floats  # (most,)
    restitution: Floats  # (most,)
    pressed: Ints  # (most,) 1 where the normal direction is one of its own, driven by a given force: dry friction of a joint
    held: Ints  # (most,) 1 where the contact pushed in the last step
    rest: Ints  # (most,) what of it the law brought to rest then
    impulse: Floats  # (size most,) of the last step, in N s
    J: Floats  # (size most, nv)
    velocity: Floats  # (size most,)
    drift: Floats  # (size most,)


class Response(NamedTuple):
    """M = L L^T, Y = L^-1 J^T row by row, G = Y Y^T."""

    L: Floats  # (nv, nv)
    Y: Floats  # (size most, nv)
    G: Floats  # (size most)^2 as one line, of which a part is used
    change: Floats  # (nv,) of the velocities


class Bilateral(NamedTuple):
    """Rows of loops and couplings, and what `bilateral.py` makes of them; the first `rank` rows of Q, T, part count."""

    J: Floats  # (rows, nv)
    residual: Floats  # (rows,) by how much they are open, in m or rad
    drift: Floats  # (rows,) dJ/dt v
    rate: Floats  # (rows,) asked for
    Q: Floats  # (rows, nv)
    T: Floats  # (rows + 1, rows), the last row for whatever is taken out of rows of contacts
    span: Ints  # (rows, 2)
    kept: Ints  # (rows,) which rows have a row of Q
    rank: Ints  # (1,)
    part: Floats  # (rows,)
    change: Floats  # (nv,) of the velocities, or of the position
    pull: Floats  # (nv,) acceleration by which loops kick a step at its beginning


class FrictionLcp(NamedTuple):
    """An LCP of 2 + directions pairs for each contact or less, and its scratch; matrices as one line, part of which is used."""

    directions: Floats  # (directions, 2) of friction
    first: Ints  # (most,) pair of every contact
    generators: Ints  # (pairs,) first row of the contact that the pair's unknown pushes, -1 for a speed of slip
    coefficients: Floats  # (pairs, 3) how it pushes along the contact's rows
    velocity: Floats  # (size most,) of the contacts, without impulses
    restored: Floats  # (size most,) normal impulses that act in any case
    A: Floats  # (pairs^2,)
    b: Floats
    z: Floats
    w: Floats
    basis: Floats
    T: Floats  # ((pairs + 2) pairs,)
    scratch: Floats
    marks: Ints
    figures: Floats


class FrictionCone(NamedTuple):
    """Scratch of the cone's solver, as lines of which a part is used."""

    contacts: Floats
    u: Floats
    modes: Ints
    law: Floats
    table: Floats
    owner: Ints
    H: Floats
    columns: Floats
    vectors: Floats
    report: Floats
