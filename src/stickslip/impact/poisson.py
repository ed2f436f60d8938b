"""Collisions by Poisson's law in two phases (paper 2, eqs 37 to 41).

Compression lasts until no closed contact approaches any more. Then each contact gives back its normal impulse times its
restitution, and more where that is needed lest anything approach. Friction acts in both phases, bounded by all of the normal
impulse. Energy does not rise where all that is hit has the same restitution (docs/papers.md has the proof).
"""

from stickslip.complementarity.kernel import kernel
from stickslip.dynamics.kinematics import GOOD
from stickslip.dynamics.piece import call
from stickslip.impact.response import drop_left_overs, respond, speed_along

UNSOLVED = -20  # no solution of the contacts was found

PHASES = 2


@kernel
def collide(touching, count, size, response, lcp, v, impulse, total, law, block):
    """All closed contacts at once: v (nv,) jumps, and `total` (rows,) becomes the impulses in N s. Answers a status.

    `law` is the address of the piece that puts into `impulse` what contacts do at the velocities that `lcp` holds.
    """
    rows = size * count
    G = response.G[: rows * rows].reshape(rows, rows)
    for r in range(rows):
        total[r] = 0.0
        lcp.restored[r] = 0.0
    for phase in range(PHASES):
        given = 0.0
        for i in range(count):
            if phase > 0:
                lcp.restored[size * i] = touching.restitution[i] * total[size * i]
                given = max(given, lcp.restored[size * i])
        if phase > 0 and given == 0.0:
            break
        for r in range(rows):
            total[r] += lcp.restored[r]
        for r in range(rows):
            lcp.velocity[r] = speed_along(touching.J, r, v, 0.0)
            for c in range(rows):
                lcp.velocity[r] += G[r, c] * total[c]
        if not call(law, block):
            drop_left_overs(touching, count, size, lcp.velocity)
            if not call(law, block):
                return UNSOLVED
        for r in range(rows):
            total[r] += impulse[r]
    for r in range(rows):
        lcp.restored[r] = 0.0
    respond(response, rows, total)
    for i in range(v.size):
        v[i] += response.change[i]
    return GOOD
