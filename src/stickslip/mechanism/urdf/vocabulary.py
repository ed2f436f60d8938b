"""The words of URDF: what may stand in the elements that make the mechanism. Any other word there is a slip of the pen.

All other elements (visual, transmission, gazebo, …) are somebody else's, who may put them into robots and links and there
call them what they like, as long as they do not look like a misspelt word of ours. So are words with a colon.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from stickslip.mechanism.errors import UrdfError, did_you_mean

# What is read or known to be of no consequence here.
ATTRIBUTES = {
    "robot": ("name", "version", "xmlns"),
    "link": ("name", "type"),
    "joint": ("name", "type", "dont_collapse"),
    "collision": ("name", "group"),
    "geometry": ("name",),
    "origin": ("xyz", "rpy"),
    "mass": ("value",),
    "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"),
    "box": ("size",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "mesh": ("filename", "scale"),
    "parent": ("link",),
    "child": ("link",),
    "axis": ("xyz",),
    "limit": (
        *("lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"),
        *("command_effort", "current", "gear_velocity"),
    ),
    "dynamics": ("damping", "friction", "D", "K", "mu_coulomb", "mu_viscous"),
    "mimic": ("joint", "multiplier", "offset"),
}
CHILDREN = {
    "robot": ("link", "joint"),
    "link": ("inertial", "collision"),
    "joint": ("parent", "child", "origin", "axis", "limit", "dynamics", "mimic"),
    "inertial": ("origin", "mass", "inertia"),
    "collision": ("origin", "geometry"),
    "geometry": ("box", "sphere", "cylinder", "mesh"),
}
IGNORED = {
    "link": ("visual", "material", "collision_checking"),
    "joint": ("safety_controller", "calibration", "gazebo"),
    "collision": ("material", "verbose", "gazebo"),
}
OPEN = ("robot", "link")
# Some old files give links an origin of no effect.
STRUCTURE = frozenset({"robot"}).union(*CHILDREN.values()) - {"origin"}


def check_words(element: Element, label: str) -> None:
    """Refuse words that URDF does not have in the element called `label`: they would be lost without a sound."""
    known = ATTRIBUTES.get(element.tag, ())
    for attribute in element.attrib:
        if attribute not in known and ":" not in attribute:
            raise UrdfError(f"{label} has an unknown attribute {attribute!r}{_cure(attribute, known)}")
    known = CHILDREN.get(element.tag, ())
    for child in element:
        if child.tag in known or child.tag in IGNORED.get(element.tag, ()) or ":" in child.tag:
            continue
        if child.tag in STRUCTURE:
            raise UrdfError(f"<{child.tag}> must not stand inside {label}.")
        if element.tag not in OPEN or did_you_mean(child.tag, known) != ".":
            raise UrdfError(f"{label} has an unknown element <{child.tag}>{_cure(child.tag, known)}")


def _cure(word: str, known: tuple[str, ...]) -> str:
    near = did_you_mean(word, known)
    if near != ".":
        return near
    return f"; it may have {', '.join(known)}." if known else "; it may have none."
