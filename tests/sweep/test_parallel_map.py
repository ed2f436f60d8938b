"""One function over many cases: the same bits whoever works on them, and no case spoils another."""

import os
import threading
import time

import numpy as np
import pytest

import stickslip as ss
from stickslip.sweep import CaseStatus, Progress, SweepError, parallel_map


def drawing():
    """A function that a worker, which cannot import this file, gets by value: numbers of the case's own."""

    def draw(case, random):
        return {"sum": float(random.normal() + case), "row": random.normal(size=3)}

    return draw


draw = drawing()


def bits(results):
    return [(value["sum"].hex(), value["row"].tobytes()) for value in results.values]


# ---- seeds -------------------------------------------------------------------------------------------------------------


def test_each_case_draws_from_the_seeds_child_of_its_number():
    """As NumPy documents it: the children that `spawn` would give."""
    children = np.random.SeedSequence(7).spawn(5)
    expected = [np.random.default_rng(child).normal() for child in children]
    assert parallel_map(lambda case, random: random.normal(), range(5), seed=7, workers=0).values == tuple(expected)


def test_the_same_bits_on_any_number_of_processes():
    here = parallel_map(draw, range(60), seed=3, workers=0)
    assert bits(parallel_map(draw, range(60), seed=3, workers=1)) == bits(here)
    assert bits(parallel_map(draw, range(60), seed=3, workers=3)) == bits(here)
    assert bits(parallel_map(draw, range(60), seed=4, workers=0)) != bits(here)


def test_a_case_keeps_its_numbers_when_others_are_added():
    assert bits(parallel_map(draw, range(20), workers=0))[:5] == bits(parallel_map(draw, range(5), workers=0))


# ---- results -----------------------------------------------------------------------------------------------------------


def test_results_come_in_the_order_of_the_cases():
    def slowest_first(case, random):
        time.sleep(0.02 * (8 - case))
        return case**2

    assert parallel_map(slowest_first, range(8), workers=2).values == tuple(k**2 for k in range(8))


def test_a_lambda_that_closes_over_a_world_simulates_on_workers_as_it_does_here():
    scenario = ss.robots.pendulum(links=3)

    def swing(angle, random):
        run = scenario.run(q=[angle, 0.0, 0.0], duration=0.2)
        return {"end": run.q[-1], "run": run, "outcome": run.outcome.name}

    angles = [1.3, 1.4, 1.5]
    for angle, value in zip(angles, parallel_map(swing, angles, workers=2).values, strict=True):
        alone = scenario.run(q=[angle, 0.0, 0.0], duration=0.2)
        assert value["end"].tobytes() == alone.q[-1].tobytes()
        assert value["run"].v.tobytes() == alone.v.tobytes()
        assert value["outcome"] == "FINISHED"


def test_workers_have_one_thread_each():
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    (found,) = parallel_map(lambda case, random: [os.environ[name] for name in names], [0], workers=1).values
    assert found == ("1",) * 4


def test_no_cases_are_no_results():
    assert parallel_map(draw, []).values == ()


def test_arrays_of_results_cannot_be_changed():
    (value,) = parallel_map(draw, [1], workers=0).values
    with pytest.raises(ValueError, match="read-only"):
        value["row"][0] = 1.0


def test_progress_is_told_from_the_first_to_the_last():
    told = []
    parallel_map(lambda case, random: 1 / (case - 3), range(12), workers=2, progress=told.append)
    assert told[0] == Progress(0, 0, 12)
    assert told[-1] == Progress(12, 1, 12)
    assert [one.done for one in told] == sorted(one.done for one in told)


# ---- what goes wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 2])
def test_a_case_that_raises_spoils_no_other(workers):
    def fails_at_times(case, random):
        if case == 2:
            raise ValueError("two is\nnot good")
        if case == 4:
            raise SystemExit(3)
        return case

    results = parallel_map(fails_at_times, range(6), workers=workers)
    assert [result.status for result in results] == [
        CaseStatus.RAISED if case in (2, 4) else CaseStatus.DONE for case in range(6)
    ]
    assert [result.index for result in results.failed] == [2, 4]
    assert results[2].error == "ValueError: two is\nnot good"
    assert "fails_at_times" in results[2].traceback
    assert results[4].error == "SystemExit: 3"
    assert [results[case].value for case in (0, 1, 3, 5)] == [0, 1, 3, 5]
    with pytest.raises(SweepError, match="2 of 6 cases have no value; the first of them is case 2: ValueError: two is"):
        _ = results.values
    assert repr(results) == "<Results of 6 cases: 4 DONE, 2 RAISED>"


def test_a_worker_that_dies_costs_its_case_and_no_other():
    """Case 5 kills its worker whenever it is tried; all others have their own numbers."""

    def deadly(case, random):
        if case == 5:
            os._exit(7)
        return {"sum": float(random.normal() + case), "row": random.normal(size=3)}

    results = parallel_map(deadly, range(12), workers=2)
    assert [result.index for result in results.failed] == [5]
    assert results[5].status is CaseStatus.DIED
    assert "ended (EXIT(7))" in results[5].error
    here = parallel_map(draw, range(12), workers=0)
    for case in (*range(5), *range(6, 12)):
        assert results[case].value["sum"] == here[case].value["sum"]


def test_a_worker_that_dies_once_costs_nothing(tmp_path):
    """As when memory was short only while others ran: the second attempt succeeds."""

    def unlucky(case, random):
        if case == 3 and not (tmp_path / "tried").exists():
            (tmp_path / "tried").touch()
            os.kill(os.getpid(), 9)
        return case

    assert parallel_map(unlucky, range(6), workers=2).values == tuple(range(6))
    assert (tmp_path / "tried").exists()


def test_what_cannot_be_sent():
    lock = threading.Lock()
    with pytest.raises(ss.ArgumentError, match=r"the function .* cannot be sent to other processes: .*lock"):
        parallel_map(lambda case, random: lock.locked(), [1])
    results = parallel_map(lambda case, random: 1, [1, lock], workers=0)
    assert results[0].value == 1
    assert "the case cannot be sent to other processes" in results[1].error


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (object(), "what the function returns must be made of numbers, words, sequences and mappings"),
        ({"a": {1, 2}}, "'a' in what the function returns must be made of numbers"),
        ({3: 4}, "the keys of what the function returns must be words, but one is 3"),
        (np.array(["a"]), "must be an array of numbers of at most 8 bytes, not of <U1"),
        ({"z": np.array([1j])}, "'z' in what the function returns must be an array of numbers"),
    ],
)
def test_what_cannot_be_kept(value, sentence):
    (result,) = parallel_map(lambda case, random: value, [0], workers=0)
    assert result.status is CaseStatus.RAISED
    assert sentence in result.error


def test_an_error_in_progress_ends_the_workers_too():
    """What the caller's own function raises is the caller's, and nothing is left behind."""

    def refuses(progress):
        if progress.done:
            raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        parallel_map(draw, range(40), workers=2, progress=refuses)
    assert len(parallel_map(draw, range(4), workers=2).values) == 4


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"function": 3}, "the function of a sweep must be callable, not 3"),
        ({"cases": 3}, "the cases of a sweep must be a sequence, not 3"),
        ({"cases": "abc"}, "the cases of a sweep must be a sequence"),
        ({"seed": -1}, "the seed must be a whole number of at least 0, not -1"),
        ({"seed": 1.0}, "the seed must be a whole number"),
        ({"seed": True}, "the seed must be a whole number"),
        ({"workers": -1}, "workers must be a whole number of at least 0, not -1"),
        ({"workers": "two"}, "workers must be a whole number"),
        ({"retry": 1}, "retry must be True or False, not 1"),
        ({"progress": 3}, "progress must be callable, not 3"),
        ({"folder": 3}, "the folder of a sweep must be a string or a path, not 3"),
        ({"folder": ""}, "the folder of a sweep must not be empty"),
    ],
)
def test_bad_arguments(changes, sentence):
    arguments = {"function": draw, "cases": range(3), "workers": 0} | changes
    with pytest.raises(ss.StickslipError, match=sentence):
        parallel_map(arguments.pop("function"), arguments.pop("cases"), **arguments)
