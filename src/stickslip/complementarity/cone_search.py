"""The search for forces in Coulomb's cones: Newton's method from one start after the other, cheap ones first.

Sticking contacts may use static friction: all begin with it, and a contact that slips all the same goes on with dynamic
friction, which can only make more of them slip; so it ends after a round for each contact.
"""

from stickslip.complementarity.cone_newton import NEWTON_VECTORS, PART_SLIP, RAY, SLIP, copy, newton
from stickslip.complementarity.cone_path import follow_path, start_path
from stickslip.complementarity.cone_residual import (
    DYNAMIC,
    SLIDE,
    STATIC,
    motion,
    reach_of,
    residual_of,
    scale_of,
    slides,
    worst_violation,
)
from stickslip.complementarity.cone_units import (
    accelerations_with_units,
    forces_with_units,
    forces_without_units,
    without_units,
)
from stickslip.complementarity.kernel import entry, kernel, routine

# Starts, in this order: the guess, no force, points along the viscous path, then along paths with larger and larger forces.
# Of 60,000 random problems with 1 to 12 contacts that have a solution 1535 needed a path, 36 more than one, 2 a pyramid.
GUESS, NOTHING, FIRST_PATH = 0, 1, 2
PATHS = 6
GROWTH = 30.0  # of the forces from one path to the next: some of what is nearly jammed is held by forces of 1e6 times the drift
POINTS = 16  # of a path, where the last ones hardly differ from its end
PATH_STEPS = 3  # between two points of a path
LAST_START = FIRST_PATH + PATHS * POINTS - 1

# Whether there is a guess: none, forces to begin with, nothing but them, and nothing but them and their modes.
NO, YES, ONLY, HELD = 0, 1, 2, 3

# ---- what the entry answers, and the columns of its report -------------------------------------------------------------
SOLVED, UNDECIDED, NOT_FINITE, NOT_SYMMETRIC, NOT_POSITIVE, OUT_OF_RANGE = 0, 1, 2, 3, 4, 5
RESIDUAL, SCALE, START, UNIT = 0, 1, 2, 3
REPORT_WIDTH = 4

SYMMETRY = 1e-9  # how far entries of G may be from their mirror images, compared with its largest
LARGEST = 1e100  # number that G or c may hold; the largest of each must not be smaller than its inverse

# ---- rows of `vectors` after those of Newton's method ------------------------------------------------------------------
DRIFT, ROOT, FORCE, ACCELERATION, BEST, PATH, GAP, SOFT, RISE, TRAIL, LEAST = range(NEWTON_VECTORS, NEWTON_VECTORS + 11)
VECTORS = NEWTON_VECTORS + 11


@entry
def solve_cone_into(G, c, given, contacts, guessed, tolerance, f, u, modes, law, table, owner, H, columns, vectors, report):
    """Forces f and accelerations u (3k,) of k contacts, and their `modes`; f and modes may be a guess, as `guessed` says.

    `given` (3k,) are the least normal forces, zero in tangential rows; c is the motion under them, and f contains them.
    Answers SOLVED, UNDECIDED or what is wrong with G and c. ONLY and HELD know no static friction.
    Scratch: modes (k,) and owner (6k,) int64, law (k, LAW_WIDTH), table (3k, TABLE_WIDTH), H (3k, 3k), columns (6k, 3k),
    vectors (VECTORS, 3k), report (REPORT_WIDTH,).
    """
    report[RESIDUAL], report[SCALE], report[START] = float("inf"), 0.0, 0.0
    wrong = flaw(G, c)
    if wrong != SOLVED:
        return wrong
    k = contacts.shape[0]
    d, least, root, z, w = vectors[DRIFT], vectors[LEAST], vectors[ROOT][:k], vectors[FORCE], vectors[ACCELERATION]
    unit = without_units(G, c, H, d, root)
    forces_without_units(given, unit, root, least)
    forces_without_units(f, unit, root, z)
    alone = guessed == ONLY or guessed == HELD
    for i in range(k):
        write_law(contacts, not alone, law, i)
    reach = reach_of(law, d, least, root)
    start, last = NOTHING if guessed == NO else GUESS, GUESS if alone else LAST_START
    for _ in range(k + 1):
        reached, begun = search(
            H, d, least, root, law, reach, start, last, guessed == HELD, z, w, modes, tolerance, table, owner, columns, vectors
        )
        report[START] = max(report[START], begun)
        if not let_slip(contacts, law, modes, reached <= tolerance):
            break
        start = GUESS
    forces_with_units(z, unit, root, f)
    judge(H, d, least, contacts, root, reach, unit, f, z, w, u, report)
    return SOLVED if report[RESIDUAL] <= tolerance else UNDECIDED


@kernel
def judge(H, d, least, contacts, root, reach, unit, f, z, w, u, report):
    """The accelerations u under forces f as they are given away, which may have become too large or too small for a number."""
    forces_without_units(f, unit, root, z)
    given, largest = motion(H, d, least, root, z, w)
    worst = worst_violation(contacts, least, root, z, w)
    finite = accelerations_with_units(w, unit, root, u)
    report[RESIDUAL] = residual_of(worst, given, largest, reach) if finite else float("inf")
    report[SCALE], report[UNIT] = scale_of(given, largest) * unit, unit


@kernel
def flaw(G, c):
    """What is wrong with G and c, SOLVED if nothing is."""
    largest, drift = 0.0, 0.0
    for i in range(c.size):
        if not abs(c[i]) < float("inf"):
            return NOT_FINITE
        drift = max(drift, abs(c[i]))
        for j in range(c.size):
            if not abs(G[i, j]) < float("inf"):
                return NOT_FINITE
            largest = max(largest, abs(G[i, j]))
    if max(largest, drift) > LARGEST or 0.0 < largest < 1.0 / LARGEST or 0.0 < drift < 1.0 / LARGEST:
        return OUT_OF_RANGE
    for i in range(c.size):
        if G[i, i] < 0.0:
            return NOT_POSITIVE
        for j in range(i):
            if abs(G[i, j] - G[j, i]) > SYMMETRY * largest:
                return NOT_SYMMETRIC
    return SOLVED


@kernel
def write_law(contacts, static, law, i):
    """Contact i with its static or its dynamic friction; one that slides, or has no friction, keeps its force on a ray."""
    mu = contacts[i, STATIC if static and not slides(contacts, i) else DYNAMIC]
    law[i, STATIC], law[i, DYNAMIC] = mu, mu
    law[i, SLIDE], law[i, SLIDE + 1] = contacts[i, SLIDE], contacts[i, SLIDE + 1]
    if slides(contacts, i):
        law[i, RAY], law[i, RAY + 1] = -mu * contacts[i, SLIDE], -mu * contacts[i, SLIDE + 1]
    elif mu == 0.0:
        law[i, RAY], law[i, RAY + 1] = 0.0, 0.0
    else:
        law[i, RAY], law[i, RAY + 1] = float("nan"), float("nan")


@kernel
def let_slip(contacts, law, modes, solved):
    """Dynamic friction for what slips under more, or for all where no solution was found; False if nothing changes."""
    changed = False
    for i in range(modes.size):
        if law[i, DYNAMIC] > contacts[i, DYNAMIC] and (modes[i] == SLIP or modes[i] == PART_SLIP or not solved):
            write_law(contacts, False, law, i)
            changed = True
    return changed


@routine
def search(H, d, least, root, law, reach, first, last, held, z, w, modes, tolerance, table, owner, columns, vectors):
    """A solution under one law. Answers the residual that was reached, and the start that led there."""
    reached = float("inf")
    for start in range(first, last + 1):
        put_start(H, d, least, law, start, z, owner, columns, vectors)
        reached = newton(
            H, d, least, root, law, reach, z, w, vectors[BEST], modes, table, owner, columns, vectors, held, tolerance
        )
        if reached <= tolerance:
            return reached, start
    return reached, last


@kernel
def put_start(H, d, least, law, start, z, owner, columns, vectors):
    """Forces to start from, into z."""
    if start == NOTHING:
        copy(least, z)
    elif start >= FIRST_PATH:
        path, gap, trail = vectors[PATH], vectors[GAP][: law.shape[0]], vectors[TRAIL]
        if (start - FIRST_PATH) % POINTS == 0:
            start_path(GROWTH ** ((start - FIRST_PATH) // POINTS), least, path, gap, trail)
        for _ in range(PATH_STEPS):
            follow_path(H, d, least, law, path, gap, vectors[SOFT], vectors[RISE], trail, owner, columns, vectors)
        copy(path, z)
