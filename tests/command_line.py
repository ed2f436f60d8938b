"""Commands as tests call them, in this process."""

from __future__ import annotations

from typing import Any

from typer.testing import CliRunner

from stickslip.cli.main import app


def called(*arguments: object) -> Any:
    """What a command answers: `.exit_code`, `.stdout`, `.stderr`. An error that is none of ours is raised."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)


def refused(*arguments: object) -> str:
    """The one sentence by which a command refuses; nothing else is said, and the exit code is 2."""
    done = called(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("stickslip: ")
    assert lines[0].endswith((".", "?", ".)"))
    return lines[0].removeprefix("stickslip: ")
