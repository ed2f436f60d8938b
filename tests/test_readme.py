"""The examples in the documentation run as they are written."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def python_blocks(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/usage.md", "docs/contact.md", "docs/hybrid.md", "docs/figures.md"])
def test_python_runs_as_written(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for block in python_blocks(page):
        exec(compile(block, page, "exec"), namespace)
    assert capsys.readouterr().out


def test_the_first_example_is_short():
    (block,) = python_blocks("README.md")
    assert len(block.strip().splitlines()) <= 16


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text()):
        assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}, which does not exist"
