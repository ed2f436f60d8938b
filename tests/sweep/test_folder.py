"""A folder keeps what is done, to the last bit, and a later call does only what is missing; of that sweep and no other."""

import functools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss
from stickslip.sweep import CaseStatus, Progress, parallel_map

BRIEF = 0.05  # s


def counting(folder):
    """A function that draws, and leaves a file in the folder for each time that a case was done."""

    def function(case, random):
        (folder / f"{case}-{random.integers(1 << 60)}").touch()
        return case * random.normal()

    return function


@pytest.fixture
def marks(tmp_path):
    folder = tmp_path / "marks"
    folder.mkdir()
    return folder


# ---- going on ----------------------------------------------------------------------------------------------------------


def test_a_second_call_does_nothing_again(tmp_path, marks):
    first = parallel_map(counting(marks), range(6), folder=tmp_path / "sweep", workers=0)
    for mark in marks.iterdir():
        mark.unlink()
    told = []
    again = parallel_map(counting(marks), range(6), folder=tmp_path / "sweep", workers=2, progress=told.append)
    assert again.values == first.values == parallel_map(counting(marks), range(6), workers=0).values
    assert told == [Progress(6, 0, 6)]
    assert len(list(marks.iterdir())) == 6  # of the last call, which has no folder


def test_what_is_missing_is_done_and_nothing_else(tmp_path, marks):
    parallel_map(counting(marks), range(6), folder=tmp_path / "sweep", workers=0)
    for mark in marks.iterdir():
        mark.unlink()
    chunks = sorted((tmp_path / "sweep").glob("chunk-*"))
    assert len(chunks) == 6
    for chunk in (chunks[1], chunks[4]):
        chunk.unlink()
    again = parallel_map(counting(marks), range(6), folder=tmp_path / "sweep", workers=0)
    assert sorted(mark.name[0] for mark in marks.iterdir()) == ["1", "4"]
    assert again.values == parallel_map(counting(marks), range(6), workers=0).values


def test_what_failed_stays_so_until_it_is_to_be_tried_again(tmp_path):
    cure, folder = tmp_path / "cured", tmp_path / "sweep"

    def ill(case, random):
        if case == 1 and not cure.exists():
            raise ValueError("ill")
        return case

    for _ in range(2):
        results = parallel_map(ill, range(3), folder=folder, workers=0)
        assert [result.status.name for result in results] == ["DONE", "RAISED", "DONE"]
        assert results[1].error == "ValueError: ill"
        assert "in ill" in results[1].traceback
        cure.touch()
    assert parallel_map(ill, range(3), folder=folder, workers=0, retry=True).values == (0, 1, 2)
    assert parallel_map(ill, range(3), folder=folder, workers=0).values == (0, 1, 2)  # the later record counts


SCRIPT = """
import sys, time
import stickslip as ss
from stickslip.sweep import parallel_map

world = ss.robots.pendulum(links=2).world

def slow(case, random):
    time.sleep(0.1)
    return {"gap": world.gap([case, 0.0]), "draw": random.normal()}

told = lambda progress: print(progress.done, flush=True)
results = parallel_map(slow, [0.01 * k for k in range(24)], workers=2, folder=sys.argv[1], progress=told)
print(results, [value["draw"] for value in results.values] if not results.interrupted else "")
time.sleep(float(sys.argv[2]))
"""


def start(script, folder, rest):
    return subprocess.Popen(
        [sys.executable, script, folder, str(rest)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def processes_of(session):
    """The command lines of all processes of a session that still run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, its_session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                found.append((folder / "cmdline").read_text().replace("\0", " "))
        except OSError:  # it ended meanwhile
            continue
    return found


@pytest.mark.parametrize("to_all", [True, False])
def test_an_interruption_keeps_what_is_done_and_leaves_no_process_behind(tmp_path, to_all):
    """Ctrl-C in a terminal goes to all processes, a signal from a scheduler to the first alone."""
    script, folder = tmp_path / "script.py", tmp_path / "sweep"
    script.write_text(SCRIPT)
    run = start(script, folder, 1.0)
    while int(run.stdout.readline()) < 4:
        pass
    (os.killpg if to_all else os.kill)(run.pid, signal.SIGINT)
    line = run.stdout.readline()
    while line.strip().isdigit():  # chunks that were finished when the signal came
        line = run.stdout.readline()
    done = int(line.split("cases: ")[1].split(" DONE")[0])
    assert 4 <= done < 24
    assert f"{24 - done} OPEN" in line
    assert not [command for command in processes_of(run.pid) if "LokyProcess" in command]
    assert run.communicate()[1] == ""
    assert run.returncode == 0

    again = start(script, folder, 0.0)
    out, err = again.communicate()
    assert err == ""
    counts = out.splitlines()
    assert int(counts[0]) == done
    assert "<Results of 24 cases: 24 DONE>" in counts[-1]
    children = np.random.SeedSequence(0).spawn(24)
    assert counts[-1].endswith(str([np.random.default_rng(child).normal() for child in children]))


# ---- what is kept --------------------------------------------------------------------------------------------------------


def test_values_are_kept_to_the_last_bit(tmp_path):
    run = ss.robots.pendulum(links=2).run(duration=0.05)
    value = {
        "number": 0.1 + 0.2,
        "odd": [np.nan, -0.0, np.inf, 5e-324, 2**80, None, True, "half \ud800 and \0", ""],
        "empty": {},
        "nested": {"a/b": {"c": [1, [2.0, ()]]}},
        "array/of": np.array([[np.nan, -0.0], [1e-320, 3.0]]),
        "bytes": np.arange(6, dtype=np.uint8).reshape(2, 3),
        "truth": np.array([True, False]),
        "swapped": np.arange(3, dtype=">i4"),
        "half": np.float16([0.1]),
        "nothing": np.zeros((0, 4)),
        "scalar": np.array(2.5),
        "run": run,
    }

    def constant(case, random):
        return value if case else value["array/of"]

    folder = tmp_path / "sweep"
    first = parallel_map(constant, [0, 1], folder=folder, workers=0)
    again = parallel_map(constant, [0, 1], folder=folder, workers=0)
    assert list(folder.glob("chunk-*"))
    for results in (first, again):
        whole, kept = results.values
        assert whole.tobytes() == value["array/of"].tobytes()
        assert list(kept) == list(value)
        for name, entry in value.items():
            if isinstance(entry, np.ndarray):
                assert (kept[name].dtype, kept[name].shape) == (entry.dtype.newbyteorder("="), entry.shape)
                assert kept[name].tobytes() == entry.astype(kept[name].dtype).tobytes()
                assert not kept[name].flags.writeable
        assert kept["number"].hex() == value["number"].hex()
        assert repr(kept["odd"]) == repr(tuple(value["odd"]))
        assert (kept["empty"], kept["nested"]) == ({}, {"a/b": {"c": (1, (2.0, ()))}})
        assert kept["run"].q.tobytes() == run.q.tobytes()
        assert str(kept["run"]) == str(run)


# ---- whose folder it is ----------------------------------------------------------------------------------------------------


def with_constant(constant):
    return lambda case, random: case + constant


def plus_one(case, random):
    return case + one(case)


def one(case):
    return 1


def test_other_cases_seeds_and_functions_are_refused(tmp_path):
    folder = tmp_path / "sweep"
    parallel_map(with_constant(1), [1, 2], folder=folder, workers=0)
    for function, cases, seed, sentence in (
        (with_constant(1), [1, 2], 5, "its seed is 0, not 5"),
        (with_constant(1), [1, 2, 3], 0, "its number of cases is 2, not 3"),
        (with_constant(1), [1, 2.5], 0, "its cases are others"),
        (with_constant(2), [1, 2], 0, "the code of its function, or what that closes over, has changed since"),
        (plus_one, [1, 2], 0, "its function is .*with_constant.*lambda.*, not .*plus_one"),
    ):
        with pytest.raises(ss.StorageError, match=f"holds another sweep: {sentence}.*give this one a folder of its own"):
            parallel_map(function, cases, seed=seed, folder=folder, workers=0)
    assert parallel_map(with_constant(1), (1, 2), folder=folder, workers=0).values == (2, 3)


@pytest.mark.parametrize(("first", "second"), [((1, 2), (12,)), ((1, 2), (1, 3)), (("a",), ("b",)), ((1,), (1.0,))])
def test_other_arguments_make_another_sweep(tmp_path, first, second):
    def nothing(*given, **named):
        return 0

    for begun, other in ((first, second), (second, first)):
        folder = tmp_path / repr(begun)
        parallel_map(functools.partial(nothing, *begun), [1], folder=folder, workers=0)
        assert parallel_map(functools.partial(nothing, *begun), [1], folder=folder, workers=0).values == (0,)
        with pytest.raises(ss.StorageError, match="the code of its function, or what that closes over"):
            parallel_map(functools.partial(nothing, *other), [1], folder=folder, workers=0)


def test_a_change_in_a_function_that_it_calls_makes_another_sweep(tmp_path, monkeypatch):
    parallel_map(plus_one, [1], folder=tmp_path / "sweep", workers=0)

    def two(case):
        return 2

    two.__module__ = __name__
    monkeypatch.setitem(globals(), "one", two)
    with pytest.raises(ss.StorageError, match="the code of its function"):
        parallel_map(plus_one, [1], folder=tmp_path / "sweep", workers=0)


def test_another_version_makes_another_sweep(tmp_path):
    parallel_map(plus_one, [1], folder=tmp_path / "sweep", workers=0)
    manifest = tmp_path / "sweep" / "sweep.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"stickslip": "0.0.1"}))
    with pytest.raises(ss.StorageError, match=r"it was begun with stickslip 0\.0\.1, not "):
        parallel_map(plus_one, [1], folder=tmp_path / "sweep", workers=0)


def test_cases_must_be_plain_data(tmp_path):
    world = ss.robots.pendulum(links=2).world
    with pytest.raises(ss.ArgumentError, match="case 1 of a sweep in a folder must be made of numbers, words"):
        parallel_map(plus_one, [1, world], folder=tmp_path / "sweep", workers=0)
    assert not (tmp_path / "sweep").exists()


def spoilt_manifest(folder):
    (folder / "sweep.json").write_bytes(b"{")


def spoilt_chunk(folder):
    (chunk,) = folder.glob("chunk-*")
    chunk.write_bytes(chunk.read_bytes()[:-100])


def newer_format(folder):
    (folder / "sweep.json").write_text('{"format": 99}')


def lost_manifest(folder):
    (folder / "sweep.json").unlink()


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (spoilt_manifest, r"sweep\.json is damaged, so that it cannot be told which sweep this is"),
        (spoilt_chunk, r"chunk-00000000\.h5 is damaged; delete it, and its cases will be done again"),
        (newer_format, "has format 99, of which only 1 is read"),
        (lost_manifest, "holds files, but no sweep; give this one a folder of its own"),
    ],
)
def test_damage_is_told(tmp_path, harm, sentence):
    folder = tmp_path / "sweep"
    parallel_map(plus_one, [1], folder=folder, workers=0)
    harm(folder)
    with pytest.raises(ss.StorageError, match=sentence):
        parallel_map(plus_one, [1], folder=folder, workers=0)


def test_folders_that_cannot_be_used(tmp_path):
    (tmp_path / "file").touch()
    for path, sentence in ((tmp_path / "file", "File exists"), (tmp_path / "no" / "such", "No such file or directory")):
        with pytest.raises(ss.StorageError, match=f"the folder .* of a sweep cannot be used: {sentence}"):
            parallel_map(plus_one, [1], folder=path, workers=0)


def test_two_cannot_work_in_one_folder_at_once(tmp_path):
    folder = tmp_path / "sweep"
    held = []

    def meanwhile(progress):
        with pytest.raises(ss.StorageError, match="another process is working on the sweep"):
            parallel_map(plus_one, [1, 2], folder=folder, workers=0)
        held.append(progress)

    parallel_map(plus_one, [1, 2], folder=folder, workers=0, progress=meanwhile)
    assert len(held) == 3
    assert parallel_map(plus_one, [1, 2], folder=folder, workers=0).values == (2, 3)


def test_what_a_killed_process_left_half_written_is_cleared_away(tmp_path):
    folder = tmp_path / "sweep"
    parallel_map(plus_one, [1], folder=folder, workers=0)
    (folder / ".0123456789abcdef.part").write_bytes(b"half")
    assert parallel_map(plus_one, [1], folder=folder, workers=0).values == (2,)
    assert not list(folder.glob(".*.part"))


def test_a_full_disk_is_told_and_what_was_saved_is_kept(tmp_path, monkeypatch):
    folder, saved = tmp_path / "sweep", []

    def full(content, target):
        if len(saved) == 2:
            raise OSError(28, "No space left on device")
        saved.append(target)
        target.write_bytes(content)

    monkeypatch.setattr("stickslip.sweep.folder.put_in_place", full)
    with pytest.raises(ss.StorageError, match=r"results cannot be written to .*chunk-00000001\.h5: No space left on device"):
        parallel_map(plus_one, range(5), folder=folder, workers=0)
    monkeypatch.undo()
    told = []
    assert parallel_map(plus_one, range(5), folder=folder, workers=0, progress=told.append).values == (1, 2, 3, 4, 5)
    assert told[0].done == 1


def test_an_interruption_without_workers_keeps_what_is_done(tmp_path):
    def stops(case, random):
        if case == 2:
            time.sleep(BRIEF)
            raise KeyboardInterrupt
        return case

    results = parallel_map(stops, range(4), folder=tmp_path / "sweep", workers=0)
    assert results.interrupted
    assert [result.status for result in results] == [CaseStatus.DONE] * 2 + [CaseStatus.OPEN] * 2
    assert len(list((tmp_path / "sweep").glob("chunk-*"))) == 2
