"""Contact in space with Coulomb's exact circular cone, between impulses and velocities: u = G p + c."""

from stickslip.complementarity.cone_newton import LAW_WIDTH, TABLE_WIDTH
from stickslip.complementarity.cone_residual import CONTACT_WIDTH, DYNAMIC, SLIDE, STATIC
from stickslip.complementarity.cone_search import NO, RESIDUAL, SOLVED, UNDECIDED, VECTORS, YES, solve_cone_into
from stickslip.complementarity.kernel import kernel

TOLERANCE = 1e-10  # residual that is searched for
LARGEST = 1e-9  # that a solution may have, as that of an LCP may (`complementarity/basis.py`)


@kernel
def solved_by_cone(count, G, friction, velocity, restored, impulse, warm, cone):
    """Whether impulses (3 count,) were found for the velocities (3 count,) without them; a guess to begin with if `warm`.

    `restored` impulses (3 count,), along normals, have acted already, and are part of what bounds friction.
    """
    n = 3 * count
    contacts = cone.contacts[: CONTACT_WIDTH * count].reshape(count, CONTACT_WIDTH)
    for i in range(count):
        contacts[i, STATIC], contacts[i, DYNAMIC] = friction[i], friction[i]
        contacts[i, SLIDE], contacts[i, SLIDE + 1] = float("nan"), float("nan")
    ended = solve_cone_into(
        G,
        velocity[:n],
        restored[:n],
        contacts,
        YES if warm else NO,
        TOLERANCE,
        impulse[:n],
        cone.u[:n],
        cone.modes[:count],
        cone.law[: LAW_WIDTH * count].reshape(count, LAW_WIDTH),
        cone.table[: TABLE_WIDTH * n].reshape(n, TABLE_WIDTH),
        cone.owner[: 2 * n],
        cone.H[: n * n].reshape(n, n),
        cone.columns[: 2 * n * n].reshape(2 * n, n),
        cone.vectors[: VECTORS * n].reshape(VECTORS, n),
        cone.report,
    )
    for r in range(n):
        impulse[r] -= restored[r]
    return ended == SOLVED or (ended == UNDECIDED and cone.report[RESIDUAL] <= LARGEST)
