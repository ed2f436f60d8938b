"""The search for forces in Coulomb's cones: Newton's method from one start after the other, cheap ones first.

Sticking contacts may use static friction: all begin with it, and a contact that slips all the same goes on with dynamic
friction, which can only make more of them slip; so it ends after a round for each contact.
"""

from math import sqrt

from stickslip.complementarity.cone_newton import RAY, SLIP, STICK, guided, newton
from stickslip.complementarity.cone_path import follow_path, start_path
from stickslip.complementarity.cone_residual import (
    DYNAMIC,
    SLIDE,
    STATIC,
    compliances,
    motion,
    residual,
    slides,
)
from stickslip.complementarity.cone_single import one_contact
from stickslip.dynamics.kernel import entry, kernel, routine

NEWTON_STEPS = 40  # from one start

# Starts, in this order: the guess, no force, forces after some sweeps and after more of them, points along the viscous path.
GUESS, NOTHING, FIRST_SWEEPS, FIRST_PATH, LAST_START = 0, 1, 2, 4, 19
SWEEPS = 3  # before the first start that needs them; four times as many before the next
PATH_STEPS = 3  # between two points of the path
HARDENING = 0.5  # of the path in one step

NO, YES, ONLY = 0, 1, 2  # whether there is a guess

# ---- what the entry answers, and the columns of its report -------------------------------------------------------------
SOLVED, UNDECIDED, NOT_FINITE, NOT_SYMMETRIC = 0, 1, 2, 3
RESIDUAL, SCALE, START = 0, 1, 2
REPORT_WIDTH = 3

SYMMETRY = 1e-9  # how far entries of G may be from their mirror images, compared with its largest

VECTORS = 12  # rows of `vectors`: four for Newton's method, then these
ACCELERATION, BEST, SWEPT, COMPLIANCE, FORCE, GAP, SOFT, RISE = 4, 5, 6, 7, 8, 9, 10, 11


@entry
def solve_cone_into(G, c, contacts, guessed, tolerance, f, u, modes, law, table, owner, columns, vectors, directions, report):
    """Forces f and accelerations u (3k,) of k contacts; f is a guess to begin with unless `guessed` is NO, and all with ONLY.

    Answers SOLVED, UNDECIDED or what is wrong with G and c. Scratch: modes (k,) and owner (6k,) int64, law (k, LAW_WIDTH),
    table (3k, TABLE_WIDTH), columns (6k, 3k), vectors (VECTORS, 3k), directions (MOST_SLIPS, 2), report (REPORT_WIDTH,).
    """
    report[RESIDUAL], report[SCALE], report[START] = float("inf"), 0.0, 0.0
    wrong = flaw(G, c)
    if wrong != SOLVED:
        return wrong
    k = contacts.shape[0]
    g = vectors[COMPLIANCE][:k]
    compliances(G, g)
    for i in range(k):
        write_law(contacts, True, law, i)
    start = NOTHING if guessed == NO else GUESS
    last = GUESS if guessed == ONLY else LAST_START
    for _ in range(k + 1):
        least, begun = search(G, c, law, start, last, f, modes, g, tolerance, table, owner, columns, vectors, directions)
        report[START] = max(report[START], begun)
        if not let_slip(contacts, law, modes, least <= tolerance):
            break
        start = GUESS
    scale = motion(G, c, f, u)
    report[RESIDUAL], report[SCALE] = residual(contacts, g, f, u, scale), scale
    return SOLVED if report[RESIDUAL] <= tolerance else UNDECIDED


@entry
def hold_cone_modes_into(G, c, contacts, tolerance, f, u, modes, law, table, owner, columns, vectors, directions, report):
    """As `solve_cone_into`, but with the modes as they are given, and from one start only: the forces f."""
    k = contacts.shape[0]
    g = vectors[COMPLIANCE][:k]
    compliances(G, g)
    for i in range(k):
        write_law(contacts, modes[i] == STICK, law, i)
    best = vectors[BEST]
    newton(G, c, law, g, f, u, best, modes, table, owner, columns, vectors, True, 2 * NEWTON_STEPS, tolerance)
    scale = motion(G, c, f, u)
    report[RESIDUAL], report[SCALE] = residual(contacts, g, f, u, scale), scale
    return SOLVED if report[RESIDUAL] <= tolerance else UNDECIDED


@kernel
def flaw(G, c):
    """Whether G is finite and symmetric and c finite."""
    largest = 0.0
    for i in range(c.size):
        if not abs(c[i]) < float("inf"):
            return NOT_FINITE
        for j in range(c.size):
            if not abs(G[i, j]) < float("inf"):
                return NOT_FINITE
            largest = max(largest, abs(G[i, j]))
    for i in range(c.size):
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
        if law[i, DYNAMIC] > contacts[i, DYNAMIC] and (modes[i] == SLIP or not solved):
            write_law(contacts, False, law, i)
            changed = True
    return changed


@routine
def search(G, c, law, first, last, f, modes, g, tolerance, table, owner, columns, vectors, directions):
    """A solution under one law. Answers its residual, and the start that led there."""
    u, best, swept, rise = vectors[ACCELERATION], vectors[BEST], vectors[SWEPT], vectors[RISE]
    z, v, soft = vectors[FORCE], vectors[GAP], vectors[SOFT]
    swept[:] = 0.0
    size, tau, least = 0.0, 1.0, float("inf")
    for start in range(first, last + 1):
        if start == FIRST_PATH:
            size = start_path(c, g, z, v)
        if start >= FIRST_PATH:
            for _ in range(PATH_STEPS):
                tau = follow_path(G, c, law, g, tau, HARDENING, size, z, v, soft, swept, rise, owner, columns, vectors)
            for j in range(c.size):
                f[j] = z[j] / sqrt(g[j // 3])
        elif start >= FIRST_SWEEPS:
            for _ in range(SWEEPS * 4 ** (start - FIRST_SWEEPS)):
                sweep(G, c, law, swept, directions)
            f[:] = swept
        elif start == NOTHING:
            f[:] = 0.0
        least, _ = newton(G, c, law, g, f, u, best, modes, table, owner, columns, vectors, False, NEWTON_STEPS, tolerance)
        if least <= tolerance:
            return least, start
    return least, last


@routine
def sweep(G, c, law, f, directions):
    """Solve one contact after the other, the others' forces held; what has no solution by itself keeps its force."""
    for i in range(law.shape[0]):
        n = 3 * i
        x, y, z = without_itself(G, c, f, n)
        if guided(law, i):
            pull = G[n, n] + law[i, RAY] * G[n, n + 1] + law[i, RAY + 1] * G[n, n + 2]
            if x >= 0.0 or pull > 0.0:
                f[n] = 0.0 if x >= 0.0 else -x / pull
                f[n + 1], f[n + 2] = f[n] * law[i, RAY], f[n] * law[i, RAY + 1]
        else:
            one_contact(G, i, x, y, z, law[i, DYNAMIC], f, directions)


@kernel
def without_itself(G, c, f, n):
    """The accelerations in the three rows from n on, without the part of the contact's own force."""
    x, y, z = c[n], c[n + 1], c[n + 2]
    for j in range(f.size):
        if j < n or j > n + 2:
            x += G[n, j] * f[j]
            y += G[n + 1, j] * f[j]
            z += G[n + 2, j] * f[j]
    return x, y, z
