"""Every example runs as a script, and shows what it promises."""

import os
import re
import subprocess
import sys
from pathlib import Path

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


CHECKS = {
    "swinging_chain": chain_keeps_its_energy,
    "falling_cat": paddler_turns,
    "slider_crank": slider_stays_in_its_guide,
}
