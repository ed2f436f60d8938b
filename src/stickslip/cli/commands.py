"""What all commands have in common: one sentence for what is wrong, and an exit code that scripts can rely on."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

DONE, ENDED_EARLY, REFUSED, INTERRUPTED = 0, 1, 2, 130  # exit codes


class RefusedError(typer.TyperException):
    """Something that was asked for cannot be done; the message is a sentence that says why."""

    exit_code = REFUSED


class Commands(TyperGroup):
    """All commands. Whatever the library or typer refuses becomes one sentence on stderr."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run a command and leave with its exit code."""
        options |= {"prog_name": "stickslip", "standalone_mode": False}
        try:
            code = super().main(*arguments, **options)
        except typer.TyperException as error:
            _leave(_usage(error), error.exit_code)
        except Exception as error:
            _leave(_sentence(error), REFUSED)
        sys.exit(code or DONE)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; Ctrl-C ends it without a traceback."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say("interrupted.")
            raise typer.Exit(INTERRUPTED) from None


def say(sentence: str) -> None:
    """A sentence on stderr, on one line."""
    print(f"stickslip: {' '.join(sentence.split())}", file=sys.stderr, flush=True)


def _leave(sentence: str, code: int) -> None:
    say(sentence)
    sys.exit(code)


def _usage(error: typer.TyperException) -> str:
    """What is wrong with the arguments, and where it is said how they should be."""
    told = error.format_message().strip()
    if isinstance(error, RefusedError):
        return told
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "stickslip"
    return f"{told[:1].lower()}{told[1:]}{'' if told.endswith(('.', '?')) else '.'} See {command} --help."


def _sentence(error: Exception) -> str:
    """What the library or the operating system refused; anything else is a mistake of ours, and keeps its traceback."""
    from stickslip.mechanism.errors import StickslipError

    if isinstance(error, StickslipError):
        return str(error)
    if isinstance(error, OSError) and error.errno:
        return f"{f'{error.filename}: ' if error.filename else ''}{os.strerror(error.errno)}."
    raise error
