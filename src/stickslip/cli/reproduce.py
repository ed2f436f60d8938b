"""`stickslip reproduce`: a paper's figures and tables beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from stickslip.studies import Finding
    from stickslip.studies.study import Value


def reproduce(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A name that `stickslip studies` lists.", show_default=False)],
    items: Annotated[
        list[str] | None,
        typer.Argument(metavar="ITEM", help="Its figures and tables: by default all.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="The folder for figures and data: by default output/STUDY; with --json, none."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print {item: {quantity: {paper, ours}}} and nothing else.")] = False,
) -> None:
    """Compute a paper's figures and tables anew.

    What comes out is set beside the paper's numbers. Each item gives a figure ITEM.png, its data ITEM.csv, and ITEM.json with
    what is compared.
    """
    from stickslip.studies import study as study_of
    from stickslip.studies.writing import compared, prepare, write

    found = study_of(study)
    wanted = [found.item(name) for name in dict.fromkeys(items or [item.name for item in found.items])]
    folder = out if out is not None or json else Path("output", found.name)
    if folder is not None:
        prepare(folder)
    from stickslip.cli.progress import progress_of_items

    findings: dict[str, Finding] = {}
    with progress_of_items(len(wanted)) as begin:
        for item in wanted:
            begin(item.name)
            findings[item.name] = item.find()
            if folder is not None:
                write(item.name, findings[item.name], folder)
    if json:
        from json import dumps

        report = {name: compared(finding) for name, finding in findings.items()}
        print(dumps(report, indent=2, ensure_ascii=False, allow_nan=False))
        return
    for item in wanted:
        _tell(f"{item.name}: {item.about}", findings[item.name])
    print(f"figures and data are in {folder}")


def _tell(title: str, finding: Finding) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(title, style="bold"), soft_wrap=True)
    table = Table()
    table.add_column("quantity", overflow="fold")
    for name in ("paper", "ours"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, (paper, ours) in finding.quantities.items():
        table.add_row(Text(name), _shown(paper), _shown(ours))
    console.print(table)
    console.print(Text(f"the paper: {finding.claim}"), soft_wrap=True)
    console.print(Text(f"here: {finding.finding}"), soft_wrap=True)
    for flag in finding.flags:
        console.print(Text(f"take care: {flag}", style="yellow"), soft_wrap=True)
    console.print()


def _shown(value: Value) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
