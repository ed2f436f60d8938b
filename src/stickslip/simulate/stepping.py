"""All that a time stepper works in, besides the arrays of contacts that are closed (`impact/touching.py`)."""

from __future__ import annotations

from typing import NamedTuple

from stickslip.contact.neighbours import Neighbours
from stickslip.dynamics.piece import Floats1, Floats2, Ints1, Ints2, reader_of
from stickslip.impact.touching import Bilateral, FrictionCone, FrictionLcp, Response, Touching


class Model(NamedTuple):
    """A mechanism's tree."""

    topology: Ints2
    links: Floats2
    springs: Floats2
    rotors: Floats2
    gravity: Floats1
    passive: int  # 1 if any joint has a spring, a damper or a PD loop


class Scenery(NamedTuple):
    """A world's scene, its broad phase, and the surfaces of its pairs."""

    plane: int  # 0 in space, 1 in "xy", 2 in "xz"
    out: Floats1  # (3,) normal of the plane
    shapes: Ints2
    sizes: Floats2
    corners: Floats2
    edges: Ints2
    faces: Floats2
    movers: Ints2
    partners: Ints1
    grid: Floats2
    starts: Ints1
    members: Ints1
    pairs: Ints1  # (pairs,) first shape times the number of shapes, plus second shape; ascending
    surface_of: Ints1  # (pairs,) row of `surfaces`
    surfaces: Floats2  # (materials, 2) friction, restitution


class Joints(NamedTuple):
    """Limits and dry friction of joints."""

    limited: Ints1  # (limits,) row of the coordinate
    addresses: Ints1  # (limits,) where it is in q
    ends: Floats2  # (limits, 2) which way is away from the limit, 1 or -1, and where it is
    rubbing: Ints1  # (coordinates,) rows of those with dry friction
    bounds: Floats1  # (coordinates,) of it, in N or N m


class Closures(NamedTuple):
    """Where bodies are, and the equations of loops and couplings between them."""

    holder: Ints1
    offset: Floats2
    which: Ints2
    vectors: Floats2
    couplings: Floats2


class Looking(NamedTuple):
    """What the detector sees, and its scratch."""

    work: Floats2
    placed: Floats2
    placed_corners: Floats2
    near: Ints2
    neighbours: Neighbours
    left: Ints1
    touches: Floats2
    identities: Ints2
    system: Floats2


class Trial(NamedTuple):
    """A step that may be accepted, and how it was found."""

    q: Floats1  # where it ends
    v: Floats1  # at which it gets there
    impulse: Floats1  # (size most,) of the contacts in the last kick, in N s
    mean: Floats1  # (nv,) acceleration by the kick at its beginning, contacts and loops included
    end: Floats1  # (nv,) by the kick at the end of the step before
    turns: Floats2  # (TURNS, nv) `mean` less `end`, of the last step and of those before it
    a: Floats1  # (nv,) without contacts and loops
    free: Floats1  # (nv,) the same at the end of the step before
    v_free: Floats1  # (nv,)
    began: Floats1  # (nv,) v_half with which the last pass began
    led: Floats1  # (nv,) and where it led
    force: Floats1
    move: Floats1


class Inputs(NamedTuple):
    """Where the inputs of a step come from."""

    table: Floats2  # (rows, nu)
    map: Floats2  # (nv, nu)
    tau: Floats1  # (nu,) of the present step


class Record(NamedTuple):
    """What is kept of a run, row by row; the columns are named in `time_stepping.py`."""

    samples: Floats2
    contacts: Floats2
    events: Floats2


class Parts(NamedTuple):
    """All of it, as pieces find it in their block."""

    pieces: Ints1  # addresses
    clock: Ints1
    pace: Floats1
    model: Model
    scenery: Scenery
    joints: Joints
    loops: Closures
    looking: Looking
    touching: Touching
    before: Touching  # the contacts of the last instant
    response: Response
    bilateral: Bilateral
    lcp: FrictionLcp
    cone: FrictionCone
    trial: Trial
    inputs: Inputs
    applied: Floats1  # (nv,) generalised force of the inputs
    q: Floats1
    v: Floats1
    total: Floats1  # (size most,) impulses of a collision
    bracket: Floats1
    record: Record


parts_at = reader_of(Parts)

# ---- `pieces`: what is called by address -------------------------------------------------------------------------------
LOOK, ROWS, LAW, PUSH, GATHER, MEET = range(6)

# ---- `clock`, int64: where the run stands ------------------------------------------------------------------------------
STEPS, UNTIL, EVERY, SAMPLES, CONTACTS, EVENTS, COLLISIONS = range(7)
STALE = 7  # 1 where a run begins: nothing is known of the state yet
SIZE = 8  # rows of a contact
FOUND = 9  # touches that were seen last
COUNT = 10  # contacts
NEW = 11  # whether new ones are gathered
WARM = 12  # whether they are those of the last instant
KICK = 13  # which kick is given
REGULAR = 14  # steps without collisions since the last one with some
SCHEDULED = 15  # rows of the table of inputs that count
CONTROLLER = 16  # address of a controller in machine code, or 0
PERIOD = 17  # steps between its calls
GIVEN = 18  # 1 where the table is new
LAST = 19  # contacts of a sample beyond those that count, of a step that is not one to be kept; -1 without such
CROWDED = 20  # 1 after a part of a step that had to end where it began: no contact is let go there
CLOCK = 21
BEGIN, END = 0, 1  # kicks of a step

# ---- `pace`, float64 ---------------------------------------------------------------------------------------------------
STARTED = 0  # s: time when the clock showed no steps
STEP = 1  # s
MARGIN = 2  # m: gaps up to this are looked at
HALF = 3  # s: how much of the step the present kick stands for
SHRINK = 4  # by how much a pass makes the error of a kick smaller
NOW = 5  # s: when what happens happens
LONGEST = 6  # s: a longer step is no step for the contacts as they are bent
LIMIT = 7  # s: a longer part of a step is not tried, since such parts failed not long ago
PACE = 8
TURNS = 3

# ---- how the loop returns ---------------------------------------------------------------------------------------------
PAUSED, RECORD_FULL = 0, 1
TOO_FAST = -21  # a step whose end is beyond floating point
TOO_MANY = -22  # collisions in one step
TOO_MANY_CONTACTS = -23  # more closed contacts than there is room for
BAD_TAU = -25  # inputs of a controller in machine code that are not finite
UNSETTLED = -24  # a kick that repetition does not find: the step is too long
NO_INERTIA = -50  # minus the row of a coordinate that can move without moving any mass
# and what detection and dynamics answer
