"""The law of contacts at velocity level as pieces: polyhedral friction as an LCP, or in space the exact cone.

Both put into `trial.impulse` the impulses (size count,) that come on top of the restored ones, at the velocities that `lcp`
holds; friction is bounded by both. They answer whether there are any. What `trial.impulse` and the basis hold is a guess to
begin with if the clock says WARM.
"""

from stickslip.complementarity.basis import SOLVED
from stickslip.dynamics.piece import piece
from stickslip.impact.friction_cone import solved_by_cone
from stickslip.impact.friction_lcp import put_vector, solved, take_impulses
from stickslip.simulate.stepping import COUNT, SIZE, WARM, parts_at


@piece
def polyhedral_law(block):
    """Friction along given directions; in the plane there are two, and that is exact."""
    s = parts_at(block)
    size, count = s.clock[SIZE], s.clock[COUNT]
    rows = size * count
    G = s.response.G[: rows * rows].reshape(rows, rows)
    n = put_vector(s.touching, count, size, G, s.lcp)
    if solved(n, s.lcp, s.clock[WARM] == 1) != SOLVED:
        return 0
    take_impulses(s.touching, count, size, G, n, s.lcp, s.trial.impulse)
    return 1


@piece
def cone_law(block):
    """Coulomb's circle."""
    s = parts_at(block)
    count = s.clock[COUNT]
    rows = 3 * count
    G = s.response.G[: rows * rows].reshape(rows, rows)
    warm, lcp = s.clock[WARM] == 1, s.lcp
    found = solved_by_cone(count, G, s.touching.friction, lcp.velocity, lcp.restored, s.trial.impulse, warm, s.cone)
    return 1 if found else 0
