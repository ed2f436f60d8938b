"""`stickslip doctor` says what is installed, and what to do where something is not well."""

import json
import tomllib
from importlib.metadata import version
from pathlib import Path

from command_line import called
from stickslip.cli import doctor

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


def test_here_all_is_well():
    done = called("doctor", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["numba"] == {"found": version("numba"), "cure": ""}
    assert "writable" in report["kernel cache"]["found"]
    assert all(not entry["cure"] for entry in report.values())


def test_every_dependency_and_every_extra_is_looked_at():
    told = called("doctor").stdout.splitlines()
    names = {doctor.NAME.match(line)[0] for line in PROJECT["dependencies"]}
    assert names <= {line.split()[0] for line in told}
    assert set(doctor.EXTRAS) == set(PROJECT["optional-dependencies"])


def test_a_cache_that_cannot_be_written(monkeypatch):
    monkeypatch.setattr("stickslip.dynamics.kernel.cache_folder", lambda: None)
    done = called("doctor")
    assert done.exit_code == 1
    assert "! set STICKSLIP_CACHE_DIR to a folder that can be written to" in done.stdout


def test_an_extra_that_is_not_installed_is_no_trouble(monkeypatch):
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    done = called("doctor")
    assert done.exit_code == 0
    assert 'not installed; for reading MJCF files: pip install "stickslip[mjcf]"' in done.stdout


def test_a_package_that_is_missing_and_two_that_quarrel(monkeypatch):
    monkeypatch.setattr(doctor, "_installed", lambda name: None if name == "h5py" else "1.0")
    done = called("doctor")
    assert done.exit_code == 1
    assert "! install it: pip install h5py" in done.stdout
    assert "both mujoco and mujoco-core are installed" in done.stdout
