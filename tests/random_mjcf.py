"""Random MJCF models, as text: branched trees with everything on them that stickslip reads."""

import numpy as np

SCALAR = ("hinge", "slide")
CHAINS = (  # the joints of one body, in MuJoCo's order
    (),
    ("hinge",),
    ("slide",),
    ("ball",),
    ("hinge", "hinge"),
    ("slide", "hinge"),
    ("slide", "slide", "hinge"),
    ("slide", "ball"),
    ("hinge", "slide", "slide"),
)


def random_mjcf(seed: int, bodies: int) -> str:
    """An MJCF model with that many bodies; each acts through tendons, springs, motors and servos, but touches nothing."""
    return _Model(np.random.default_rng(seed)).text(bodies)


class _Model:
    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.scalar_joints: list[str] = []

    def text(self, bodies: int) -> str:
        rng = self.rng
        parents = [int(rng.integers(-1, body)) for body in range(bodies)]
        children = {parent: [b for b in range(bodies) if parents[b] == parent] for parent in range(-1, bodies)}
        tree = "\n".join(self._body(body, children, root=True) for body in children[-1])
        return f"""<mujoco><compiler angle="radian"/><option gravity="{self._numbers(3)}"/>
<worldbody>{tree}</worldbody>
<tendon>{self._tendons()}</tendon>
<actuator>{self._actuators()}</actuator>
</mujoco>"""

    def _body(self, body: int, children: dict[int, list[int]], root: bool) -> str:
        chain = ("free",) if root and self.rng.random() < 0.4 else CHAINS[self.rng.integers(len(CHAINS))]
        joints = "".join(self._joint(f"j{body}_{k}", kind) for k, kind in enumerate(chain))
        inside = "".join(self._body(child, children, root=False) for child in children[body])
        sides = self.rng.uniform(0.1, 1.0, 3)
        moments = " ".join(repr(float(sides.sum() - side)) for side in sides)
        return f"""<body name="b{body}" pos="{self._numbers(3)}" quat="{self._numbers(4)}">
{joints}<inertial mass="{self._number(0.5, 3)}" pos="{self._numbers(3)}" quat="{self._numbers(4)}" diaginertia="{moments}"/>
{inside}</body>"""

    def _joint(self, name: str, kind: str) -> str:
        text = f'<joint name="{name}" type="{kind}" damping="{self._number(0, 1)}" armature="{self._number(0, 0.5)}"'
        if kind != "free":
            text += f' pos="{self._numbers(3)}" axis="{self._numbers(3)}"'
        if kind in SCALAR:
            self.scalar_joints.append(name)
            text += f' ref="{self._number(-1, 1)}" stiffness="{self._number(0, 5)}" springref="{self._number(-1, 1)}"'
        return text + "/>"

    def _tendons(self) -> str:
        if not self.scalar_joints:
            return ""
        path = "".join(f'<joint joint="{joint}" coef="{self._number(-2, 2)}"/>' for joint in self.scalar_joints[::2])
        springs = f'stiffness="{self._number(0, 5)}" damping="{self._number(0, 1)}" springlength="{self._number(0.1, 1)}"'
        return f'<fixed name="cable" {springs}>{path}</fixed>'

    def _actuators(self) -> str:
        text = ""
        for place, joint in enumerate(self.scalar_joints):
            target = f'joint="{joint}" gear="{self._number(-3, 3)}" damping="{self._number(0, 1)}"'
            if place % 4 == 0:
                text += f'<motor {target} armature="{self._number(0, 0.1)}"/>'
            elif place % 4 == 1:
                text += f'<position {target} kp="{self._number(1, 9)}" kv="{self._number(0, 1)}"/>'
            elif place % 4 == 2:
                text += f'<general {target} gainprm="{self._number(1, 9)}" biastype="affine" biasprm="0.3 -2 -0.4"/>'
        if text:
            text += f'<motor tendon="cable" gear="{self._number(1, 5)}"/>'
        return text

    def _number(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))

    def _numbers(self, count: int) -> str:
        return " ".join(repr(float(x)) for x in self.rng.standard_normal(count))
