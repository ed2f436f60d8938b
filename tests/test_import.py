"""`import stickslip` costs nothing: heavy packages are loaded by the names that need them."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "numba", "matplotlib", "mujoco", "h5py")


def fresh(code: str) -> str:
    """What `code` prints in an interpreter of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_takes_less_than_a_third_of_a_second():
    code = "import time; start = time.perf_counter(); import stickslip; print(time.perf_counter() - start)"
    assert min(float(fresh(code)) for _ in range(5)) < 0.3


def test_importing_loads_nothing_heavy():
    assert fresh(f"import sys, stickslip; print(*[name for name in {HEAVY} if name in sys.modules])").split() == []


def test_listing_the_names_loads_nothing_heavy():
    assert fresh(f"import sys, stickslip; dir(stickslip); print(*[n for n in {HEAVY} if n in sys.modules])").split() == []


def test_describing_a_mechanism_does_not_load_the_compiler():
    assert "numba" not in fresh("import sys, stickslip; stickslip.MechanismBuilder(); print(*sys.modules)").split()


def test_an_unknown_name_is_an_attribute_error():
    import stickslip

    with pytest.raises(AttributeError, match="no attribute 'Mechansim'"):
        _ = stickslip.Mechansim
