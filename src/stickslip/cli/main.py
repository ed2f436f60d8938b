"""`stickslip`: the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from stickslip.cli.bench import bench
from stickslip.cli.commands import Commands
from stickslip.cli.doctor import doctor
from stickslip.cli.reproduce import reproduce
from stickslip.cli.simulate import simulate
from stickslip.cli.studies import studies

# Rich would make help texts colourful, and loading it for them would take longer than all else.
app = typer.Typer(cls=Commands, rich_markup_mode=None, add_completion=False, context_settings={"max_content_width": 100})


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"stickslip {version('stickslip')}")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog="Example: stickslip simulate flip.toml -o flip.h5")
def stickslip(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Exact contact for robots: what happens, what could happen, what to do.

    Exit codes: 0 done, 1 ended early, 2 refused, 130 interrupted.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


app.command(epilog="Example: stickslip simulate flip.toml -o flip.h5")(simulate)
app.command(epilog="Example: stickslip studies")(studies)
app.command(epilog="Example: stickslip reproduce minimal-coordinates table-1 --out figures")(reproduce)
app.command(epilog="Example: stickslip bench pendulum")(bench)
app.command(epilog="Example: stickslip doctor")(doctor)


def main() -> None:
    """What the script `stickslip` runs."""
    app()
