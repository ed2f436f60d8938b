"""LOOK: pictures of worlds, figures of runs, animations. Matplotlib is loaded when this room is.

draw           one pose of a world
time_lapse     many poses of a run in one picture
animate        a run as a .gif or an .mp4
"""

from stickslip.view.animate import animate
from stickslip.view.draw import draw
from stickslip.view.time_lapse import time_lapse

__all__ = ["animate", "draw", "time_lapse"]
