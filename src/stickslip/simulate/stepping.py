"""The arrays that a time stepper works in, besides those of contacts that are closed (`impact/touching.py`)."""

from __future__ import annotations

from typing import NamedTuple

from stickslip.dynamics.tree import Floats, Ints


class Model(NamedTuple):
    """A mechanism's tree."""

    topology: Ints
    links: Floats
    springs: Floats
    rotors: Floats
    gravity: Floats


class Scenery(NamedTuple):
    """A world's scene, its broad phase, and the surfaces of its pairs."""

    plane: int  # 0 in space, 1 in "xy", 2 in "xz"
    out: Floats  # (3,) normal of the plane
    shapes: Ints
    sizes: Floats
    corners: Floats
    edges: Ints
    faces: Floats
    movers: Ints
    partners: Ints
    grid: Floats
    starts: Ints
    members: Ints
    pairs: Ints  # (pairs,) first shape times the number of shapes, plus second shape; ascending
    surface_of: Ints  # (pairs,) row of `surfaces`
    surfaces: Floats  # (materials, 2) friction, restitution


class Joints(NamedTuple):
    """Limits and dry friction of joints."""

    limited: Ints  # (limits,) row of the coordinate
    addresses: Ints  # (limits,) where it is in q
    ends: Floats  # (limits, 2) which way is away from the limit, 1 or -1, and where it is
    rubbing: Ints  # (coordinates,) rows of those with dry friction
    bounds: Floats  # (coordinates,) of it, in N or N m


class Closures(NamedTuple):
    """Where bodies are, and the equations of loops and couplings between them."""

    holder: Ints
    offset: Floats
    which: Ints
    vectors: Floats
    couplings: Floats


class Looking(NamedTuple):
    """What the detector sees, and its scratch."""

    work: Floats
    placed: Floats
    placed_corners: Floats
    near: Ints
    left: Ints
    touches: Floats
    identities: Ints
    system: Floats


class Trial(NamedTuple):
    """A step that may be accepted: where it ends, and how it gets there."""

    q: Floats
    v: Floats
    a: Floats  # mean acceleration of the step, contacts included, loops not
    impulse: Floats  # (size most,) in N s
    q_middle: Floats
    v_begin: Floats  # after the loops' kick
    v_middle: Floats
    v_free: Floats
    a_free: Floats
    force: Floats
    move: Floats
    dense: Floats


class Record(NamedTuple):
    """What is kept of a run, row by row; the columns are named in `time_stepping.py`."""

    samples: Floats
    contacts: Floats
    events: Floats
