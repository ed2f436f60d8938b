"""TOUCH: materials, worlds and their shapes, gaps and contact frames; the contact problem of an instant."""

from stickslip.contact.half_space import HalfSpace
from stickslip.contact.instant import contact_problem
from stickslip.contact.material import Material, Stribeck
from stickslip.contact.overlap import OverlapError
from stickslip.contact.world import World

__all__ = ["HalfSpace", "Material", "OverlapError", "Stribeck", "World", "contact_problem"]
