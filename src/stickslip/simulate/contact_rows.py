"""The rows of motion of contacts at the present state, as pieces: J, velocities and drifts of all that is in `touching`."""

from stickslip.contact.rows import DEGENERATE, planar_rows, spatial_rows
from stickslip.dynamics.kinematics import GOOD, move
from stickslip.dynamics.piece import piece
from stickslip.simulate.joint_rows import is_joint, put_joint_rows
from stickslip.simulate.stepping import COUNT, parts_at


@piece
def rows_in_plane(block):
    """Rows (n, t) of each contact; answers a status."""
    s = parts_at(block)
    scenery, touching, work = s.scenery, s.touching, s.response.work
    move(s.model.topology, s.v, work)
    for k in range(s.clock[COUNT]):
        if is_joint(scenery, touching.identities, k):
            put_joint_rows(scenery, s.joints, s.v, touching, k, 2)
        elif not planar_rows(
            s.model.topology,
            scenery.shapes,
            scenery.out,
            touching.touches,
            touching.identities,
            k,
            work,
            touching.J,
            touching.velocity,
            touching.drift,
            2 * k,
        ):
            return DEGENERATE
    return GOOD


@piece
def rows_in_space(block):
    """Rows (n, t1, t2) of each contact; answers a status."""
    s = parts_at(block)
    scenery, touching, work = s.scenery, s.touching, s.response.work
    move(s.model.topology, s.v, work)
    for k in range(s.clock[COUNT]):
        if is_joint(scenery, touching.identities, k):
            put_joint_rows(scenery, s.joints, s.v, touching, k, 3)
        elif not spatial_rows(
            s.model.topology,
            scenery.shapes,
            touching.touches,
            touching.identities,
            k,
            work,
            s.looking.system,
            touching.J,
            touching.velocity,
            touching.drift,
            3 * k,
        ):
            return DEGENERATE
    return GOOD
