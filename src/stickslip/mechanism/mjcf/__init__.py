"""Reading MJCF, MuJoCo's file format, through MuJoCo's own compiler."""

from stickslip.mechanism.mjcf.reader import read_mjcf

__all__ = ["read_mjcf"]
