"""Every example runs as a script, and shows what it promises."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def run(script: Path, figure: Path) -> str:
    environment = os.environ | {"MPLBACKEND": "agg"}
    command = [sys.executable, "-W", "error", str(script), str(figure)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_example(script, tmp_path):
    figure = tmp_path / "folder" / "figure.png"
    printed = run(script, figure)
    assert figure.read_bytes().startswith(b"\x89PNG")
    check = CHECKS.get(script.stem)
    if check:
        check(printed)


def chain_keeps_its_energy(printed: str) -> None:
    assert float(re.search(r"energy drift: (\S+)", printed)[1]) < 1e-9


def paddler_turns(printed: str) -> None:
    assert abs(float(re.search(r"by (\S+) degrees", printed)[1])) > 10


def slider_stays_in_its_guide(printed: str) -> None:
    assert "the whole duration was simulated." in printed
    assert float(re.search(r"deepest gap of a corner: (\S+) m", printed)[1]) > -1e-9
    assert float(re.search(r"closed form to (\S+) rad/s", printed)[1]) < 1e-3


def linkage_is_as_on_paper(printed: str) -> None:
    """Second order in the step by both techniques, closed loops, and a motor that keeps the speed."""
    errors = np.array(re.findall(r"off by +(\S+) rad in minimal, +(\S+) in redundant", printed), dtype=float)
    assert errors.shape == (3, 2)
    assert np.abs(errors[-1]).max() < 0.25
    assert (errors[1] / errors[2] > 3).all()
    assert float(re.search(r"open by (\S+) m", printed)[1]) < 1e-10
    assert float(re.search(r"keeps its speed to (\S+) of it", printed)[1]) < 0.01


def collisions_cost_energy(printed: str) -> None:
    changes = np.array(re.findall(r"s: (\S+) J within its step", printed), dtype=float)
    assert len(changes) >= 4
    assert (changes < 0).all()
    assert float(re.search(r"deepest overlap: (\S+) m", printed)[1]) < 1e-9


def hybrid_systems_are_as_on_paper(printed: str) -> None:
    off = [float(number) for number in re.findall(r"which is off by (\S+) s", printed)]
    assert len(off) == 2
    assert max(off) < 2e-9


CHECKS = {
    "colliding_pendulum": collisions_cost_energy,
    "swinging_chain": chain_keeps_its_energy,
    "falling_cat": paddler_turns,
    "four_bar": linkage_is_as_on_paper,
    "hybrid_systems": hybrid_systems_are_as_on_paper,
    "slider_crank": slider_stays_in_its_guide,
}
