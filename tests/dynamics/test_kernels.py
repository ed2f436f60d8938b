"""Kernels are compiled once for all models, allocate nothing, and are never stale."""

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

import stickslip.dynamics
from random_trees import random_state, random_tree
from stickslip import Mechanism
from stickslip.dynamics.forward_dynamics import forward_dynamics_into
from stickslip.dynamics.inverse_dynamics import inverse_dynamics_into
from stickslip.dynamics.kernel import PACKAGE, dependencies
from stickslip.dynamics.mass_matrix import mass_matrix_into

MODULES = [importlib.import_module(f"stickslip.dynamics.{m.name}") for m in pkgutil.iter_modules(stickslip.dynamics.__path__)]
KERNELS = {name: f for module in MODULES for name, f in vars(module).items() if hasattr(f, "signatures")}
ENTRIES = {name: f for name, f in KERNELS.items() if name.endswith("_into")}


def use(mech: Mechanism, seed: int) -> None:
    q, v, force = random_state(mech, seed)
    points = [(mech.body_names[-1], (1, 2, 3)), (mech.body_names[0], [1, 2, 3])]
    mech.mass_matrix(list(q))
    mech.bias(q, v)
    mech.forward_dynamics(q, np.repeat(v, 2)[::2], force)
    mech.delassus(q, points)
    mech.energy(q, v)
    mech.momentum(q, v)
    mech.difference(q, mech.integrate(q, v))
    mech.body_pose(q, points[0][0])
    mech.body_poses(q)
    mech.point_jacobian(q, *points[0])
    mech.point_jacobian_rate(q, v, *points[0])
    mech.angular_jacobian(q, points[0][0])
    mech.angular_jacobian_rate(q, v, points[0][0])
    mech.loop_residual(q)
    mech.loop_jacobian(q)
    mech.loop_drift(q, v)


def test_every_kernel_has_one_signature_whatever_the_model():
    assert len(ENTRIES) >= 14
    for seed, joints in enumerate((1, 2, 9, 30)):
        use(Mechanism(random_tree(seed, joints=joints, floating=seed % 2 == 0)), seed)
    assert {name: len(kernel.signatures) for name, kernel in ENTRIES.items()} == dict.fromkeys(ENTRIES, 1)


@numba.njit
def repeated(times, topology, links, springs, rotors, gravity, q, v, force, work, dense, scratch, a, M):
    for _ in range(times):
        mass_matrix_into(topology, links, springs, rotors, gravity, q, work, M)
        forward_dynamics_into(topology, links, springs, rotors, gravity, q, v, force, work, dense, scratch, a)
        inverse_dynamics_into(topology, links, springs, rotors, gravity, q, v, a, work, scratch, force)


def allocations(call: Callable[[], object]) -> int:
    """Numba's own count; every array that enters from Python costs one."""
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats().alloc
    call()
    return rtsys.get_allocation_stats().alloc - before


def test_a_stepping_loop_allocates_nothing():
    mech = Mechanism(random_tree(2, joints=8))
    q, v, force = random_state(mech, 0)
    work, local = mech._work(), mech._local
    arrays = (*mech._tree, q, v, force, work, local.dense, local.force, np.empty(mech.nv), np.empty((mech.nv, mech.nv)))
    repeated(1, *arrays)
    assert allocations(lambda: repeated(1000, *arrays)) == allocations(lambda: repeated(1, *arrays))


def test_the_digest_covers_what_a_module_imports_from_afar():
    """mass_matrix.py does not import rotation.py itself; what it imports does."""
    covered = {path.name for path in dependencies("stickslip.dynamics.mass_matrix")}
    assert {"mass_matrix.py", "kinematics.py", "rotation.py", "kernel.py", "tree.py", "joint.py"} <= covered
    assert "compliance.py" not in covered


SCRIPT = """
import numpy as np, stickslip as ss
b = ss.MechanismBuilder(plane="xz")
b.body("rod", mass=1.0, centre=(0.5, 0.0), inertia=1 / 12)
b.revolute("hinge", child="rod")
print(ss.Mechanism(b).body_pose([1.0], "rod")[0][0, 0])
"""


def run(folder: Path) -> tuple[float, str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    environment.pop("STICKSLIP_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout), done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / "stickslip", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_an_edited_kernel_is_compiled_anew(copy: Path):
    """The edit is in `about`, two imports away from the entry kernel that Python calls."""
    value, told = run(copy)
    assert value == pytest.approx(np.cos(1.0))
    assert "compiling body_pose_into, once on this machine" in told
    value, told = run(copy)
    assert value == pytest.approx(np.cos(1.0))
    assert "compiling" not in told

    source = copy / "stickslip" / "dynamics" / "rotation.py"
    stamps = os.stat(source)
    source.write_text(
        source.read_text().replace("c = cos(angle)\n    s = sin(angle)", "c = cos(2.0 * angle)\n    s = sin(2.0 * angle)")
    )
    os.utime(source, ns=(stamps.st_atime_ns, stamps.st_mtime_ns))  # not even the time of the change gives it away
    value, told = run(copy)
    assert value == pytest.approx(np.cos(2.0))
    assert "compiling body_pose_into" in told


def test_code_that_python_itself_takes_for_unchanged_is_not_kept_under_the_new_name(copy: Path, monkeypatch):
    """An edit of the same size within the clock's tick: Python goes on with its old bytecode, and we must not remember that."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    run(copy)
    source = copy / "stickslip" / "dynamics" / "rotation.py"
    stamps = os.stat(source)
    source.write_text(source.read_text().replace("c = cos(angle)\n    s = sin(angle)", "c = sin(angle)\n    s = cos(angle)"))
    os.utime(source, ns=(stamps.st_atime_ns, stamps.st_mtime_ns))
    assert run(copy)[0] == pytest.approx(np.cos(1.0))  # Python's own mistake
    os.utime(source)
    assert run(copy)[0] == pytest.approx(np.sin(1.0))


@pytest.mark.parametrize(("suffix", "damage"), [(".nbi", b""), (".nbc", b"no pickle")])
def test_a_damaged_cache_is_made_anew(tmp_path: Path, suffix: str, damage: bytes):
    """As after a power cut, which leaves files that broke off."""
    script = (
        "import numpy as np\n"
        "from stickslip.dynamics.manifold import difference_into\n"
        "q, dv = np.array([0.5]), np.empty(1)\n"
        "print(difference_into(np.array([[0, -1, 0, 0, 0, 0]]), q, np.array([2.0]), dv), *dv)\n"
    )
    environment = {**os.environ, "STICKSLIP_CACHE_DIR": str(tmp_path)}

    def told() -> str:
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["-1", "1.5"]
        return done.stderr

    assert "compiling difference_into" in told()
    damaged = list(tmp_path.rglob(f"*difference_into*{suffix}"))
    assert damaged
    for file in damaged:
        file.write_bytes(damage)
    assert "compiling difference_into" in told()
    assert told() == ""


def test_an_entry_outside_the_package_is_not_cached(tmp_path: Path):
    """We could not know what it depends on."""
    (tmp_path / "main.py").write_text(
        "from helper import number\n"
        "from stickslip.dynamics.kernel import entry\n"
        "@entry\ndef run():\n    return number()\n"
        "print(run())\n"
    )
    for number in (1.0, 100.0):
        (tmp_path / "helper.py").write_text(f"import numba\n@numba.njit\ndef number():\n    return {number}\n")
        done = subprocess.run([sys.executable, "-B", tmp_path / "main.py"], capture_output=True, text=True, check=True)
        assert float(done.stdout) == number


def test_a_user_without_a_home_is_told_what_to_set(copy: Path):
    """As in a container whose user has no entry in the list of users, with the package where it cannot be written."""
    (copy / "stickslip" / "__pycache__").write_text("a file where the folder would be")
    environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "XDG_CACHE_HOME")}
    script = """
def nobody(uid): raise KeyError
import pwd; pwd.getpwuid = nobody
from stickslip.dynamics.kernel import cache_folder; print(cache_folder())
"""
    command = [sys.executable, "-B", "-c", script]
    environment |= {"PYTHONPATH": str(copy)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "None"
    assert "set STICKSLIP_CACHE_DIR" in done.stderr


def test_compiled_code_goes_to_the_users_folder_where_the_package_is_read_only(copy: Path, tmp_path: Path):
    blocked = copy / "stickslip" / "__pycache__"
    blocked.write_text("a file where the folder would be: nobody can write below it, not even root")
    environment = {**os.environ, "PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(tmp_path / "home")}
    environment.pop("STICKSLIP_CACHE_DIR", None)
    where = "from stickslip.dynamics.kernel import cache_folder; print(cache_folder())"
    command = [sys.executable, "-B", "-c", where]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).is_relative_to(tmp_path / "home" / "stickslip")
