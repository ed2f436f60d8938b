"""`stickslip bench` runs scripts, and says so where there are none."""

import sys
from pathlib import Path

import pytest

from command_line import called, refused
from stickslip.cli import bench


@pytest.fixture
def scripts(tmp_path, monkeypatch):
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (tmp_path / "pyproject.toml").write_text("")
    for name, code in {"slow": "raise SystemExit(3)", "quick": "", "_shared": "raise SystemExit(4)"}.items():
        (folder / f"{name}.py").write_text(
            f"import sys\nopen({str(tmp_path / name)!r}, 'w').write(repr(sys.argv[1:]))\n{code}\n"
        )
    monkeypatch.setattr(bench, "FOLDER", folder)
    return tmp_path


def test_one_by_name(scripts):
    done = called("bench", "quick", "--json")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (scripts / "quick").read_text() == "['--json']"
    assert not (scripts / "slow").exists()


def test_all_until_one_fails(scripts):
    done = called("bench")
    assert done.exit_code == 1
    assert done.stdout == "== quick\n== slow\n"
    assert done.stderr == "stickslip: the benchmark 'slow' failed with exit code 3.\n"
    assert (scripts / "quick").read_text() == "[]"


def test_an_unknown_name(scripts):
    assert refused("bench", "quik") == "there is no benchmark 'quik'; did you mean 'quick'?"
    assert refused("bench", "x") == "there is no benchmark 'x'; there are quick, slow."


def test_an_installed_package_has_none(tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "FOLDER", tmp_path / "benchmarks")
    assert refused("bench").startswith("the benchmarks are not part of an installed package")


def test_those_of_this_folder_are_found():
    names = [script.stem for script in bench._scripts(None)]
    assert "pendulum" in names
    assert all(Path(sys.prefix) not in script.parents for script in bench._scripts(None))
