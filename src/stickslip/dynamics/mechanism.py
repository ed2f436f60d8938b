"""The Mechanism: what users ask of a description compiled for computing with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from stickslip.dynamics.arguments import output, ready
from stickslip.dynamics.compiled import CompiledMechanism
from stickslip.dynamics.compliance import delassus_into
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
from stickslip.dynamics.loops import loop_drift_into, loop_jacobian_into, loop_residual_into
from stickslip.dynamics.manifold import difference_into, integrate_into
from stickslip.dynamics.mass_matrix import mass_matrix_into
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.builder import MechanismBuilder
from stickslip.mechanism.description import GRAVITY, MechanismDescription
from stickslip.mechanism.errors import ArgumentError, MechanismError, SingularInertiaError

if TYPE_CHECKING:
    Path = str | PathLike[str]


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
        if self.nv and not any(body.massless for body in self.description.bodies):
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

        return cls(
            read_urdf(
                path,
                floating=floating,
                gravity=gravity,
                package_dirs=package_dirs,
                collision=collision,
                repair_inertia=repair_inertia,
            )
        )

    @classmethod
    def from_mjcf(cls, path: Path, *, collision: bool = True) -> Mechanism:
        """The model in an MJCF file, read by MuJoCo's own compiler (needs the extra `stickslip[mjcf]`).

        q (nq,) and v (nv,) are MuJoCo's qpos and qvel (m, rad); `collision=False` leaves its shapes out.
        """
        from stickslip.mechanism.mjcf import read_mjcf

        return cls(read_mjcf(path, collision=collision))

    def to_urdf(self) -> str:
        """The mechanism as the text of a URDF file; what URDF cannot say (ball joints, loops, springs, …) is an error."""
        from stickslip.mechanism.urdf.writer import to_urdf

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
        """The position (nq,) in which every joint is at its `home`: zero (m, rad) or no rotation unless given."""
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
        status = integrate_into(self._tree[0], self._q(q), ready(dv, (self.nv,), "dv"), moved)
        return self._good(status, moved, "dv")

    def difference(self, q: Any, target: Any) -> Floats:
        """The shortest displacement dv (nv,) with q [+] dv = target, both (nq,) (m, rad)."""
        dv = np.empty(self.nv)
        end = ready(target, (self.nq,), "target")
        return self._good(difference_into(self._tree[0], self._q(q), end, dv), dv, "target")

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
        return self._good(inverse_dynamics_into(*self._tree, *arrays), force, "a")

    def forward_dynamics(self, q: Any, v: Any, generalised_force: Any) -> Floats:
        """The acceleration a (nv,) in m/s^2 and rad/s^2 with M a + bias = generalised_force (nv,) in N and N m."""
        a = np.empty(self.nv)
        applied = ready(generalised_force, (self.nv,), "generalised_force")
        arrays = (self._q(q), self._v(v), applied, self._work(), self._local.dense, self._local.force, a)
        return self._good(forward_dynamics_into(*self._tree, *arrays), a, "generalised_force")

    def delassus(self, q: Any, points: Iterable[tuple[str, Any]]) -> Floats:
        """G = J M^-1 J^T (3 m, 3 m) in 1/kg for m points [(body, point (3,) m in its frame), …], world axes.

        The acceleration of the points per unit of force at them, by an algorithm that is linear in the number of links.
        """
        bodies, places = self._points(points)
        m, width = len(bodies), self.nv if len(self._tree.rotors) else 6
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
        return self._good(point_jacobian_into(self._tree[0], self._tree[1], *arrays), J, "point")

    def point_jacobian_rate(self, q: Any, v: Any, body: str, point: Any) -> Floats:
        """dJ/dt (3, nv) of `point_jacobian` along v (nv,): the point accelerates by J a + dJ/dt v (m/s^2)."""
        J = np.empty((3, self.nv))
        place = ready(point, (3,), "point")
        arrays = (self._q(q), self._v(v), *self._frames, self._body(body), place, self._work(), J)
        return self._good(point_jacobian_rate_into(self._tree[0], self._tree[1], *arrays), J, "point")

    def angular_jacobian(self, q: Any, body: str) -> Floats:
        """J (3, nv): angular velocity of a body in world axes (rad/s) per unit of v."""
        J = np.empty((3, self.nv))
        arrays = (self._q(q), self._frames[0], self._body(body), self._work(), J)
        return self._good(angular_jacobian_into(self._tree[0], self._tree[1], *arrays), J)

    def angular_jacobian_rate(self, q: Any, v: Any, body: str) -> Floats:
        """dJ/dt (3, nv) of `angular_jacobian` along v (nv,) (rad/s)."""
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
            if not np.isfinite(base[slices[joint]]).all():
                raise ArgumentError(f"the value of joint {joint!r} must be finite.")
        return base

    def _refuse_singular_mass_matrix(self) -> None:
        zero = np.zeros(self.nv)
        try:
            self.forward_dynamics(self._generic_position(), zero, zero)
        except SingularInertiaError as error:
            raise MechanismError(f"{error} Declare a body massless=True if this is meant.") from None
