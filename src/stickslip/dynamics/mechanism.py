"""The Mechanism: what users ask of a description compiled for computing with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fsdecode
from typing import TYPE_CHECKING, Any

import numpy as np

from stickslip.dynamics.arguments import output, ready
from stickslip.dynamics.compiled import CompiledMechanism
from stickslip.dynamics.compliance import delassus_into
from stickslip.dynamics.cut_state import cut_state
from stickslip.dynamics.energy import energy_into, momentum_into
from stickslip.dynamics.forward_dynamics import forward_dynamics_into
from stickslip.dynamics.inverse_dynamics import inverse_dynamics_into
from stickslip.dynamics.jacobian import (
    angular_jacobian_into,
    angular_jacobian_rate_into,
    body_pose_into,
    body_poses_into,
    point_jacobian_into,
    point_jacobian_rate_into,
)
from stickslip.dynamics.loops import loop_drift_into, loop_jacobian_into, loop_residual_into
from stickslip.dynamics.manifold import difference_into, integrate_into
from stickslip.dynamics.mass_matrix import mass_matrix_into
from stickslip.dynamics.tree import ARMATURE, MASS, Floats
from stickslip.mechanism.builder import MechanismBuilder
from stickslip.mechanism.cutting import cut_hinges
from stickslip.mechanism.description import GRAVITY, MechanismDescription
from stickslip.mechanism.errors import ArgumentError, MechanismError, MjcfError, SingularInertiaError, UrdfError

if TYPE_CHECKING:
    Path = str | bytes | PathLike[str]


class Mechanism(CompiledMechanism):
    """Bodies joined to trees, ready for computing: kinematics, mass matrix, dynamics and contact compliance.

    Made from a `MechanismDescription` or a `MechanismBuilder`, or read from a file by `from_urdf` or `from_mjcf`. Positions
    q are (nq,) arrays, velocities v and generalised forces (nv,), inputs tau (nu,); lengths in m, angles in rad, forces in N
    and N m. Every method takes arrays or sequences of numbers and returns new arrays. The equation of motion is

        M(q) a + bias(q, v) = B tau + J^T f

    >>> import stickslip as ss
    >>> b = ss.MechanismBuilder(plane="xz")
    >>> b.body("rod", mass=1.0, centre=(0.5, 0.0), inertia=1 / 12)
    >>> b.revolute("hinge", child="rod")
    >>> pendulum = ss.Mechanism(b)
    >>> pendulum.forward_dynamics([0.0], [0.0], [0.0]).round(3)  # - m g l / 2 over m l^2 / 3
    array([-14.715])
    """

    def __init__(self, source: MechanismDescription | MechanismBuilder) -> None:
        super().__init__(source)
        self._refuse_singular_mass_matrix()

    @classmethod
    def from_urdf(
        cls,
        path: Path,
        *,
        floating: bool = False,
        gravity: Any = GRAVITY,
        package_dirs: Iterable[Path] = (),
        collision: bool = True,
        repair_inertia: bool = False,
    ) -> Mechanism:
        """The robot in a URDF file, with one input per moving joint.

        `floating=True` lets its root move freely, else it is welded to the world. `gravity` (3,) in m/s^2. Meshes named
        package://… are looked for in `package_dirs`, then in the folders above the file; `collision=False` leaves
        collision shapes out. `repair_inertia=True` replaces inertias that no body can have, and warns of each.
        """
        from stickslip.mechanism.urdf import read_urdf

        description = read_urdf(
            path,
            floating=floating,
            gravity=gravity,
            package_dirs=package_dirs,
            collision=collision,
            repair_inertia=repair_inertia,
        )
        try:
            return cls(description)
        except MechanismError as error:  # from dynamics, which does not know the file
            raise UrdfError(f"{fsdecode(path)}: {error}") from None

    @classmethod
    def from_mjcf(cls, path: Path, *, collision: bool = True) -> Mechanism:
        """The model in an MJCF file, read by MuJoCo's own compiler (needs the extra `stickslip[mjcf]`).

        q (nq,) and v (nv,) are MuJoCo's qpos and qvel (m, rad); `collision=False` leaves its shapes out.
        """
        from stickslip.mechanism.mjcf import read_mjcf

        description = read_mjcf(path, collision=collision)
        try:
            return cls(description)
        except MechanismError as error:
            raise MjcfError(f"{fsdecode(path)}: {error}") from None

    def to_urdf(self) -> str:
        """The mechanism as the text of a URDF file; what URDF cannot say (ball joints, loops, springs, …) is an error."""
        from stickslip.mechanism.urdf.writer import to_urdf

        return to_urdf(self._description)

    def __repr__(self) -> str:
        bodies = len(self._description.bodies)
        return f"<Mechanism {self._description.name!r}: {bodies} bodies, nq={self._nq}, nv={self._nv}, nu={self._nu}>"

    # ---- sizes, names and coordinates --------------------------------------------------------------------------

    @property
    def description(self) -> MechanismDescription:
        """What the mechanism was made from: bodies, joints with their limits, motors, loops, shapes."""
        return self._description

    @property
    def nq(self) -> int:
        """The number of position coordinates: the size of q."""
        return self._nq

    @property
    def nv(self) -> int:
        """The number of velocity coordinates: the size of v and of generalised forces."""
        return self._nv

    @property
    def nu(self) -> int:
        """The number of inputs: the size of tau."""
        return self._nu

    @property
    def joint_names(self) -> list[str]:
        """Names of the joints that have coordinates, in the order of the state."""
        return [joint.name for joint in self._description.moving_joints]

    @property
    def body_names(self) -> list[str]:
        """Names of all bodies, depth first."""
        return [body.name for body in self._description.bodies]

    @property
    def motor_names(self) -> list[str]:
        """Names of the inputs, in the order of tau (nu,)."""
        return [motor.name for motor in self._description.motors or ()]

    @property
    def plane(self) -> str | None:
        """The plane that the mechanism lives in, "xz" or "xy"; None in space."""
        return self._description.plane

    def neutral(self) -> Floats:
        """The position (nq,) in which every joint is at its `home`: zero (m, rad) or no rotation unless given."""
        return np.array([x for joint in self._description.moving_joints for x in joint.home or joint.kind.neutral])

    def configuration(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Floats:
        """The neutral position (nq,) with some joints' coordinates replaced, by name (rad, m, quaternions wxyz).

        As in `mech.configuration(hip=0.3)`, or `mech.configuration({"left-hip": 0.3})`.
        """
        return self._filled(self.neutral(), self._addresses, values or {}, more)

    def velocity(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Floats:
        """The velocity (nv,) that is zero but for some joints' rates, by name (rad/s, m/s)."""
        return self._filled(np.zeros(self._nv), self._rows, values or {}, more)

    def coordinates(self, joint: str) -> tuple[slice, slice]:
        """Where a joint's coordinates are: its slice of q (nq,) and its slice of v (nv,) (m, rad)."""
        return self._slice(self._addresses, joint), self._slice(self._rows, joint)

    def integrate(self, q: Any, dv: Any) -> Floats:
        """The position q [+] dv (nq,): q moved by the displacement dv (nv,), a velocity times a time (m, rad).

        Bodies turn about fixed axes; quaternions come back with unit length.
        """
        moved = np.empty(self._nq)
        status = integrate_into(self._tree[0], self._q(q), ready(dv, (self._nv,), "dv"), moved)
        return self._good(status, moved, "dv")

    def difference(self, q: Any, target: Any) -> Floats:
        """The shortest displacement dv (nv,) with q [+] dv = target, both (nq,) (m, rad)."""
        dv = np.empty(self._nv)
        end = ready(target, (self._nq,), "target")
        return self._good(difference_into(self._tree[0], self._q(q), end, dv), dv, "target")

    # ---- dynamics --------------------------------------------------------------------------------------------------

    def input_map(self) -> Floats:
        """B (nv, nu): generalised forces per unit of every input (dimensionless, or m for a force on a hinge)."""
        return self._input_map.copy()

    def mass_matrix(self, q: Any, *, out: Floats | None = None) -> Floats:
        """M(q) (nv, nv) in kg, kg m and kg m^2, rotors included; written into `out` where it is given."""
        M = output(out, (self._nv, self._nv))
        return self._good(mass_matrix_into(*self._tree, self._q(q), self._work(), M), M)

    def bias(self, q: Any, v: Any) -> Floats:
        """h(q, v) (nv,) in N and N m: Coriolis, centrifugal and gravity forces, minus those of springs, dampers and PD."""
        return self.inverse_dynamics(q, v, np.zeros(self._nv))

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Floats:
        """The generalised force (nv,) in N and N m that gives the acceleration a (nv,): M a + bias."""
        force = np.empty(self._nv)
        acceleration = ready(a, (self._nv,), "a")
        arrays = (self._q(q), self._v(v), acceleration, self._work(), self._local.force, force)
        return self._good(inverse_dynamics_into(*self._tree, *arrays), force, "a")

    def forward_dynamics(self, q: Any, v: Any, generalised_force: Any) -> Floats:
        """The acceleration a (nv,) in m/s^2 and rad/s^2 with M a + bias = generalised_force (nv,) in N and N m."""
        a = np.empty(self._nv)
        applied = ready(generalised_force, (self._nv,), "generalised_force")
        arrays = (self._q(q), self._v(v), applied, self._work(), self._local.dense, self._local.force, a)
        return self._good(forward_dynamics_into(*self._tree, *arrays), a, "generalised_force")

    def delassus(self, q: Any, points: Iterable[tuple[str, Any]]) -> Floats:
        """G = J M^-1 J^T (3 m, 3 m) in 1/kg for m points [(body, point (3,) m in its frame), …], world axes.

        The acceleration of the points per unit of force at them, by an algorithm that is linear in the number of links.
        """
        bodies, places = self._points(points)
        m, width = len(bodies), self._nv if len(self._tree.rotors) else 6
        G = np.empty((3 * m, 3 * m))
        work, local = self._work(), self._local
        scratch = (
            local.dense,
            local.reach,
            local.first,
            np.empty(m, dtype=np.int64),
            np.empty((m, 3)),
            np.empty((3 * m, width)),
        )
        status = delassus_into(*self._tree, self._q(q), *self._frames, bodies, places, work, *scratch, G)
        return self._good(status, G, "every point")

    def energy(self, q: Any, v: Any) -> tuple[float, float]:
        """(kinetic, potential) in J: rotors count as kinetic, springs as potential; weight is zero at the world's origin."""
        energies = np.empty(2)
        status = energy_into(*self._tree, self._q(q), self._v(v), self._work(), energies)
        kinetic, potential = self._good(status, energies)
        return float(kinetic), float(potential)

    def momentum(self, q: Any, v: Any) -> tuple[Floats, Floats]:
        """Linear momentum (3,) in kg m/s and angular momentum (3,) in kg m^2/s about the centre of mass, world axes.

        Of everything that moves; rotors turn on their own and are not counted.
        """
        answer = self._momentum(q, v)
        return answer[4:7], answer[7:10]

    def centre_of_mass(self, q: Any) -> Floats:
        """The centre of mass (3,) in m of everything that moves."""
        return self._momentum(q, np.zeros(self._nv))[1:4]

    # ---- kinematics ------------------------------------------------------------------------------------------------

    def body_pose(self, q: Any, body: str) -> tuple[Floats, Floats]:
        """(R, p): the rotation (3, 3) from the body's axes to the world's and the body's position (3,) in m."""
        pose = np.empty((1, 12))
        arrays = (self._q(q), *self._frames, self._body(body), self._work(), pose)
        self._good(body_pose_into(self._tree[0], self._tree[1], *arrays), pose)
        return pose[0, :9].reshape(3, 3), pose[0, 9:]

    def body_poses(self, q: Any) -> Floats:
        """Poses of all bodies (bodies, 12): nine entries of R row by row, then the position in m."""
        poses = np.empty((len(self._description.bodies), 12))
        tree = self._tree
        return self._good(body_poses_into(tree[0], tree[1], self._q(q), *self._frames, self._work(), poses), poses)

    def point_jacobian(self, q: Any, body: str, point: Any) -> Floats:
        """J (3, nv): velocity in world axes (m/s) of a body's `point` (3,) m, given in the body's frame, per unit of v."""
        J = np.empty((3, self._nv))
        place = self._point(point)
        arrays = (self._q(q), *self._frames, self._body(body), place, self._work(), J)
        return self._good(point_jacobian_into(self._tree[0], self._tree[1], *arrays), J, "point")

    def point_jacobian_rate(self, q: Any, v: Any, body: str, point: Any) -> Floats:
        """dJ/dt (3, nv) of `point_jacobian` along v (nv,): the point accelerates by J a + dJ/dt v (m/s^2)."""
        J = np.empty((3, self._nv))
        place = self._point(point)
        arrays = (self._q(q), self._v(v), *self._frames, self._body(body), place, self._work(), J)
        return self._good(point_jacobian_rate_into(self._tree[0], self._tree[1], *arrays), J, "point")

    def angular_jacobian(self, q: Any, body: str) -> Floats:
        """J (3, nv): angular velocity of a body in world axes (rad/s) per unit of v."""
        J = np.empty((3, self._nv))
        arrays = (self._q(q), self._frames[0], self._body(body), self._work(), J)
        return self._good(angular_jacobian_into(self._tree[0], self._tree[1], *arrays), J)

    def angular_jacobian_rate(self, q: Any, v: Any, body: str) -> Floats:
        """dJ/dt (3, nv) of `angular_jacobian` along v (nv,) (rad/s)."""
        J = np.empty((3, self._nv))
        arrays = (self._q(q), self._v(v), self._frames[0], self._body(body), self._work(), J)
        return self._good(angular_jacobian_rate_into(self._tree[0], self._tree[1], *arrays), J)

    # ---- loops -----------------------------------------------------------------------------------------------------

    @property
    def loop_rows(self) -> int:
        """The number of scalar equations of all loop closures and couplings."""
        return len(self._loops.which) + len(self._loops.couplings)

    def loop_residual(self, q: Any) -> Floats:
        """By how much each loop equation fails at q, (loop_rows,) in m or, of a turn by t, 2 tan(t / 2) in rad."""
        residuals = np.empty(self.loop_rows)
        arrays = (self._q(q), *self._frames, *self._loops, self._work(), residuals)
        return self._good(loop_residual_into(self._tree[0], self._tree[1], *arrays), residuals)

    def loop_jacobian(self, q: Any) -> Floats:
        """J (loop_rows, nv): rate of the residual (m/s, rad/s) per unit of v."""
        J = np.empty((self.loop_rows, self._nv))
        arrays = (self._q(q), *self._frames, *self._loops, self._work(), J)
        return self._good(loop_jacobian_into(self._tree[0], self._tree[1], *arrays), J)

    def loop_drift(self, q: Any, v: Any) -> Floats:
        """dJ/dt v (loop_rows,): second derivative of the residual (m/s^2, rad/s^2) at constant v (nv,)."""
        drifts = np.empty(self.loop_rows)
        arrays = (self._q(q), self._v(v), *self._frames, *self._loops[:2], self._work(), drifts)
        return self._good(loop_drift_into(self._tree[0], self._tree[1], *arrays), drifts)

    # ---- redundant coordinates -------------------------------------------------------------------------------------

    def cut_hinges(self) -> Mechanism:
        """The same mechanism with every joint cut: bodies that move by themselves, and loops that hold them together.

        Bodies, joints and inputs keep their names; a joint's coordinates are now the pose of its child (free, or planar in a
        plane), and a loop has its name, too. `neutral()` is the same position. Motors and dampers of hinges are kept; limits,
        springs, PD, dry friction and armature of joints that are cut have no coordinate any more and are refused.
        """
        home = self.neutral()
        return Mechanism(cut_hinges(self._description, {name: self.body_pose(home, name) for name in self.body_names}))

    def cut_state(self, q: Any, v: Any) -> tuple[Floats, Floats]:
        """The state (q, v) of `cut_hinges()` in which all bodies are, and move, as they do at q (nq,), v (nv,) (m, rad, s)."""
        return cut_state(self, self._q(q), self._v(v))

    def _momentum(self, q: Any, v: Any) -> Floats:
        if not self._tree.links[:, MASS].any():
            raise ArgumentError("nothing that moves has mass: there is no momentum and no centre of mass.")
        answer = np.empty(10)
        status = momentum_into(self._tree[0], self._tree[1], self._q(q), self._v(v), self._work(), answer)
        return self._good(status, answer)

    def _filled(self, base: Floats, slices: dict[str, slice], values: Any, more: dict[str, Any]) -> Floats:
        if not isinstance(values, Mapping):
            raise ArgumentError(f"coordinates are given by name, as in (hip=0.3) or ({{'hip': 0.3}}), not as {values!r:.60}.")
        for joint, value in {**values, **more}.items():
            where = self._slice(slices, joint)
            listed = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)
            single = where.stop - where.start == 1 and not listed
            base[where] = ready([value] if single else value, (where.stop - where.start,), f"the value of joint {joint!r}")
            if not np.isfinite(base[where]).all():
                raise ArgumentError(f"the value of joint {joint!r} must be finite.")
        return base

    def _refuse_singular_mass_matrix(self) -> None:
        """Unless it is meant: coordinates of bodies that are declared massless are looked at as if they had an inertia."""
        tree = self._tree._replace(links=self._tree.links.copy())
        for joint, body in zip(self._description.joints, self._description.bodies, strict=True):  # each joint moves its body
            if body.massless and joint.name in self._rows:
                tree.links[self._rows[joint.name], ARMATURE] += 1.0
        zero, work = np.zeros(self._nv), self._work()
        arrays = (self._generic_position(), zero, zero, work, self._local.dense, self._local.force, np.empty(self._nv))
        try:
            self._good(forward_dynamics_into(*tree, *arrays), None)
        except SingularInertiaError as error:
            raise MechanismError(f"{str(error)[:-1]}; give it an inertia, or the joint an armature.") from None
        except ArgumentError:
            raise MechanismError("the masses and lengths of the mechanism are too large for floating-point numbers.") from None
