"""Every study that is registered is whole, and what there is not is refused by name."""

import errno
import os
from importlib import import_module

import pytest
from matplotlib.figure import Figure

import stickslip as ss
from stickslip.studies import STUDIES, Compared, Finding, Table, study
from stickslip.studies.writing import WritingError, compared, prepare, write


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_and_every_item_is_there(name):
    found = study(name)
    assert found.name == name
    assert found.about
    names = [item.name for item in found.items]
    assert len(set(names)) == len(names) > 0
    for item in found.items:
        module, _, function = item.where.partition(":")
        assert callable(getattr(import_module(module), function))
        assert item.about
        assert found.item(item.name) is item


def test_unknown_names():
    with pytest.raises(ss.ArgumentError, match="no study 'minimal-cordinates'; did you mean 'minimal-coordinates'"):
        study("minimal-cordinates")
    with pytest.raises(ss.ArgumentError, match="no study 3; there are "):
        study(3)
    with pytest.raises(ss.ArgumentError, match="no item 'figure-9'; did you mean 'figure-"):
        study("minimal-coordinates").item("figure-9")


def finding(**changes):
    good = {
        "claim": "",
        "finding": "",
        "quantities": {"x": Compared(1.0, 2)},
        "data": Table(("t",), [(0.1,)]),
        "draw": Figure,
    }
    return Finding(**good | changes)


def test_written_files_and_what_is_compared(tmp_path):
    prepare(tmp_path / "a" / "b")
    written = write("item", finding(), tmp_path / "a" / "b")
    assert [path.name for path in written] == ["item.png", "item.csv", "item.json"]
    assert written[1].read_text() == "t\n0.1\n"
    assert compared(finding()) == {"x": {"paper": 1.0, "ours": 2}}


def test_what_is_no_number_is_never_written_as_json(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write("item", finding(quantities={"x": Compared(None, float("nan"))}), tmp_path)


def test_a_disk_that_is_full_leaves_nothing_half_written(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("stickslip.mechanism.whole_file.os.fsync", full)
    with pytest.raises(WritingError, match=r"item.png cannot be written: No space left on device\."):
        write("item", finding(), tmp_path)
    assert list(tmp_path.iterdir()) == []
