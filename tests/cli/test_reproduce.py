"""`stickslip studies` and `reproduce`, by a study made up for the purpose."""

import csv
import json
import sys
from types import ModuleType

import pytest

from command_line import called, refused
from stickslip.studies import STUDIES, Compared, Finding, Item, Study, Table


def falling():
    from matplotlib.figure import Figure

    return Finding(
        claim="a stone falls 4.9 m in a second.",
        finding="here it falls 4.905 m [exactly].",
        quantities={"way (m)": Compared(4.9, 4.905), "it bounces": Compared(None, False), "why": Compared("gravity", None)},
        data=Table(("time (s)", "height (m)"), [(0.0, 0.0), (1.0, -4.905)]),
        draw=Figure,
        flags=("there was no wind.",),
    )


def rising():
    raise KeyboardInterrupt


@pytest.fixture
def stones(monkeypatch, tmp_path):
    module = ModuleType("stones")
    module.falling, module.rising = falling, rising
    module.STUDY = Study(
        "stones", "about stones", (Item("fall", "down", "stones:falling"), Item("rise", "up", "stones:rising"))
    )
    monkeypatch.setitem(sys.modules, "stones", module)
    monkeypatch.setitem(STUDIES, "stones", "stones")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_studies_are_listed_with_their_items(stones):
    told = called("studies").stdout
    assert "stones\n  about stones\n    fall  down\n    rise  up\n" in told
    assert "minimal-coordinates\n" in told


def test_an_item_is_told_and_kept(stones):
    done = called("reproduce", "stones", "fall")
    assert done.exit_code == 0
    assert done.stderr == ""
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in done.stdout.splitlines() if "│" in line]
    assert rows == [["way (m)", "4.9", "4.905"], ["it bounces", "–", "no"], ["why", "gravity", "–"]]
    assert "the paper: a stone falls 4.9 m in a second.\nhere: here it falls 4.905 m [exactly].\n" in done.stdout
    assert "take care: there was no wind.\n" in done.stdout
    folder = stones / "output" / "stones"
    assert sorted(path.name for path in folder.iterdir()) == ["fall.csv", "fall.json", "fall.png"]
    assert (folder / "fall.png").read_bytes().startswith(b"\x89PNG")
    with open(folder / "fall.csv", newline="") as file:
        assert list(csv.reader(file)) == [["time (s)", "height (m)"], ["0.0", "0.0"], ["1.0", "-4.905"]]
    kept = json.loads((folder / "fall.json").read_text())
    assert kept["quantities"]["way (m)"] == {"paper": 4.9, "ours": 4.905}
    assert kept["flags"] == ["there was no wind."]


def test_json_alone_writes_nothing(stones):
    done = called("reproduce", "stones", "fall", "--json")
    assert json.loads(done.stdout) == {
        "fall": {
            "way (m)": {"paper": 4.9, "ours": 4.905},
            "it bounces": {"paper": None, "ours": False},
            "why": {"paper": "gravity", "ours": None},
        }
    }
    assert list(stones.iterdir()) == []


def test_json_with_a_folder_writes_there(stones):
    assert called("reproduce", "stones", "fall", "fall", "--json", "--out", "deep/er").exit_code == 0
    assert len(list((stones / "deep" / "er").iterdir())) == 3


def test_ctrl_c_keeps_the_items_that_are_done(stones):
    done = called("reproduce", "stones", "--out", "here")
    assert done.exit_code == 130
    assert done.stderr == "stickslip: interrupted.\n"
    assert sorted(path.name for path in (stones / "here").iterdir()) == ["fall.csv", "fall.json", "fall.png"]


def test_what_is_refused(stones):
    (stones / "file").write_text("")
    assert refused("reproduce", "stone") == "there is no study 'stone'; did you mean 'stones'?"
    assert refused("reproduce", "pebbles") == "there is no study 'pebbles'; there are minimal-coordinates, stones."
    assert refused("reproduce", "stones", "fly") == "study 'stones' has no item 'fly'; it has fall, rise."
    assert refused("reproduce", "stones", "fall", "--out", "file") == "file cannot be written: File exists."
    assert refused("reproduce", "stones", "fall", "--out", "file/in") == "file/in cannot be written: Not a directory."
    assert [path.name for path in stones.iterdir()] == ["file"]
