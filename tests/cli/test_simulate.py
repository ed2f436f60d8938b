"""`stickslip simulate`: what it keeps is the run, and what it refuses it refuses before anything is done."""

import errno
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import stickslip as ss
from command_line import called, refused
from runs import same

SCRIPT = Path(sys.executable).with_name("stickslip")

SWING = 'robot = "pendulum"\nduration = 0.7\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "swing.toml").write_text(SWING)
    return tmp_path


def test_a_run_is_kept_as_it_was_made(here):
    done = called("simulate", "swing.toml", "-o", "run.h5")
    assert done.exit_code == 0
    assert done.stderr == ""
    run = ss.Trajectory.load("run.h5")
    assert same(run, ss.Scenario.load("swing.toml").run())
    assert str(run) in done.stdout
    assert "kept in run.h5" in done.stdout
    assert sorted(path.name for path in here.iterdir()) == ["run.h5", "swing.toml"]


def test_without_a_name_it_is_called_like_its_scenario(here):
    assert called("simulate", "swing.toml").exit_code == 0
    assert len(ss.Trajectory.load(here / "swing.h5")) == 701


def test_a_run_that_ends_early_is_kept_and_said(here):
    """The chain of 12 links has more than one contact at some time, for which there is no room."""
    (here / "early.toml").write_text('most_contacts = 1\n[robot]\nname = "pendulum"\noptions = {links = 12}\n')
    done = called("simulate", "early.toml")
    assert done.exit_code == 1
    run = ss.Trajectory.load("early.h5")
    assert run.outcome is ss.Outcome.TROUBLE
    assert 0 < run.duration < 5
    assert done.stderr == f"stickslip: the run ended early, at {run.duration:g} s: {run.trouble}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.toml"], "none.toml: there is no such file."),
        ([".", "-o", "run.h5"], ".: this is a directory, not a file."),
        (["swing.toml", "-o", "none/run.h5"], "there is no directory none for the run run.h5."),
        (["swing.toml", "-o", "."], ". is a directory; name a file for the run."),
        (["wrong.toml"], "wrong.toml: duration must be a number, not 'long'."),
        (["odd.toml"], "odd.toml: the duration of 0.7 s must be a whole number of steps of 0.3 s."),
        (["deep.toml"], "deep.toml: 'link_3' overlaps 'floor' by 1.1 m."),
    ],
)
def test_what_is_refused(here, arguments, sentence):
    (here / "wrong.toml").write_text('robot = "pendulum"\nduration = "long"')
    (here / "odd.toml").write_text(SWING + "dt = 0.3")
    (here / "deep.toml").write_text(SWING + "[start.q]\nhinge_1 = 0")
    before = sorted(here.iterdir())
    assert refused("simulate", *arguments) == sentence
    assert sorted(here.iterdir()) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(here):
    (here / "locked").mkdir(mode=0o500)
    assert "cannot be written to" in refused("simulate", "swing.toml", "-o", "locked/run.h5")


def test_a_disk_that_is_full_keeps_the_older_run(here, monkeypatch):
    (here / "run.h5").write_bytes(b"the older one")

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("stickslip.mechanism.whole_file.os.fsync", full)
    assert refused("simulate", "swing.toml", "-o", "run.h5").endswith("No space left on device.")
    assert (here / "run.h5").read_bytes() == b"the older one"
    assert sorted(path.name for path in here.iterdir()) == ["run.h5", "swing.toml"]


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_file_is_refused_by_a_sentence(here, text):
    (here / "case.toml").write_bytes(text)
    assert refused("simulate", "case.toml").startswith("case.toml: ")
    assert not (here / "case.h5").exists()


def read_until(terminal: int, sign: str, seconds: float) -> str:
    """What a terminal shows until something that matches a sign appears on it, which it has to."""
    shown, end = "", time.monotonic() + seconds
    while not re.search(sign, shown):
        assert select.select([terminal], [], [], max(0.0, end - time.monotonic()))[0], f"{sign!r} is not in {shown!r}"
        shown += os.read(terminal, 4096).decode(errors="replace")
    return shown


def test_ctrl_c_ends_a_run_and_keeps_it(here):
    """Once the progress bar, which there is on a terminal, says that something was done."""
    (here / "long.toml").write_text('robot = "pendulum"\nduration = 100000.0\nrecord_every = 100\n')
    master, slave = pty.openpty()
    command, wide = [SCRIPT, "simulate", "long.toml"], os.environ | {"COLUMNS": "160", "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=slave, text=True, env=wide) as process:
        os.close(slave)
        try:
            read_until(master, r" of 100000 s, [1-9]\d* times real time", 120.0)
            process.send_signal(signal.SIGINT)
            shown = read_until(master, r"holds what was done\.", 60.0)
            told = process.stdout.read()
            assert process.wait(60) == 130
        finally:
            process.kill()
    os.close(master)
    run = ss.Trajectory.load("long.h5")
    assert run.outcome is ss.Outcome.INTERRUPTED
    assert 0 < run.duration < 100000
    assert str(run) in told
    assert f"interrupted at {run.duration:g} s; long.h5 holds what was done." in shown
    whole = ss.robots.pendulum().run(duration=2.0, record_every=100)
    assert (run.q[:21] == whole.q).all()
    assert sorted(path.name for path in here.iterdir()) == ["long.h5", "long.toml", "swing.toml"]
