"""One contact by itself in space: all solutions of u = G f + c with Coulomb's law, G (3, 3).

It separates (f = 0), sticks (u = 0), or slips against a direction e with f = f_n (1, mu e), u_n = 0 and u_t along -e. The
last leaves one unknown, the angle of e, and one equation, that u_t has no part across e; times (G_nn + mu G_nt . e) it is

    a0 + a1 cos + b1 sin + a2 cos 2 + b2 sin 2 = 0

of which all zeros are found: in t = tan(angle / 2) it is a quartic on [-1, 1], once for either half of the circle, and between
neighbouring zeros of its derivative a polynomial has at most one zero.
"""

from math import sqrt

from stickslip.dynamics.kernel import kernel, routine

MOST_SLIPS = 10  # rows for the angles that `slip_directions` finds, some of them twice
BISECTIONS = 60
TOUCHING = 1e-12  # a polynomial that comes this near to zero, compared with its coefficients, without crossing it touches


@kernel
def slip_polynomial(G, n, x, y, z, mu):
    """(a0, a1, b1, a2, b2) of the contact whose block of G begins at row n, with c = (x, y, z), normal first."""
    nn, n1, n2 = G[n, n], G[n, n + 1], G[n, n + 2]
    t11, t12, t22 = G[n + 1, n + 1], G[n + 1, n + 2], G[n + 2, n + 2]
    a0 = 0.5 * mu * (z * n1 - y * n2)
    a1 = nn * z - x * n2
    b1 = x * n1 - nn * y
    a2 = 0.5 * mu * (z * n1 + y * n2) - x * mu * t12
    b2 = 0.5 * mu * (z * n2 - y * n1) - 0.5 * x * mu * (t22 - t11)
    return a0, a1, b1, a2, b2


@routine
def slip_directions(a0, a1, b1, a2, b2, directions):
    """Unit vectors (cos, sin) at which the trigonometric polynomial is zero, one a row; answers how many."""
    count = 0
    for half in range(2):
        sign = 1.0 - 2.0 * half
        c0, c1, c2 = a0 + sign * a1 + a2, 2.0 * sign * b1 + 4.0 * b2, 2.0 * a0 - 6.0 * a2
        c3, c4 = 2.0 * sign * b1 - 4.0 * b2, a0 - sign * a1 + a2
        found = count
        count = _quartic_zeros(c0, c1, c2, c3, c4, directions, count)
        for k in range(found, count):
            t = directions[k, 0]
            directions[k, 0] = sign * (1.0 - t * t) / (1.0 + t * t)
            directions[k, 1] = sign * 2.0 * t / (1.0 + t * t)
    return count


@kernel
def _quartic_zeros(c0, c1, c2, c3, c4, out, count):
    """Zeros on [-1, 1] are added to the first column of `out`."""
    size = max(abs(c0), abs(c1), abs(c2), abs(c3), abs(c4))
    if size == 0.0:
        return count
    p, q = _quadratic_zeros(2.0 * c2, 6.0 * c3, 12.0 * c4)
    d, e, f = _cubic_zeros(c1, 2.0 * c2, 3.0 * c3, 4.0 * c4, p, q)
    tiny = TOUCHING * size
    low, below = -1.0, _value(c0, c1, c2, c3, c4, -1.0)
    if below == 0.0:
        out[count, 0] = low
        count += 1
    for high in (d, e, f, 1.0):
        above = _value(c0, c1, c2, c3, c4, high)
        if below * above < 0.0:
            out[count, 0] = _bracketed(c0, c1, c2, c3, c4, low, high, below)
            count += 1
        elif abs(above) <= tiny and high < 1.0 and (count == 0 or out[count - 1, 0] != high):
            out[count, 0] = high
            count += 1
        low, below = high, above
    return count


@kernel
def _quadratic_zeros(c0, c1, c2):
    """Both zeros, clipped to [-1, 1] and in order; 1 stands for what is missing."""
    discriminant = c1 * c1 - 4.0 * c2 * c0
    if discriminant < 0.0:
        return 1.0, 1.0
    half = -0.5 * (c1 + (sqrt(discriminant) if c1 >= 0.0 else -sqrt(discriminant)))
    p = half / c2 if abs(c2) > abs(half) else (1.0 if half * c2 >= 0.0 else -1.0)
    q = c0 / half if abs(half) > abs(c0) else (1.0 if half * c0 >= 0.0 else -1.0)
    return min(p, q), max(p, q)


@kernel
def _cubic_zeros(c0, c1, c2, c3, p, q):
    """The zeros between -1, p, q and 1 where the cubic changes its sign, in order; the upper end stands for what is missing."""
    value, at_p, at_q = _value(c0, c1, c2, c3, 0.0, -1.0), _value(c0, c1, c2, c3, 0.0, p), _value(c0, c1, c2, c3, 0.0, q)
    d = _bracketed(c0, c1, c2, c3, 0.0, -1.0, p, value) if value * at_p < 0.0 else p
    e = _bracketed(c0, c1, c2, c3, 0.0, p, q, at_p) if at_p * at_q < 0.0 else q
    f = _bracketed(c0, c1, c2, c3, 0.0, q, 1.0, at_q) if at_q * _value(c0, c1, c2, c3, 0.0, 1.0) < 0.0 else 1.0
    return d, e, f


@kernel
def _value(c0, c1, c2, c3, c4, t):
    return c0 + t * (c1 + t * (c2 + t * (c3 + t * c4)))


@routine
def _bracketed(c0, c1, c2, c3, c4, low, high, below):
    """The zero between `low`, where the value is `below`, and `high`: Newton's step where it stays inside, else a bisection."""
    t = 0.5 * (low + high)
    for _ in range(BISECTIONS):
        value = _value(c0, c1, c2, c3, c4, t)
        if value * below > 0.0:
            low = t
        else:
            high = t
        slope = c1 + t * (2.0 * c2 + t * (3.0 * c3 + t * 4.0 * c4))
        step = t - value / slope if slope != 0.0 else low
        after = step if low < step < high else 0.5 * (low + high)
        if abs(after - t) <= 1e-16 or value == 0.0:
            return t
        t = after
    return t


@kernel
def slip_load(G, n, x, y, z, mu, cosine, sine):
    """(f_n, s) of a slip with friction along (cosine, sine): u_t = -s (cosine, sine). There is none unless f_n > 0 and s >= 0."""
    load = -x / (G[n, n] + mu * (G[n, n + 1] * cosine + G[n, n + 2] * sine))
    first = y + load * (G[n + 1, n] + mu * (G[n + 1, n + 1] * cosine + G[n + 1, n + 2] * sine))
    second = z + load * (G[n + 2, n] + mu * (G[n + 2, n + 1] * cosine + G[n + 2, n + 2] * sine))
    return load, -(first * cosine + second * sine)


@kernel
def stick_force(G, n, x, y, z):
    """(known, f_n, f_1, f_2) with G f = -c; not known where G is singular."""
    a, b, c = G[n, n], G[n, n + 1], G[n, n + 2]
    d, e, f = G[n + 1, n + 1], G[n + 1, n + 2], G[n + 2, n + 2]
    p, q, r = d * f - e * e, c * e - b * f, b * e - c * d
    determinant = a * p + b * q + c * r
    if not determinant > 1e-12 * a * d * f:
        return False, 0.0, 0.0, 0.0
    s = -1.0 / determinant
    t, v, w = a * f - c * c, b * c - a * e, a * d - b * b
    return True, s * (p * x + q * y + r * z), s * (q * x + t * y + v * z), s * (r * x + v * y + w * z)


@routine
def one_contact(G, i, x, y, z, mu, f, directions):
    """A solution of contact i alone, c = (x, y, z), into f: separate, else stick, else slip as near as can be to the force that
    would hold it. False where there is none, and f is left alone.
    """
    n = 3 * i
    if x >= 0.0:
        f[n], f[n + 1], f[n + 2] = 0.0, 0.0, 0.0
        return True
    known, normal, first, second = stick_force(G, n, x, y, z)
    if known and normal > 0.0 and first * first + second * second <= (mu * normal) ** 2:
        f[n], f[n + 1], f[n + 2] = normal, first, second
        return True
    if not known:
        first, second = -y, -z
    a0, a1, b1, a2, b2 = slip_polynomial(G, n, x, y, z, mu)
    best = -float("inf")
    for k in range(slip_directions(a0, a1, b1, a2, b2, directions)):
        cosine, sine = directions[k, 0], directions[k, 1]
        load, slip = slip_load(G, n, x, y, z, mu, cosine, sine)
        near = cosine * first + sine * second
        if 0.0 < load < float("inf") and slip >= 0.0 and near > best:
            best = near
            f[n], f[n + 1], f[n + 2] = load, mu * load * cosine, mu * load * sine
    return best > -float("inf")
