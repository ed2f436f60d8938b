"""TOUCH: materials, worlds and their shapes, gaps and contact frames; the contact problem of an instant."""

from stickslip.contact.half_space import HalfSpace
from stickslip.contact.material import Material, Stribeck

__all__ = ["HalfSpace", "Material", "Stribeck"]
