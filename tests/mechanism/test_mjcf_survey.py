"""Files that are no MJCF or that MuJoCo could not digest: one sentence, and soon."""

import os
import time

import pytest

from stickslip.mechanism import MjcfError
from stickslip.mechanism.mjcf import read_mjcf

pytest.importorskip("mujoco")

BALL = '<geom type="sphere" size="0.1" mass="2"/>'
LEG = f'<worldbody><body name="b"><joint name="hip" axis="0 1 0"/>{BALL}</body></worldbody>'

UNREADABLE = {
    "empty": (b"", "the file is empty"),
    "NaN": (
        b"<mujoco><worldbody><body><joint/><geom size='1' mass='nan'/></body></worldbody></mujoco>",
        "this file gives NaN for a number; give a finite one",
    ),
    "binary": (bytes(range(256)), "not well-formed XML"),
    "text": (b"hello", "not well-formed XML: syntax error in line 1, column 1"),
    "urdf": (b'<?xml version="1.0"?><!-- <mujoco> --><robot name="r"/>', "not <robot>; Mechanism.from_urdf reads that"),
    "cut off": (b"<mujoco><worldbody>\n<!-- -- \n -->\n<body>", "not well-formed XML: .* in line 4, column 7"),
    "unknown element": (b"<mujoco><wordbody/></mujoco>", "MuJoCo cannot compile this file: .*wordbody"),
    "no mass": (b"<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "MuJoCo cannot compile this file: .*mass"),
    "absent mesh": (b'<mujoco><asset><mesh file="no.stl"/></asset></mujoco>', "MuJoCo cannot compile this file: .*no.stl"),
    "absent include": (b'<mujoco><include file="no.xml"/></mujoco>', "MuJoCo cannot compile this file: .*no.xml"),
    "document type": (b'<!DOCTYPE m [<!ENTITY a "b">]><mujoco model="&a;"/>', "declares a document type"),
    "bytes": (b'<mujoco><worldbody><body name="\xfc"/></worldbody></mujoco>', "not well-formed XML"),
    "latin-1": (
        b'<?xml version="1.0" encoding="latin-1"?><mujoco><worldbody><body name="\xfc"/></worldbody></mujoco>',
        "is not UTF-8",
    ),
    "flexcomp": (b'<mujoco><worldbody><flexcomp name="f"/></worldbody></mujoco>', "deformable bodies"),
    "copies": (
        b'<mujoco><worldbody><replicate count="200"><replicate count="200"/></replicate></worldbody></mujoco>',
        "more than 30000 elements, copies included",
    ),
    "disguised copies": (
        b'<mujoco model="<!--"><worldbody><replicate count="99999"/></worldbody></mujoco><!-- -->',
        "not well-formed XML",
    ),
    "disguised number": (
        b'<mujoco><worldbody><replicate count="&#57;9999"><body/></replicate></worldbody></mujoco>',
        "more than 30000 elements",
    ),
    "bodies": (b"<mujoco><worldbody>" + b"<body/>" * 40_000 + b"</worldbody></mujoco>", "more than 30000 elements"),
    "deep": (b"<mujoco><worldbody>" + b"<body>" * 10_000, "<body> is nested more than 500 elements deep"),
    "height field": (
        b'<mujoco><asset><hfield name="h" nrow="99999" ncol="99999" size="1 1 1 1"/></asset></mujoco>',
        "nrow='99999' of <hfield> must be at most 10000",
    ),
    "fine mesh": (
        b'<mujoco><asset><mesh name="m" builtin="supersphere" params="3000 1 1"/></asset></mujoco>',
        "params='3000 1 1' of <mesh> must be at most 1000",
    ),
    "keys": (b'<mujoco><size nkey="200000000"/></mujoco>', "nkey='200000000' of <size> must be at most 10000"),
}


@pytest.mark.parametrize(("content", "sentence"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_is_no_model_gives_one_sentence(tmp_path, content, sentence):
    file = tmp_path / "broken.xml"
    file.write_bytes(content)
    with pytest.raises(MjcfError, match=rf"broken\.xml: .*{sentence}") as caught:
        read_mjcf(file)
    assert "\n" not in str(caught.value)


def write(folder, text):
    """A file with the text between <mujoco> and </mujoco>."""
    file = folder / "robot.xml"
    file.write_text(f"<mujoco>{text}</mujoco>")
    return file


def test_a_few_copies_are_as_good_as_a_file_that_spells_them_out(tmp_path):
    text = f"""<worldbody>
        <replicate count="3"><body name="b"><joint name="j"/>{BALL}</body></replicate>
        <replicate count="2"><body name="c"><joint name="k"/>{BALL}</body></replicate></worldbody>"""
    description = read_mjcf(write(tmp_path, text))
    assert [body.name for body in description.bodies] == ["b0", "b1", "b2", "c0", "c1"]


@pytest.mark.parametrize("piece", [b"<include ", b"<replicate '", b'<include "'])
def test_a_tag_that_never_ends_is_refused_at_once(tmp_path, piece):
    file = tmp_path / "endless.xml"
    file.write_bytes(b"<mujoco>" + piece * 8000)
    start = time.perf_counter()
    with pytest.raises(MjcfError, match="not well-formed XML"):
        read_mjcf(file)
    assert time.perf_counter() - start < 2


def test_comments_may_hold_what_xml_forbids_there(tmp_path):
    assert len(read_mjcf(write(tmp_path, f"<!-- ---- <body> & -- -->{LEG}")).bodies) == 1


def test_copies_are_counted_through_included_files(tmp_path):
    (tmp_path / "many.xml").write_text('<mujoco><worldbody><replicate count="999"><body/></replicate></worldbody></mujoco>')
    file = tmp_path / "more.xml"
    file.write_text('<mujoco><worldbody><replicate count="99"><include file="many.xml"/></replicate></worldbody></mujoco>')
    with pytest.raises(MjcfError, match=r"more\.xml: the model has more than 30000 elements"):
        read_mjcf(file)


def write_attached(folder, name, part, times):
    """A model with the body "b", made of so many copies of another model's "b"."""
    copies = "".join(f'<attach model="part" body="b" prefix="{name}{k}_"/>' for k in range(times))
    asset = f'<asset><model name="part" file="{part}.xml"/></asset>'
    file = folder / f"{name}.xml"
    file.write_text(f'<mujoco>{asset}<worldbody><body name="b">{BALL}{copies}</body></worldbody></mujoco>')
    return file


def test_models_are_attached(tmp_path):
    (tmp_path / "part.xml").write_text(f"<mujoco>{LEG}</mujoco>")
    description = read_mjcf(write_attached(tmp_path, "whole", "part", times=3))
    assert [joint.name for joint in description.moving_joints] == ["whole0_hip", "whole1_hip", "whole2_hip"]


def test_attached_models_cannot_grow_without_bounds(tmp_path):
    (tmp_path / "m0.xml").write_text(f"<mujoco>{LEG}</mujoco>")
    for level in range(1, 20):
        last = write_attached(tmp_path, f"m{level}", f"m{level - 1}", times=10)
    with pytest.raises(MjcfError, match=r"m19\.xml: the model has more than 30000 elements, copies included"):
        read_mjcf(last)


def test_a_model_that_attaches_itself_is_refused(tmp_path):
    """MuJoCo's own compiler would end the process."""
    write_attached(tmp_path, "hen", "egg", times=1)
    file = write_attached(tmp_path, "egg", "hen", times=1)
    with pytest.raises(MjcfError, match=r"egg\.xml: the model 'egg\.xml' is part of itself, directly or by way of others\."):
        read_mjcf(file)


@pytest.mark.parametrize(
    "text",
    [
        '<include file="pipe"/>',
        '<asset><model file="pipe"/></asset>',
        '<asset><mesh name="m" file="pipe" content_type="model/stl"/></asset>',
        '<compiler meshdir=".."/><asset><mesh name="m" file="{}/pipe" content_type="model/obj"/></asset>',
    ],
)
def test_nothing_waits_for_a_pipe(tmp_path, text):
    os.mkfifo(tmp_path / "pipe")
    file = write(tmp_path, text.format(tmp_path.name))
    with pytest.raises(MjcfError, match=r"pipe.* not a regular file"):
        read_mjcf(file)
