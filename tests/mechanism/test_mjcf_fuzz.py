"""Damaged MJCF files: whatever happens to a file, reading it gives a sound description or one clear error."""

import math
import re
import warnings
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stickslip.mechanism import MjcfError, MjcfWarning
from stickslip.mechanism.mjcf import read_mjcf

pytest.importorskip("mujoco")

MODEL = b"""<mujoco model="sound">
  <compiler angle="radian" autolimits="true"/>
  <option gravity="0 0 -9.81" timestep="0.002"/>
  <default><joint damping="0.1" armature="0.01"/><geom density="500" friction="1 0.005 0.0001"/></default>
  <asset><mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/></asset>
  <worldbody>
    <body name="torso" pos="0 0 1" quat="1 0 0 0">
      <freejoint name="root"/><geom name="trunk" type="box" size="0.2 0.1 0.3"/>
      <body name="arm" pos="0.2 0 0" euler="0 0.3 0">
        <joint name="lift" type="hinge" axis="0 1 0" pos="0 0 0.1" range="-1 1" ref="0.2" stiffness="3" springref="0.1"/>
        <joint name="reach" type="slide" axis="1 0 0" range="-0.5 0.5" frictionloss="0.1"/>
        <geom name="upper" type="capsule" size="0.05 0.2"/><site name="tip" pos="0 0 0.3"/>
        <body name="hand" pos="0 0 0.4"><joint name="wrist" type="ball"/>
          <inertial pos="0 0 0.1" mass="0.5" diaginertia="0.01 0.02 0.02"/>
          <geom name="palm" type="mesh" mesh="wedge"/></body>
      </body>
    </body>
    <geom name="floor" type="plane" size="1 1 1"/>
  </worldbody>
  <tendon><fixed name="cable" stiffness="2" damping="0.1" springlength="0.3">
    <joint joint="lift" coef="1"/><joint joint="reach" coef="-2"/></fixed></tendon>
  <equality><connect name="grip" body1="hand" body2="torso" anchor="0 0 0.1"/>
    <joint name="mimic" joint1="lift" joint2="reach" polycoef="0.1 1 0 0 0"/></equality>
  <actuator><motor name="m" joint="lift" gear="20" ctrlrange="-1 1"/><position name="p" joint="reach" kp="10" kv="1"/>
    <motor name="t" tendon="cable" gear="3" armature="0.1"/></actuator>
</mujoco>"""

NUMBERS = [match.span() for match in re.finditer(rb"-?\d+(\.\d+)?", MODEL)]
WORDS = [match.span() for match in re.finditer(rb"[A-Za-z_]+", MODEL)]
ODD_NUMBERS = [
    b"nan",
    b"inf",
    b"-inf",
    b"0",
    b"-1",
    b"1e308",
    b"-1e308",
    b"1e-320",
    b"1e20",
    b"",
    b"x",
    b"1 2 3",
    b"\xff",
    b"0x7f",
]


def replaced(data, span, piece):
    return data[: span[0]] + piece + data[span[1] :]


@st.composite
def odd_numbers(draw):
    """The model with some of its numbers replaced, from the last to the first so that the places stay right."""
    data = MODEL
    for span in sorted(draw(st.sets(st.sampled_from(NUMBERS), min_size=1, max_size=3)), reverse=True):
        data = replaced(data, span, draw(st.sampled_from(ODD_NUMBERS)))
    return data


@st.composite
def odd_words(draw):
    """The model with some of its names, tags and attributes replaced by others."""
    data = MODEL
    for span in sorted(draw(st.sets(st.sampled_from(WORDS), min_size=1, max_size=3)), reverse=True):
        other = draw(st.sampled_from(WORDS))
        data = replaced(data, span, MODEL[other[0] : other[1]])
    return data


@st.composite
def cut_and_pasted(draw):
    """The model with a piece of it taken out, put in twice, or put in backwards, or with bytes thrown in."""
    start, end = sorted(draw(st.tuples(st.integers(0, len(MODEL)), st.integers(0, len(MODEL)))))
    piece = draw(st.sampled_from([b"", MODEL[start:end] * 2, MODEL[start:end][::-1]]) | st.binary(max_size=8))
    return replaced(MODEL, (start, end), piece)


@st.composite
def endless(draw):
    """The model with one piece many times in one place, on which anything quadratic takes many seconds."""
    words = b"<include ", b"<replicate ", b"<replicate>", b"<!--", b"<", b'"', b"' ", b"a", b"1", b" ", b'count="', b"<body>"
    place, word = draw(st.integers(0, len(MODEL))), draw(st.sampled_from(words))
    return replaced(MODEL, (place, place), word * (40_000 // len(word)))


def outcome(file):
    """What comes of reading a file: a description, or the sentence of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MjcfWarning)
        try:
            return read_mjcf(file)
        except MjcfError as error:
            return str(error)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=odd_numbers() | odd_words() | cut_and_pasted())
def test_a_damaged_file_gives_a_sound_description_or_one_error(tmp_path, data):
    file = tmp_path / "damaged.xml"
    file.write_bytes(data)
    found = outcome(file)
    if isinstance(found, str):
        assert found.startswith(f"{file}: ")
        assert "\n" not in found
    else:
        numbers = [body.mass for body in found.bodies]
        numbers += [entry for joint in found.joints for entry in (*joint.at, *joint.anchor, *(joint.home or ()))]
        assert all(map(math.isfinite, numbers))


@settings(max_examples=60, deadline=timedelta(seconds=5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=endless())
def test_an_endless_file_takes_no_endless_time(tmp_path, data):
    file = tmp_path / "endless.xml"
    file.write_bytes(data)
    assert outcome(file)


def test_the_model_itself_is_sound(tmp_path):
    file = tmp_path / "sound.xml"
    file.write_bytes(MODEL)
    with pytest.warns(MjcfWarning, match="environment"):
        description = read_mjcf(file)
    assert len(description.bodies) == 4
    assert len(description.motors) == 3
