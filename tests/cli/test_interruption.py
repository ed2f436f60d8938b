"""Ctrl-C is noted until the run looks for it; before the first look, and when it comes twice, it strikes at once."""

import signal

import pytest

from stickslip.cli.interruption import Interruption


def ctrl_c():
    signal.raise_signal(signal.SIGINT)


def test_it_waits_for_the_run_to_look():
    with Interruption() as interruption:
        interruption.look()
        ctrl_c()
        assert interruption.wanted
        with pytest.raises(KeyboardInterrupt):
            interruption.look()


def test_before_the_first_look_it_strikes_at_once():
    with Interruption(), pytest.raises(KeyboardInterrupt):
        ctrl_c()


def test_a_second_one_does_not_wait():
    with Interruption() as interruption:
        interruption.look()
        ctrl_c()
        with pytest.raises(KeyboardInterrupt):
            ctrl_c()


def test_afterwards_everything_is_as_before():
    before = signal.getsignal(signal.SIGINT)
    with Interruption():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before
