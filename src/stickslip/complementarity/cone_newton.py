"""Newton's method on the modes of all contacts at once: which separate, stick, slip is read from z - w, then held for a step.

    separate   z = 0
    stick      w = 0
    slip       w_n = 0 and w_t along -e, where z = z_n (1, mu e): the unknowns are z_n and the angle of e
    guided     w_n = 0, where z = z_n (1, r): it slides already, or has no friction

A contact with a least normal force rubs with that while it parts, and then sticks or slips with z_n fixed.

A slip's second equation is that w_t has no part across e. Turning e by x / (mu z_n) changes the force by x across e, and turns
the slip of speed s away, so the diagonal gains s / (mu z_n): smooth for every s >= 0, and a stick where s = 0.

Every contact also gives way by itself, in proportion to what is still violated: that shortens steps while modes are wrong,
and vanishes with the error. A singular system gets the step of least change.
"""

from math import hypot

from stickslip.complementarity.cone_residual import CONTACT_WIDTH, DYNAMIC, motion, ratio, residual_of, worst_violation
from stickslip.complementarity.kernel import kernel, routine
from stickslip.complementarity.least_change import RANK_TOLERANCE, least_change

# ---- modes -------------------------------------------------------------------------------------------------------------
SEPARATE, STICK, SLIP, GUIDED = 0, 1, 2, 3
PART_STICK, PART_SLIP = 4, 5  # with the least normal force

# ---- columns of `law`, one row a contact: those of `contacts`, with one coefficient of friction, and --------------------
RAY = CONTACT_WIDTH  # (2) tangential over normal force of a guided contact; NaN where it may turn
LAW_WIDTH = CONTACT_WIDTH + 2

# ---- columns of `table`, one row an unknown --------------------------------------------------------------------------
ROW = 0  # (3) its equation, in the rows of its contact
COLUMN = 3  # (3) its force
EXTRA = 6  # what is added to the diagonal
TABLE_WIDTH = 7

# ---- rows of `vectors` that belong to a step -----------------------------------------------------------------------------
RIGHT, STEP, NORMS, FORCED = 0, 1, 2, 3  # the last is what one unknown does to all rows
NEWTON_VECTORS = 4

GIVE = 0.3  # violation, relative to the largest term, that becomes compliance; without any, four times as many starts fail
STEPS = 40  # from one start: with 12 four times as many fail, with 60 hardly fewer
NEARLY_SINGULAR = 1e-9  # in place of RANK_TOLERANCE below the tolerance: there round-off is all that such columns would add
EXACT = 1e-15  # a residual that rounding cannot improve
PATIENCE = 2  # steps that do not halve a residual below the tolerance, before it is left as it is
GROWTH = 2.0  # of the largest term below the tolerance, beyond which a smaller residual is not worth it


@kernel
def copy(source, target):
    for i in range(target.size):
        target[i] = source[i]


@kernel
def guided(law, i):
    return law[i, RAY] == law[i, RAY]


@kernel
def read_mode(law, least, z, w, i):
    """The mode that the natural map sees in (z, w), and the direction of friction where it slips."""
    n = 3 * i
    load = z[n] - w[n]
    parts = not load > least[n]
    if parts and (least[n] == 0.0 or guided(law, i)):
        return SEPARATE, 0.0, 0.0
    if guided(law, i):
        return GUIDED, 0.0, 0.0
    x, y = z[n + 1] - w[n + 1], z[n + 2] - w[n + 2]
    length = hypot(x, y)
    if length <= law[i, DYNAMIC] * max(load, least[n]):
        return PART_STICK if parts else STICK, 0.0, 0.0
    return PART_SLIP if parts else SLIP, x / length, y / length


@kernel
def read_modes(law, least, z, w, modes):
    for i in range(modes.size):
        modes[i], _, _ = read_mode(law, least, z, w, i)


@kernel
def slope(z, i):
    """The direction of the tangential force, any if there is none."""
    length = hypot(z[3 * i + 1], z[3 * i + 2])
    return (z[3 * i + 1] / length, z[3 * i + 2] / length) if length > 0.0 else (1.0, 0.0)


@kernel
def impose_modes(law, least, w, z, modes, held):
    """Read all modes unless they are held, and move forces to where they have them: to the least, onto the ray or the cone."""
    for i in range(modes.size):
        n = 3 * i
        if held:
            x, y = slope(z, i)
        else:
            modes[i], x, y = read_mode(law, least, z, w, i)
        if modes[i] == SEPARATE or modes[i] == PART_STICK or modes[i] == PART_SLIP:
            z[n] = least[n]
        if modes[i] == SEPARATE and z[n] == 0.0:
            z[n + 1], z[n + 2] = 0.0, 0.0
        elif modes[i] == SEPARATE or modes[i] == GUIDED:
            z[n + 1], z[n + 2] = z[n] * law[i, RAY], z[n] * law[i, RAY + 1]
        elif modes[i] == SLIP or modes[i] == PART_SLIP:
            if not z[n] > 0.0:
                z[n] = abs(z[n] - w[n])
            z[n + 1], z[n + 2] = law[i, DYNAMIC] * z[n] * x, law[i, DYNAMIC] * z[n] * y


@kernel
def put_unknown(table, m, row, column, extra):
    for r in range(3):
        table[m, ROW + r] = row[r]
        table[m, COLUMN + r] = column[r]
    table[m, EXTRA] = extra


@kernel
def list_unknowns(law, w, z, modes, table, owner):
    """One row of the table for each unknown; answers how many."""
    m = 0
    for i in range(modes.size):
        n = 3 * i
        if modes[i] == GUIDED:
            put_unknown(table, m, (1.0, 0.0, 0.0), (1.0, law[i, RAY], law[i, RAY + 1]), 0.0)
            owner[m] = i
            m += 1
        elif modes[i] == STICK or modes[i] == PART_STICK:
            if modes[i] == STICK:
                put_unknown(table, m, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.0)
                owner[m] = i
                m += 1
            put_unknown(table, m, (0.0, 1.0, 0.0), (0.0, 1.0, 0.0), 0.0)
            put_unknown(table, m + 1, (0.0, 0.0, 1.0), (0.0, 0.0, 1.0), 0.0)
            owner[m], owner[m + 1] = i, i
            m += 2
        elif modes[i] == SLIP or modes[i] == PART_SLIP:
            grip = law[i, DYNAMIC] * z[n]
            x, y = z[n + 1] / grip, z[n + 2] / grip
            slip = max(0.0, -(x * w[n + 1] + y * w[n + 2]))
            if modes[i] == SLIP:
                put_unknown(table, m, (1.0, 0.0, 0.0), (1.0, law[i, DYNAMIC] * x, law[i, DYNAMIC] * y), 0.0)
                owner[m] = i
                m += 1
            put_unknown(table, m, (0.0, -y, x), (0.0, -y, x), slip / grip)
            owner[m] = i
            m += 1
    return m


@kernel
def assemble(H, w, table, owner, m, softness, columns, vectors):
    """The Newton system of m unknowns, with `softness` in its diagonal."""
    for p in range(m):
        j = 3 * owner[p]
        c0, c1, c2 = table[p, COLUMN], table[p, COLUMN + 1], table[p, COLUMN + 2]
        for r in range(w.size):
            vectors[FORCED, r] = c0 * H[j, r] + c1 * H[j + 1, r] + c2 * H[j + 2, r]
        for q in range(m):
            i = 3 * owner[q]
            forced = table[q, ROW] * vectors[FORCED, i]
            forced += table[q, ROW + 1] * vectors[FORCED, i + 1] + table[q, ROW + 2] * vectors[FORCED, i + 2]
            columns[p, q] = forced
        columns[p, p] += table[p, EXTRA] + softness
        vectors[RIGHT, p] = -(table[p, ROW] * w[j] + table[p, ROW + 1] * w[j + 1] + table[p, ROW + 2] * w[j + 2])


@kernel
def take_step(law, table, owner, m, modes, step, z):
    """Forces after the step; a slip's direction turns, and its force stays on the cone."""
    p = 0
    while p < m:
        i = owner[p]
        n = 3 * i
        grip = law[i, DYNAMIC] * z[n]
        if modes[i] == STICK or modes[i] == SLIP or modes[i] == GUIDED:
            z[n] += step[p]
            p += 1
        if modes[i] == GUIDED:
            z[n + 1], z[n + 2] = z[n] * law[i, RAY], z[n] * law[i, RAY + 1]
        elif modes[i] == STICK or modes[i] == PART_STICK:
            z[n + 1], z[n + 2] = z[n + 1] + step[p], z[n + 2] + step[p + 1]
            p += 2
        else:
            turn, across_1, across_2 = step[p] / grip, table[p, ROW + 1], table[p, ROW + 2]
            x, y = across_2 + turn * across_1, turn * across_2 - across_1
            length = hypot(x, y)
            z[n + 1], z[n + 2] = law[i, DYNAMIC] * z[n] * x / length, law[i, DYNAMIC] * z[n] * y / length
            p += 1


@kernel
def newton_step(H, d, least, root, law, z, w, modes, table, owner, columns, vectors, held, softness, cutoff):
    """One step from z. Answers what `motion` there answers."""
    impose_modes(law, least, w, z, modes, held)
    motion(H, d, least, root, z, w)
    m = list_unknowns(law, w, z, modes, table, owner)
    if m > 0:
        assemble(H, w, table, owner, m, softness, columns, vectors)
        order, gram, step = owner[z.size :], columns[z.size :], vectors[STEP]
        least_change(columns, m, cutoff, vectors[RIGHT], vectors[NORMS], order, gram, step)
        take_step(law, table, owner, m, modes, step, z)
    return motion(H, d, least, root, z, w)


@routine
def newton(H, d, least, root, law, reach, z, w, best, modes, table, owner, columns, vectors, held, tolerance):
    """Improve z; the best forces end up in it, with their accelerations in w and their modes. Answers the residual.

    Modes are read anew before every step, unless those that are given are `held`. It goes on below `tolerance` until rounding
    stops it.
    """
    given, largest = motion(H, d, least, root, z, w)
    worst = worst_violation(law, least, root, z, w)
    lowest = residual_of(worst, given, largest, reach)
    copy(z, best)
    kept, idle = largest, 0
    for _ in range(STEPS):
        if lowest <= EXACT or idle > PATIENCE:
            break
        softness, cutoff = GIVE * min(1.0, ratio(worst, max(given, largest))), RANK_TOLERANCE
        if lowest <= tolerance:
            softness, cutoff = 0.0, NEARLY_SINGULAR
        given, largest = newton_step(
            H, d, least, root, law, z, w, modes, table, owner, columns, vectors, held, softness, cutoff
        )
        worst = worst_violation(law, least, root, z, w)
        now = residual_of(worst, given, largest, reach)
        if not largest < float("inf"):
            break
        idle = idle + 1 if lowest <= tolerance and now > 0.5 * lowest else 0
        if now < lowest and (lowest > tolerance or largest <= max(GROWTH * kept, reach)):
            lowest, kept = now, largest
            copy(z, best)
    copy(best, z)
    motion(H, d, least, root, z, w)
    read_modes(law, least, z, w, modes)
    return lowest
