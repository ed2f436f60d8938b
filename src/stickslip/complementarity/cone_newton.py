"""Newton's method on the modes of all contacts at once: which separate, stick, slip is read from g f - u, then held for a step.

    separate   f = 0
    stick      u = 0
    slip       u_n = 0 and u_t along -e, where f = f_n (1, mu e): the unknowns are f_n and the angle of e
    guided     u_n = 0, where f = f_n (1, r): it slides already, or has no friction

A slip's second equation is that u_t has no part across e. Turning e by w / (mu f_n) changes the force by w across e, and turns
the slip of speed s away, so the diagonal gains s / (mu f_n): smooth for every s >= 0, and a stick where s = 0. A singular
system gets the step of least change.
"""

from math import sqrt

from stickslip.complementarity.cone_residual import CONTACT_WIDTH, DYNAMIC, motion, residual
from stickslip.complementarity.least_change import RANK_TOLERANCE, least_change
from stickslip.dynamics.kernel import kernel, routine

# ---- modes -------------------------------------------------------------------------------------------------------------
SEPARATE, STICK, SLIP, GUIDED = 0, 1, 2, 3

# ---- columns of `law`, one row a contact: those of `contacts`, with one coefficient of friction, and --------------------
RAY = CONTACT_WIDTH  # (2) tangential over normal force of a guided contact; NaN where it may turn
LAW_WIDTH = CONTACT_WIDTH + 2

# ---- columns of `table`, one row an unknown --------------------------------------------------------------------------
ROW = 0  # (3) its equation, in the rows of its contact
COLUMN = 3  # (3) its force
EXTRA = 6  # what is added to the diagonal
TABLE_WIDTH = 7

FREE_STEPS = 999  # before a step that does not reduce the residual is shortened
SHORTEST = 0.2
GIVE = 1.0
SOFT_STEPS = 0
EXACT = 1e-15  # a residual that rounding cannot improve


@kernel
def guided(law, i):
    return law[i, RAY] == law[i, RAY]


@kernel
def read_mode(law, g, f, u, i):
    """The mode that the natural map sees in (f, u), and the direction of friction where it slips."""
    n = 3 * i
    load = g[i] * f[n] - u[n]
    if not load > 0.0:
        return SEPARATE, 0.0, 0.0
    if guided(law, i):
        return GUIDED, 0.0, 0.0
    x, y = g[i] * f[n + 1] - u[n + 1], g[i] * f[n + 2] - u[n + 2]
    length = sqrt(x * x + y * y)
    if length <= law[i, DYNAMIC] * load:
        return STICK, 0.0, 0.0
    return SLIP, x / length, y / length


@kernel
def impose_modes(law, g, u, f, modes):
    """Read all modes, and move each force to where its mode has it: to zero, onto its ray, onto the cone."""
    for i in range(modes.size):
        n = 3 * i
        modes[i], x, y = read_mode(law, g, f, u, i)
        if modes[i] == SEPARATE:
            f[n], f[n + 1], f[n + 2] = 0.0, 0.0, 0.0
        elif modes[i] == GUIDED:
            f[n + 1], f[n + 2] = f[n] * law[i, RAY], f[n] * law[i, RAY + 1]
        elif modes[i] == SLIP:
            if not f[n] > 0.0:
                f[n] = f[n] - u[n] / g[i]
            f[n + 1], f[n + 2] = law[i, DYNAMIC] * f[n] * x, law[i, DYNAMIC] * f[n] * y


@kernel
def hold_modes(law, g, u, f, modes):
    """Move each force to where its mode, which is given, has it."""
    for i in range(modes.size):
        n = 3 * i
        if modes[i] == SEPARATE:
            f[n], f[n + 1], f[n + 2] = 0.0, 0.0, 0.0
        elif modes[i] == GUIDED:
            f[n + 1], f[n + 2] = f[n] * law[i, RAY], f[n] * law[i, RAY + 1]
        elif modes[i] == SLIP:
            length = sqrt(f[n + 1] * f[n + 1] + f[n + 2] * f[n + 2])
            x, y = (f[n + 1] / length, f[n + 2] / length) if length > 0.0 else (1.0, 0.0)
            f[n] = abs(f[n]) if f[n] != 0.0 else abs(u[n]) / g[i]
            f[n + 1], f[n + 2] = law[i, DYNAMIC] * f[n] * x, law[i, DYNAMIC] * f[n] * y


@kernel
def put_unknown(table, m, row, column, extra):
    for r in range(3):
        table[m, ROW + r] = row[r]
        table[m, COLUMN + r] = column[r]
    table[m, EXTRA] = extra


@kernel
def list_unknowns(law, u, f, modes, table, owner):
    """One row of the table for each unknown; answers how many."""
    m = 0
    for i in range(modes.size):
        n = 3 * i
        if modes[i] == GUIDED:
            put_unknown(table, m, (1.0, 0.0, 0.0), (1.0, law[i, RAY], law[i, RAY + 1]), 0.0)
            owner[m] = i
            m += 1
        elif modes[i] == STICK:
            put_unknown(table, m, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.0)
            put_unknown(table, m + 1, (0.0, 1.0, 0.0), (0.0, 1.0, 0.0), 0.0)
            put_unknown(table, m + 2, (0.0, 0.0, 1.0), (0.0, 0.0, 1.0), 0.0)
            owner[m], owner[m + 1], owner[m + 2] = i, i, i
            m += 3
        elif modes[i] == SLIP:
            grip = law[i, DYNAMIC] * f[n]
            x, y = f[n + 1] / grip, f[n + 2] / grip
            slip = max(0.0, -(x * u[n + 1] + y * u[n + 2]))
            put_unknown(table, m, (1.0, 0.0, 0.0), (1.0, law[i, DYNAMIC] * x, law[i, DYNAMIC] * y), 0.0)
            put_unknown(table, m + 1, (0.0, -y, x), (0.0, -y, x), slip / grip)
            owner[m], owner[m + 1] = i, i
            m += 2
    return m


@kernel
def assemble(G, g, u, table, owner, m, soft, columns, b, h):
    """The Newton system; every contact is scaled by the root of its compliance, so that heavy and light count alike."""
    for p in range(m):
        j = 3 * owner[p]
        c0, c1, c2 = table[p, COLUMN], table[p, COLUMN + 1], table[p, COLUMN + 2]
        for r in range(u.size):
            h[r] = c0 * G[j, r] + c1 * G[j + 1, r] + c2 * G[j + 2, r]
        scale = 1.0 / sqrt(g[owner[p]])
        for q in range(m):
            i = 3 * owner[q]
            s = table[q, ROW] * h[i] + table[q, ROW + 1] * h[i + 1] + table[q, ROW + 2] * h[i + 2]
            columns[p, q] = s * scale / sqrt(g[owner[q]])
        columns[p, p] += table[p, EXTRA] * scale * scale + soft
        b[p] = -scale * (table[p, ROW] * u[j] + table[p, ROW + 1] * u[j + 1] + table[p, ROW + 2] * u[j + 2])


@kernel
def take_step(law, g, table, owner, m, length, x, modes, f):
    """Forces after the step; a slip's direction turns, and its force stays on the cone."""
    p = 0
    while p < m:
        i = owner[p]
        n = 3 * i
        scale = length / sqrt(g[i])
        if modes[i] == STICK:
            f[n], f[n + 1], f[n + 2] = f[n] + scale * x[p], f[n + 1] + scale * x[p + 1], f[n + 2] + scale * x[p + 2]
            p += 3
        elif modes[i] == GUIDED:
            f[n] += scale * x[p]
            f[n + 1], f[n + 2] = f[n] * law[i, RAY], f[n] * law[i, RAY + 1]
            p += 1
        else:
            mu = law[i, DYNAMIC]
            turn = scale * x[p + 1] / (mu * f[n])
            across_1, across_2 = table[p + 1, ROW + 1], table[p + 1, ROW + 2]
            c, s = across_2 + turn * across_1, turn * across_2 - across_1
            size = sqrt(c * c + s * s)
            f[n] += scale * x[p]
            f[n + 1], f[n + 2] = mu * f[n] * c / size, mu * f[n] * s / size
            p += 2


@routine
def newton(G, c, law, g, f, u, best, modes, table, owner, columns, vectors, held, limit, tolerance):
    """Improve f within `limit` steps; the best forces end up in f, their accelerations in u. Answers (residual, scale).

    It goes on below `tolerance` until rounding stops it. Before every step the modes are read anew, unless they are `held`.
    """
    scale = motion(G, c, f, u)
    now = residual(law, g, f, u, scale)
    least, least_scale = residual(law, g, f, u, scale), scale
    best[:] = f
    b, x, norms, h = vectors[0], vectors[1], vectors[2], vectors[3]
    order = owner[f.size :]
    gram = columns[f.size :]
    for step in range(limit):
        if least <= EXACT:
            break
        if held:
            hold_modes(law, g, u, f, modes)
        else:
            impose_modes(law, g, u, f, modes)
        scale = motion(G, c, f, u)
        m = list_unknowns(law, u, f, modes, table, owner)
        if m > 0:
            assemble(G, g, u, table, owner, m, 0.0 if step < SOFT_STEPS else GIVE * min(now, 1.0), columns, b, h)
            least_change(columns, m, RANK_TOLERANCE, b, norms, order, gram, x)
            norms[:] = f
            length = 1.0
            while True:
                take_step(law, g, table, owner, m, length, x, modes, f)
                scale = motion(G, c, f, u)
                now = residual(law, g, f, u, scale)
                length *= 0.5
                if step < FREE_STEPS or now < least or length < SHORTEST:
                    break
                f[:] = norms
        else:
            now = residual(law, g, f, u, scale)
        if now < least:
            small = least <= tolerance
            slow = now > 0.5 * least
            least, least_scale = now, scale
            best[:] = f
            if small and slow:
                break
        elif least <= tolerance or not now < float("inf"):
            break
    f[:] = best
    motion(G, c, f, u)
    return least, least_scale
