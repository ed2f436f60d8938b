"""Robot files in URDF, and the meshes that they name."""

from stickslip.mechanism.urdf.reader import read_urdf

__all__ = ["read_urdf"]
