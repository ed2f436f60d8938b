"""The law of contacts at velocity level: polyhedral friction as an LCP, or in space the exact cone."""

from stickslip.complementarity.basis import SOLVED
from stickslip.complementarity.kernel import routine
from stickslip.impact.friction_cone import solved_by_cone
from stickslip.impact.friction_lcp import add_impulses, put_vector, solved


@routine
def solve_law(count, size, G, friction, lcp, cone, impulse, warm):
    """Whether impulses (size count,) were found for the velocities and restored impulses that `lcp` holds.

    `impulse` is a guess to begin with if `warm`. Without directions of friction it is the cone that counts, whose
    friction is bounded by what comes on top of the restored impulses, as paper 2 prints it.
    """
    number = lcp.directions.shape[0]
    if number == 0:
        return solved_by_cone(count, G, friction, lcp.velocity, impulse, warm, cone)
    put_vector(count, size, friction, lcp)
    if solved((number + 2) * count, lcp, warm) != SOLVED:
        return False
    for r in range(size * count):
        impulse[r] = 0.0
    add_impulses(count, size, lcp, impulse)
    return True
