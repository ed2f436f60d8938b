"""The law of contacts at velocity level: polyhedral friction as an LCP, or in space the exact cone."""

from stickslip.complementarity.basis import SOLVED
from stickslip.complementarity.kernel import routine
from stickslip.impact.friction_cone import solved_by_cone
from stickslip.impact.friction_lcp import put_vector, solved, take_impulses


@routine
def solve_law(touching, count, size, G, lcp, cone, impulse, warm):
    """Whether impulses (size count,) were found for the velocities and restored impulses that `lcp` holds.

    `impulse` is a guess to begin with if `warm`. Without directions of friction it is the cone that counts, whose
    friction is bounded by what comes on top of the restored impulses, as paper 2 prints it.
    """
    if lcp.directions.shape[0] == 0:
        return solved_by_cone(count, G, touching.friction, lcp.velocity, impulse, warm, cone)
    n = put_vector(touching, count, size, G, lcp)
    if solved(n, lcp, warm) != SOLVED:
        return False
    take_impulses(touching, count, size, G, n, lcp, impulse)
    return True
