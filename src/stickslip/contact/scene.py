"""A scene: every shape of a mechanism and every obstacle, packed into arrays that kernels take.

Most shapes are *rounded polytopes*: a core (a point, a segment, a polygon, a polytope) with everything within a radius around
it. A sphere is a point with a radius, a capsule a segment with one, a box a core without. Only ellipsoids, cylinders and
half-spaces are kinds of their own. In a plane there are rounded polygons, ellipses and half-planes, and nothing else.

A shape is fixed to a *link*, the row of the mechanism's tree that carries it, or to the world (link -1). Its numbers are in the
axes of the link's body, so that bodies welded together need no further transformation.
"""

from __future__ import annotations

from typing import NamedTuple

from stickslip.dynamics.tree import Floats, Ints

# ---- columns of `shapes`, int64 ------------------------------------------------------------------------------------
KIND = 0
BODY = 1  # row of its body in `Frames`; obstacles have the world's
LINK = 2  # row of the link that carries it, -1 for the world: it never moves
FIRST_CORNER = 3  # rows of `corners`: those of the core
CORNERS = 4  # how many; in a plane counter-clockwise as drawn (unless the body is turned over)
FIRST_EDGE = 5  # rows of `edges`; in space only
EDGES = 6
FIRST_FACE = 7  # rows of `faces`; in space only
FACES = 8
SHAPE_WIDTH = 9

ROUNDED, ELLIPSOID, CYLINDER, HALF_SPACE = range(4)

# ---- columns of `sizes`, float64, one row a shape -------------------------------------------------------------------
TURN = 0  # (9) the shape's axes in the link's body
CENTRE = 9  # (3) the shape's centre there
RADIUS = 12  # of the rounding
SIZE = 13  # (3) semi-axes of an ellipsoid; radius and half the length of a cylinder (along its z); normal of a half-space
# in a plane TURN (4), SIZE (2), CENTRE (2), MIDDLE (2) are in its two coordinates
OFFSET = 16  # of a half-space: normal . x <= offset is solid
MIDDLE = 17  # (3) centre of a ball that holds the whole shape
REACH = 20  # that ball's radius; infinite for half-spaces
SIZE_WIDTH = 21

# ---- columns of `corners`, float64 ----------------------------------------------------------------------------------
# In space (3): the corner in the link's body. In a plane its two coordinates there, and then the edge to the next corner:
OUTWARDS = 2  # (2) unit normal of that edge
LENGTH = 4  # of that edge
CORNER_WIDTH = 5

# ---- columns of `edges`, int64: rows of `corners` and `faces` ---------------------------------------------------------
FROM, TO, LEFT, RIGHT = range(4)  # faces as seen from outside; -1 where the core is a segment
EDGE_WIDTH = 4

# ---- columns of `faces`, float64 ------------------------------------------------------------------------------------
OUT = 0  # (3) unit normal in the link's body
LEVEL = 3  # out . x = level on the face
FACE_WIDTH = 4

# ---- columns of `placed`, float64, one row a shape: this instant, in the world ----------------------------------------
AXES = 0  # (9) the shape's axes; in a plane (4), row by row
PLACE = 9  # (3) the shape's centre; in a plane (2)
LOWER = 12  # (3) of the box with edges along the axes that holds the shape; in a plane (2)
UPPER = 15  # (3)
PLACED_WIDTH = 18
# `placed_corners` has the columns of `corners`, in the world; those of what never moves are filled in once.


class Scene(NamedTuple):
    """The arrays that kernels take, in this order."""

    shapes: Ints  # (shapes, SHAPE_WIDTH)
    sizes: Floats  # (shapes, SIZE_WIDTH)
    corners: Floats  # (corners, CORNER_WIDTH)
    edges: Ints  # (edges, EDGE_WIDTH)
    faces: Floats  # (faces, FACE_WIDTH)
