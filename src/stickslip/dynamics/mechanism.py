"""The Mechanism: a description compiled for computing with."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from stickslip.dynamics.arguments import output, ready
from stickslip.dynamics.compliance import REACH_WIDTH, delassus_into
from stickslip.dynamics.energy import energy_into, momentum_into
from stickslip.dynamics.forward_dynamics import forward_dynamics_into
from stickslip.dynamics.inverse_dynamics import inverse_dynamics_into
from stickslip.dynamics.jacobian import (
    angular_jacobian_into,
    angular_jacobian_rate_into,
    body_poses_into,
    point_jacobian_into,
    point_jacobian_rate_into,
)
from stickslip.dynamics.kinematics import BAD_INPUT, BAD_Q, BAD_V, GOOD, WORK_WIDTH
from stickslip.dynamics.loops import compile_loops, loop_drift_into, loop_jacobian_into, loop_residual_into
from stickslip.dynamics.manifold import difference_into, integrate_into
from stickslip.dynamics.mass_matrix import mass_matrix_into, measure_scales
from stickslip.dynamics.tree import (
    Floats,
    combination_row,
    compile_tree,
    coordinate_addresses,
    coordinate_rows,
)
from stickslip.mechanism.builder import MechanismBuilder
from stickslip.mechanism.description import GRAVITY, MechanismDescription
from stickslip.mechanism.errors import ArgumentError, MechanismError, SingularInertiaError
from stickslip.mechanism.joint import JointKind

if TYPE_CHECKING:
    Path = str | PathLike[str]


class Mechanism:
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
        description = source.description() if isinstance(source, MechanismBuilder) else source
        if not isinstance(description, MechanismDescription):
            raise MechanismError(f"a Mechanism is made from a MechanismBuilder or a MechanismDescription, not from {source!r}.")
        self.description = description
        self._tree, self._frames = compile_tree(description)
        self._loops = compile_loops(description)
        self._rows = coordinate_rows(description)
        self._addresses = coordinate_addresses(description)
        self._body_index = {body.name: b for b, body in enumerate(description.bodies)}
        self.nv = len(self._tree.topology)
        self.nq = sum(joint.kind.nq for joint in description.moving_joints)
        self.nu = len(description.motors or ())
        self._input_map = self._compile_inputs()
        self._local = threading.local()
        self._measure_and_check()

    @classmethod
    def from_urdf(
        cls,
        path: Path,
        *,
        floating: bool = False,
        gravity: Any = GRAVITY,
        package_dirs: Iterable[Path] = (),
        collision: bool = True,
    ) -> Mechanism:
        """The robot in a URDF file, with one input per moving joint.

        `floating=True` lets its root move freely, else it is welded to the world. `gravity` (3,) in m/s^2. Meshes named
        package://… are looked for in `package_dirs`, then in the folders above the file; `collision=False` leaves
        collision shapes out.
        """
        from stickslip.mechanism.urdf import read_urdf

        return cls(read_urdf(path, floating=floating, gravity=gravity, package_dirs=package_dirs, collision=collision))

    @classmethod
    def from_mjcf(cls, path: Path, *, collision: bool = True) -> Mechanism:
        """The model in an MJCF file, read by MuJoCo's own compiler (needs the extra `stickslip[mjcf]`).

        q (nq,) and v (nv,) are MuJoCo's qpos and qvel (m, rad); `collision=False` leaves its shapes out.
        """
        from stickslip.mechanism.mjcf import read_mjcf

        return cls(read_mjcf(path, collision=collision))

    def to_urdf(self) -> str:
        """The mechanism as the text of a URDF file; what URDF cannot say (ball joints, loops, springs, …) is an error."""
        from stickslip.mechanism.urdf_writer import to_urdf

        return to_urdf(self.description)

    def __repr__(self) -> str:
        bodies = len(self.description.bodies)
        return f"<Mechanism {self.description.name!r}: {bodies} bodies, nq={self.nq}, nv={self.nv}, nu={self.nu}>"

    # ---- names and coordinates ---------------------------------------------------------------------------------

    @property
    def joint_names(self) -> list[str]:
        """Names of the joints that have coordinates, in the order of the state."""
        return [joint.name for joint in self.description.moving_joints]

    @property
    def body_names(self) -> list[str]:
        """Names of all bodies, depth first."""
        return list(self._body_index)

    @property
    def motor_names(self) -> list[str]:
        """Names of the inputs, in the order of tau (nu,)."""
        return [motor.name for motor in self.description.motors or ()]

    @property
    def plane(self) -> str | None:
        """The plane that the mechanism lives in, "xz" or "xy"; None in space."""
        return self.description.plane

    def neutral(self) -> Floats:
        """The position (nq,) in which every joint is at its `home`: zero (m, rad) and unit quaternions if not said otherwise."""
        return np.array([x for joint in self.description.moving_joints for x in joint.home or joint.kind.neutral])

    def configuration(self, values: Mapping[str, Any] | None = None, **more: Any) -> Floats:
        """The neutral position (nq,) with some joints' coordinates replaced, by name (rad, m, quaternions wxyz).

        >>> # mech.configuration(hip=0.3), or mech.configuration({"left-hip": 0.3})
        """
        return self._filled(self.neutral(), self._addresses, {**(values or {}), **more})

    def velocity(self, values: Mapping[str, Any] | None = None, **more: Any) -> Floats:
        """The velocity (nv,) that is zero but for some joints' rates, by name (rad/s, m/s)."""
        return self._filled(np.zeros(self.nv), self._rows, {**(values or {}), **more})

    def coordinates(self, joint: str) -> tuple[slice, slice]:
        """Where a joint's coordinates are: its slice of q (nq,) and its slice of v (nv,) (m, rad)."""
        if joint not in self._rows:
            raise self._unknown("moving joint", joint, self.joint_names)
        return self._addresses[joint], self._rows[joint]

    def integrate(self, q: Any, dv: Any) -> Floats:
        """The position q [+] dv (nq,): q moved by the displacement dv (nv,), a velocity times a time (m, rad).

        Bodies turn about fixed axes; quaternions come back with unit length.
        """
        moved = np.empty(self.nq)
        return self._good(integrate_into(self._tree[0], self._q(q), ready(dv, (self.nv,), "dv"), moved), moved)

    def difference(self, q: Any, target: Any) -> Floats:
        """The shortest displacement dv (nv,) with q [+] dv = target, both (nq,) (m, rad)."""
        dv = np.empty(self.nv)
        end = ready(target, (self.nq,), "target")
        return self._good(difference_into(self._tree[0], self._q(q), end, dv), dv)

    # ---- dynamics --------------------------------------------------------------------------------------------------

    def input_map(self) -> Floats:
        """B (nv, nu): generalised forces per unit of every input (dimensionless, or m for a force on a hinge)."""
        return self._input_map.copy()

    def mass_matrix(self, q: Any, *, out: Floats | None = None) -> Floats:
        """M(q) (nv, nv) in kg, kg m and kg m^2, rotors included; written into `out` where it is given."""
        M = output(out, (self.nv, self.nv))
        return self._good(mass_matrix_into(*self._tree, self._q(q), self._work(), M), M)

    def bias(self, q: Any, v: Any) -> Floats:
        """h(q, v) (nv,) in N and N m: Coriolis, centrifugal and gravity forces, minus those of springs, dampers and PD."""
        return self.inverse_dynamics(q, v, np.zeros(self.nv))

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Floats:
        """The generalised force (nv,) in N and N m that gives the acceleration a (nv,): M a + bias."""
        force = np.empty(self.nv)
        acceleration = ready(a, (self.nv,), "a")
        arrays = (self._q(q), self._v(v), acceleration, self._work(), self._local.force, force)
        return self._good(inverse_dynamics_into(*self._tree, *arrays), force)

    def forward_dynamics(self, q: Any, v: Any, generalised_force: Any) -> Floats:
        """The acceleration a (nv,) in m/s^2 and rad/s^2 with M a + bias = generalised_force (nv,) in N and N m."""
        a = np.empty(self.nv)
        applied = ready(generalised_force, (self.nv,), "generalised_force")
        arrays = (self._q(q), self._v(v), applied, self._work(), self._local.dense, self._local.force, a)
        return self._good(forward_dynamics_into(*self._tree, *arrays), a)

    def delassus(self, q: Any, points: Iterable[tuple[str, Any]]) -> Floats:
        """G = J M^-1 J^T (3 m, 3 m) in 1/kg for m points [(body, point (3,) m in its frame), …], world axes.

        The acceleration of the points per unit of force at them, by an algorithm that is linear in the number of links.
        """
        bodies, places = self._points(points)
        m, width = len(bodies), self.nv if len(self._tree.rotors) else 6
        G = np.empty((3 * m, 3 * m))
        work = self._work()
        scratch = (
            self._local.dense,
            np.empty((self.nv, REACH_WIDTH)),
            np.empty(self.nv, dtype=np.int64),
            np.empty(m, dtype=np.int64),
            np.empty((m, 3)),
            np.empty((3 * m, width)),
        )
        status = delassus_into(*self._tree, self._q(q), *self._frames, bodies, places, work, *scratch, G)
        return self._good(status, G)

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
        return self._momentum(q, np.zeros(self.nv))[1:4]

    # ---- kinematics ------------------------------------------------------------------------------------------------

    def body_pose(self, q: Any, body: str) -> tuple[Floats, Floats]:
        """(R, p): the rotation (3, 3) from the body's axes to the world's and the body's position (3,) in m."""
        pose = self.body_poses(q)[self._body(body)]
        return pose[:9].reshape(3, 3), pose[9:]

    def body_poses(self, q: Any) -> Floats:
        """Poses of all bodies (bodies, 12): nine entries of R row by row, then the position in m."""
        poses = np.empty((len(self._body_index), 12))
        tree = self._tree
        return self._good(body_poses_into(tree[0], tree[1], self._q(q), *self._frames, self._work(), poses), poses)

    def point_jacobian(self, q: Any, body: str, point: Any) -> Floats:
        """J (3, nv): velocity in world axes (m/s) of a body's `point` (3,) m, given in the body's frame, per unit of v."""
        J = np.empty((3, self.nv))
        place = ready(point, (3,), "point")
        arrays = (self._q(q), *self._frames, self._body(body), place, self._work(), J)
        return self._good(point_jacobian_into(self._tree[0], self._tree[1], *arrays), J)

    def point_jacobian_rate(self, q: Any, v: Any, body: str, point: Any) -> Floats:
        """dJ/dt (3, nv) of `point_jacobian` while the mechanism moves with v (nv,): a point accelerates by J a + dJ/dt v (m/s^2)."""
        J = np.empty((3, self.nv))
        place = ready(point, (3,), "point")
        arrays = (self._q(q), self._v(v), *self._frames, self._body(body), place, self._work(), J)
        return self._good(point_jacobian_rate_into(self._tree[0], self._tree[1], *arrays), J)

    def angular_jacobian(self, q: Any, body: str) -> Floats:
        """J (3, nv): angular velocity of a body in world axes (rad/s) per unit of v."""
        J = np.empty((3, self.nv))
        arrays = (self._q(q), self._frames[0], self._body(body), self._work(), J)
        return self._good(angular_jacobian_into(self._tree[0], self._tree[1], *arrays), J)

    def angular_jacobian_rate(self, q: Any, v: Any, body: str) -> Floats:
        """dJ/dt (3, nv) of `angular_jacobian` while the mechanism moves with v (nv,) (rad/s)."""
        J = np.empty((3, self.nv))
        arrays = (self._q(q), self._v(v), self._frames[0], self._body(body), self._work(), J)
        return self._good(angular_jacobian_rate_into(self._tree[0], self._tree[1], *arrays), J)

    # ---- loops -----------------------------------------------------------------------------------------------------

    @property
    def loop_rows(self) -> int:
        """The number of scalar equations of all loop closures and couplings."""
        return len(self._loops.which) + len(self._loops.couplings)

    def loop_residual(self, q: Any) -> Floats:
        """By how much each loop equation fails at q, (loop_rows,) in m, rad, or the sine of an angle between axes."""
        residuals = np.empty(self.loop_rows)
        arrays = (self._q(q), *self._frames, *self._loops, self._work(), residuals)
        return self._good(loop_residual_into(self._tree[0], self._tree[1], *arrays), residuals)

    def loop_jacobian(self, q: Any) -> Floats:
        """J (loop_rows, nv): rate of the residual (m/s, rad/s) per unit of v."""
        J = np.empty((self.loop_rows, self.nv))
        arrays = (self._q(q), *self._frames, *self._loops, self._work(), J)
        return self._good(loop_jacobian_into(self._tree[0], self._tree[1], *arrays), J)

    def loop_drift(self, q: Any, v: Any) -> Floats:
        """dJ/dt v (loop_rows,): second derivative of the residual (m/s^2, rad/s^2) at constant v (nv,)."""
        drifts = np.empty(self.loop_rows)
        arrays = (self._q(q), self._v(v), *self._frames, *self._loops[:2], self._work(), drifts)
        return self._good(loop_drift_into(self._tree[0], self._tree[1], *arrays), drifts)

    # ---- what the methods share ------------------------------------------------------------------------------------

    def _q(self, q: Any) -> Floats:
        return ready(q, (self.nq,), "q")

    def _v(self, v: Any) -> Floats:
        return ready(v, (self.nv,), "v")

    def _work(self) -> Floats:
        """This thread's workspace; its other scratch arrays are in place after the call."""
        local = self._local
        try:
            return local.work  # type: ignore[no-any-return]
        except AttributeError:
            local.work = np.zeros((self.nv, WORK_WIDTH))
            local.force = np.zeros(self.nv)
            local.dense = np.zeros((self.nv + 1, self.nv) if len(self._tree.rotors) else (1, 0))
            return local.work  # type: ignore[no-any-return]

    def _body(self, body: str) -> int:
        try:
            return self._body_index[body]
        except (KeyError, TypeError):
            raise self._unknown("body", body, self.body_names) from None

    def _points(self, points: Iterable[tuple[str, Any]]) -> tuple[np.ndarray, Floats]:
        try:
            pairs = [(body, point) for body, point in points]
        except (TypeError, ValueError):
            raise ArgumentError("points must be pairs (body name, point (3,) in the body's frame).") from None
        bodies = np.array([self._body(body) for body, _ in pairs], dtype=np.int64)
        places = [ready(point, (3,), f"the point of body {body!r}") for body, point in pairs]
        return bodies, np.array(places).reshape(len(pairs), 3)

    def _momentum(self, q: Any, v: Any) -> Floats:
        if not self._tree.links.size:
            raise ArgumentError("a mechanism without moving joints has no momentum.")
        answer = np.empty(10)
        status = momentum_into(self._tree[0], self._tree[1], self._q(q), self._v(v), self._work(), answer)
        return self._good(status, answer)

    def _filled(self, base: Floats, slices: dict[str, slice], values: Mapping[str, Any]) -> Floats:
        for joint, value in values.items():
            if joint not in slices:
                raise self._unknown("moving joint", joint, self.joint_names)
            size = slices[joint].stop - slices[joint].start
            base[slices[joint]] = ready(np.atleast_1d(value), (size,), f"the value of joint {joint!r}")
        return base

    def _compile_inputs(self) -> Floats:
        rows = [combination_row(motor.joints, self._rows, self.nv) for motor in self.description.motors or ()]
        return np.array(rows).reshape(self.nu, self.nv).T.copy()

    def _measure_and_check(self) -> None:
        """Learn how large each link's inertia is, and refuse a singular mass matrix that nobody asked for."""
        q = self._generic_position()
        measure_scales(self._tree[0], self._tree[1], q, self._work())
        if self.nv and not any(body.massless for body in self.description.bodies):
            zero = np.zeros(self.nv)
            try:
                self.forward_dynamics(q, zero, zero)
            except SingularInertiaError as error:
                raise MechanismError(f"{error} Declare a body massless=True if this is meant.") from None

    def _generic_position(self) -> Floats:
        """A position without symmetry, so that what is singular there is singular everywhere."""
        q = np.modf(np.arange(1, self.nq + 1) * (5**0.5 - 1) / 2)[0] + 0.2
        for joint in self.description.moving_joints:
            if joint.kind in (JointKind.BALL, JointKind.FREE):
                end = self._addresses[joint.name].stop
                q[end - 4 : end] /= np.linalg.norm(q[end - 4 : end])
        return q

    def _good(self, status: int, result: Any) -> Any:
        """The result, unless the kernel says that it could not make it."""
        if status == GOOD:
            return result
        self._complain(status)

    def _complain(self, status: int) -> NoReturn:
        if status == BAD_Q:
            raise ArgumentError("q must be finite, and its quaternions must not be zero.")
        if status == BAD_V:
            raise ArgumentError("v must be finite.")
        if status == BAD_INPUT:
            raise ArgumentError("all arguments must be finite.")
        joint = next(name for name, rows in self._rows.items() if rows.start <= status < rows.stop)
        raise SingularInertiaError(
            f"the articulated inertia at joint {joint!r} is zero: what it carries can move there without any inertia, "
            "so that accelerations do not follow from forces alone."
        )

    @staticmethod
    def _unknown(kind: str, name: Any, names: list[str]) -> ArgumentError:
        return ArgumentError(f"there is no {kind} {name!r}; there are {', '.join(names) or 'none'}.")
