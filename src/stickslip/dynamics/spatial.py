"""The vocabulary of 6D mechanics: motions, forces and inertias as tuples, about one point that all of them share.

A motion is (angular velocity, velocity of the body point at the shared point), a force is (moment about it, force). The
inertia of a rigid body is 10 numbers, (mass, mass times centre, moments about the shared point xx yy zz xy xz yz); an
articulated inertia is a symmetric 6x6 matrix, 21 numbers, row by row from the diagonal on.

Rows of arrays are read by get… and written by put…, with a column at which to start: slicing would cost more than the
arithmetic.
"""

from stickslip.dynamics.kernel import kernel


@kernel
def get3(rows, i, c):
    return rows[i, c], rows[i, c + 1], rows[i, c + 2]


@kernel
def put3(rows, i, c, x):
    rows[i, c] = x[0]
    rows[i, c + 1] = x[1]
    rows[i, c + 2] = x[2]


@kernel
def get6(rows, i, c):
    return rows[i, c], rows[i, c + 1], rows[i, c + 2], rows[i, c + 3], rows[i, c + 4], rows[i, c + 5]


@kernel
def put6(rows, i, c, x):
    rows[i, c] = x[0]
    rows[i, c + 1] = x[1]
    rows[i, c + 2] = x[2]
    rows[i, c + 3] = x[3]
    rows[i, c + 4] = x[4]
    rows[i, c + 5] = x[5]


@kernel
def get9(rows, i, c):
    return get6(rows, i, c) + get3(rows, i, c + 6)


@kernel
def put9(rows, i, c, x):
    put6(rows, i, c, x)
    rows[i, c + 6] = x[6]
    rows[i, c + 7] = x[7]
    rows[i, c + 8] = x[8]


@kernel
def get10(rows, i, c):
    return get9(rows, i, c) + (rows[i, c + 9],)


@kernel
def put10(rows, i, c, x):
    put9(rows, i, c, x)
    rows[i, c + 9] = x[9]


@kernel
def get21(rows, i, c):
    return get9(rows, i, c) + get9(rows, i, c + 9) + get3(rows, i, c + 18)


@kernel
def put21(rows, i, c, x):
    put9(rows, i, c, x)
    put9(rows, i, c + 9, x[9:18])
    put3(rows, i, c + 18, x[18:21])


@kernel
def add(x, y):
    return x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3], x[4] + y[4], x[5] + y[5]


@kernel
def scale(x, s):
    return x[0] * s, x[1] * s, x[2] * s, x[3] * s, x[4] * s, x[5] * s


@kernel
def dot(x, y):
    # sums in pairs: recursions along a chain wait for each of them, and this one is ready sooner
    return (x[0] * y[0] + x[1] * y[1]) + (x[2] * y[2] + x[3] * y[3]) + (x[4] * y[4] + x[5] * y[5])


@kernel
def cross_motion(v, m):
    """v x m: how the motion m changes when it is carried along by v."""
    return (
        v[1] * m[2] - v[2] * m[1],
        v[2] * m[0] - v[0] * m[2],
        v[0] * m[1] - v[1] * m[0],
        v[1] * m[5] - v[2] * m[4] + v[4] * m[2] - v[5] * m[1],
        v[2] * m[3] - v[0] * m[5] + v[5] * m[0] - v[3] * m[2],
        v[0] * m[4] - v[1] * m[3] + v[3] * m[1] - v[4] * m[0],
    )


@kernel
def cross_force(v, f):
    """v x* f: how the force f changes when it is carried along by v."""
    return (
        v[1] * f[2] - v[2] * f[1] + v[4] * f[5] - v[5] * f[4],
        v[2] * f[0] - v[0] * f[2] + v[5] * f[3] - v[3] * f[5],
        v[0] * f[1] - v[1] * f[0] + v[3] * f[4] - v[4] * f[3],
        v[1] * f[5] - v[2] * f[4],
        v[2] * f[3] - v[0] * f[5],
        v[0] * f[4] - v[1] * f[3],
    )


@kernel
def velocity_at(v, r):
    """The velocity of the body point at r (from the shared point) under the motion v: linear + angular x r."""
    return v[3] + v[1] * r[2] - v[2] * r[1], v[4] + v[2] * r[0] - v[0] * r[2], v[5] + v[0] * r[1] - v[1] * r[0]


# ---- inertia of rigid bodies: 10 numbers --------------------------------------------------------------------------


@kernel
def rigid(mass, r, moments):
    """The inertia of a body with its centre of mass at r and `moments` about that centre, world axes."""
    x, y, z = r
    hx, hy, hz = mass * x, mass * y, mass * z
    return (
        mass,
        hx,
        hy,
        hz,
        moments[0] + hy * y + hz * z,
        moments[1] + hx * x + hz * z,
        moments[2] + hx * x + hy * y,
        moments[3] - hx * y,
        moments[4] - hx * z,
        moments[5] - hy * z,
    )


@kernel
def trace(I):
    """The sum of the three moments about the shared point: a measure of how far out the mass is."""
    return I[4] + I[5] + I[6]


@kernel
def momentum(I, v):
    """I v for the inertia I of rigid bodies: their momentum under v, or the force under an acceleration v."""
    m, hx, hy, hz, xx, yy, zz, xy, xz, yz = I
    return (
        xx * v[0] + xy * v[1] + xz * v[2] + hy * v[5] - hz * v[4],
        xy * v[0] + yy * v[1] + yz * v[2] + hz * v[3] - hx * v[5],
        xz * v[0] + yz * v[1] + zz * v[2] + hx * v[4] - hy * v[3],
        m * v[3] + v[1] * hz - v[2] * hy,
        m * v[4] + v[2] * hx - v[0] * hz,
        m * v[5] + v[0] * hy - v[1] * hx,
    )


# ---- articulated inertia: 21 numbers ------------------------------------------------------------------------------


@kernel
def articulated(I):
    """The inertia of a rigid body as a symmetric 6x6 matrix."""
    m, hx, hy, hz, xx, yy, zz, xy, xz, yz = I
    return (xx, xy, xz, 0.0, -hz, hy, yy, yz, hz, 0.0, -hx, zz, -hy, hx, 0.0, m, 0.0, 0.0, m, 0.0, m)


@kernel
def times(I, x):
    """I x for a symmetric 6x6 matrix."""
    return (
        I[0] * x[0] + I[1] * x[1] + I[2] * x[2] + I[3] * x[3] + I[4] * x[4] + I[5] * x[5],
        I[1] * x[0] + I[6] * x[1] + I[7] * x[2] + I[8] * x[3] + I[9] * x[4] + I[10] * x[5],
        I[2] * x[0] + I[7] * x[1] + I[11] * x[2] + I[12] * x[3] + I[13] * x[4] + I[14] * x[5],
        I[3] * x[0] + I[8] * x[1] + I[12] * x[2] + I[15] * x[3] + I[16] * x[4] + I[17] * x[5],
        I[4] * x[0] + I[9] * x[1] + I[13] * x[2] + I[16] * x[3] + I[18] * x[4] + I[19] * x[5],
        I[5] * x[0] + I[10] * x[1] + I[14] * x[2] + I[17] * x[3] + I[19] * x[4] + I[20] * x[5],
    )


@kernel
def add21(I, K):
    return (
        I[0] + K[0],
        I[1] + K[1],
        I[2] + K[2],
        I[3] + K[3],
        I[4] + K[4],
        I[5] + K[5],
        I[6] + K[6],
        I[7] + K[7],
        I[8] + K[8],
        I[9] + K[9],
        I[10] + K[10],
        I[11] + K[11],
        I[12] + K[12],
        I[13] + K[13],
        I[14] + K[14],
        I[15] + K[15],
        I[16] + K[16],
        I[17] + K[17],
        I[18] + K[18],
        I[19] + K[19],
        I[20] + K[20],
    )


@kernel
def plus_outer(I, x, s):
    """I + s x x^T"""
    y = scale(x, s)
    return (
        I[0] + y[0] * x[0],
        I[1] + y[0] * x[1],
        I[2] + y[0] * x[2],
        I[3] + y[0] * x[3],
        I[4] + y[0] * x[4],
        I[5] + y[0] * x[5],
        I[6] + y[1] * x[1],
        I[7] + y[1] * x[2],
        I[8] + y[1] * x[3],
        I[9] + y[1] * x[4],
        I[10] + y[1] * x[5],
        I[11] + y[2] * x[2],
        I[12] + y[2] * x[3],
        I[13] + y[2] * x[4],
        I[14] + y[2] * x[5],
        I[15] + y[3] * x[3],
        I[16] + y[3] * x[4],
        I[17] + y[3] * x[5],
        I[18] + y[4] * x[4],
        I[19] + y[4] * x[5],
        I[20] + y[5] * x[5],
    )


@kernel
def plus_outers(I, x, y):
    """I + x y^T + y x^T"""
    return (
        I[0] + 2.0 * x[0] * y[0],
        I[1] + x[0] * y[1] + y[0] * x[1],
        I[2] + x[0] * y[2] + y[0] * x[2],
        I[3] + x[0] * y[3] + y[0] * x[3],
        I[4] + x[0] * y[4] + y[0] * x[4],
        I[5] + x[0] * y[5] + y[0] * x[5],
        I[6] + 2.0 * x[1] * y[1],
        I[7] + x[1] * y[2] + y[1] * x[2],
        I[8] + x[1] * y[3] + y[1] * x[3],
        I[9] + x[1] * y[4] + y[1] * x[4],
        I[10] + x[1] * y[5] + y[1] * x[5],
        I[11] + 2.0 * x[2] * y[2],
        I[12] + x[2] * y[3] + y[2] * x[3],
        I[13] + x[2] * y[4] + y[2] * x[4],
        I[14] + x[2] * y[5] + y[2] * x[5],
        I[15] + 2.0 * x[3] * y[3],
        I[16] + x[3] * y[4] + y[3] * x[4],
        I[17] + x[3] * y[5] + y[3] * x[5],
        I[18] + 2.0 * x[4] * y[4],
        I[19] + x[4] * y[5] + y[4] * x[5],
        I[20] + 2.0 * x[5] * y[5],
    )
