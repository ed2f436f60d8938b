"""URDF files as text, small enough to see what is in them."""

INERTIAL = (
    '<inertial><origin xyz="0.1 0 0"/><mass value="2"/>'
    '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
)

LIMIT = '<limit lower="-1" upper="2" effort="30" velocity="5"/>'


def link(name: str, inside: str = INERTIAL) -> str:
    """A <link>, with mass unless told otherwise."""
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, parent: str, child: str, *, kind: str = "revolute", inside: str = LIMIT) -> str:
    """A <joint> between two links."""
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(*parts: str) -> str:
    """A <robot> made of links and joints."""
    return f'<?xml version="1.0"?>\n<robot name="tester">{"".join(parts)}</robot>'


def pendulum(*, inside_link: str = INERTIAL, inside_joint: str = LIMIT, kind: str = "revolute") -> str:
    """A base and an arm on one joint called "hip"."""
    return robot(link("base"), link("arm", inside_link), joint("hip", "base", "arm", kind=kind, inside=inside_joint))


def with_collision(geometry: str, origin: str = "") -> str:
    """A pendulum whose arm has one piece of collision geometry."""
    return pendulum(inside_link=f"{INERTIAL}<collision>{origin}<geometry>{geometry}</geometry></collision>")
