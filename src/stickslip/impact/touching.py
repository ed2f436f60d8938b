"""The arrays in which contacts that are closed, and what they do to each other, are handed from kernel to kernel."""

from __future__ import annotations

from typing import NamedTuple

from stickslip.dynamics.tree import Floats, Ints


class Touching(NamedTuple):
    """The contacts of an instant, one row each, and their rows of motion, `size` for each contact (2 in the plane, else 3)."""

    touches: Floats  # (most, TOUCH_WIDTH)
    identities: Ints  # (most, IDENTITY_WIDTH)
    friction: Floats  # (most,)
    restitution: Floats  # (most,)
    held: Ints  # (most,) 1 where the contact pushed in the last step
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


class FrictionLcp(NamedTuple):
    """An LCP of (2 + directions) pairs for each contact, and its scratch; matrices as one line, of which a part is used."""

    directions: Floats  # (directions, 2) of friction
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
