"""What all commands have in common: help with an example, one sentence for what is wrong, and a quick start."""

import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from command_line import called, refused
from stickslip.cli import commands
from stickslip.cli.main import app

COMMANDS = ["simulate", "studies", "reproduce", "bench", "doctor"]

SCRIPT = Path(sys.executable).with_name("stickslip")


def test_these_are_all_commands():
    assert [command.callback.__name__ for command in app.registered_commands] == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_that_begins_with_the_command(command):
    done = called(command, "--help")
    assert done.exit_code == 0
    assert f"Example: stickslip {command}" in done.stdout
    assert done.stderr == ""


def test_without_a_command_there_is_help():
    done = called()
    assert done.exit_code == 0
    assert all(f"\n  {command} " in done.stdout for command in COMMANDS)
    assert "2 refused" in done.stdout


def test_version():
    assert called("--version").stdout == f"stickslip {version('stickslip')}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["simulat"], "no such command 'simulat'. Did you mean 'simulate'? See stickslip --help."),
        (["simulate"], "missing argument 'SCENARIO.toml'. See stickslip simulate --help."),
        (["simulate", "a", "b"], "got unexpected extra argument(s) (b). See stickslip simulate --help."),
        (["--fast"], "no such option: --fast. See stickslip --help."),
        (["simulate", "a", "-o"], "option '-o' requires an argument. See stickslip --help."),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments, sentence):
    assert refused(*arguments) == sentence


def test_a_mistake_of_ours_keeps_its_traceback(monkeypatch):
    """Only what is refused on purpose becomes a sentence."""

    def broken():
        raise ZeroDivisionError

    monkeypatch.setattr("stickslip.studies.registry.STUDIES", {"broken": "broken"})
    monkeypatch.setattr("stickslip.studies.registry.import_module", lambda name: broken())
    with pytest.raises(ZeroDivisionError):
        called("reproduce", "broken")


def test_a_sentence_stays_on_one_line(capsys):
    commands.say("the first\nand   the second.")
    assert capsys.readouterr().err == "stickslip: the first and the second.\n"


@pytest.mark.parametrize("arguments", [["--help"], ["simulate", "--help"], ["studies"]])
def test_the_compiler_is_not_loaded(arguments):
    code = (
        "import sys\nfrom stickslip.cli.main import main\n"
        f"sys.argv = ['stickslip', *{arguments!r}]\n"
        "try: main()\nexcept SystemExit as end: assert not end.code\n"
        "print(*[name for name in ('numba', 'h5py', 'matplotlib') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []


def test_help_takes_less_than_a_third_of_a_second():
    took = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([SCRIPT, "--help"], capture_output=True, check=True)
        took.append(time.perf_counter() - started)
    assert min(took) < 0.3


def test_the_script_answers_with_its_exit_code():
    done = subprocess.run([SCRIPT, "simulate", "none.toml"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "stickslip: none.toml: there is no such file.\n"
