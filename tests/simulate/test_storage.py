"""A trajectory comes back from its file bit for bit, other tools can read the file, and bad files get a sentence."""

import os
import random
import resource

import h5py
import numpy as np
import pytest

import stickslip as ss
from runs import crate, eventful_run, run, same
from stickslip.simulate import ContactHistory, Layout
from stickslip.simulate.storage import FORMAT

PENDULUM = Layout(mechanism="pendulum", plane="xz", joints=("hinge",), kinds=(ss.JointKind.REVOLUTE,))
NOT_A_NUMBER = np.array([0x7FF8_0000_0000_0001, 0xFFF8_DEAD_BEEF_0000, 0x8000_0000_0000_0000], dtype=np.uint64).view(float)


def slider(n):
    """A long run of a planar mechanism with one contact at every other sample."""
    rng = np.random.default_rng(7)
    closed = np.arange(0, n, 2)
    contacts = ContactHistory(
        names=("toe",),
        sample=closed,
        contact=np.zeros(len(closed), dtype=int),
        force=rng.standard_normal((len(closed), 2)),
        gap=np.zeros(len(closed)),
        letter=rng.choice(["F", "R"], len(closed)),
    )
    return run(PENDULUM, np.arange(n) * 1e-3, rng.standard_normal((n, 1)), contacts=contacts)


RUNS = {
    "with everything": eventful_run,
    "without samples": lambda: run(Layout.of(crate()), []),
    "with one sample": lambda: run(PENDULUM, [0.1], [[np.pi]]),
    "without inputs and contacts": lambda: run(PENDULUM, [0.0, 1.0, 1.0], NOT_A_NUMBER[:, None]),
    "longer than a chunk": lambda: slider(50_000),
    "of names alone": lambda: run(
        PENDULUM, [0.0], settings={"": "", "ключ": "значение"}, trouble=" \n", outcome=ss.Outcome.TROUBLE
    ),
}


@pytest.mark.parametrize("kind", RUNS)
def test_it_comes_back_bit_for_bit(kind, tmp_path):
    original = RUNS[kind]()
    original.save(tmp_path / "run.h5")
    loaded = ss.Trajectory.load(tmp_path / "run.h5")
    assert same(loaded, original)
    assert str(loaded) == str(original)
    assert os.listdir(tmp_path) == ["run.h5"]


def test_a_loaded_run_is_read_only(tmp_path):
    eventful_run().save(tmp_path / "run.h5")
    loaded = ss.Trajectory.load(tmp_path / "run.h5")
    with pytest.raises(ValueError, match="read-only"):
        loaded.q[0, 0] = 1.0


def test_the_problem_that_it_stopped_at_can_be_asked_again(tmp_path):
    eventful_run().save(tmp_path / "run.h5")
    loaded, original = ss.Trajectory.load(tmp_path / "run.h5").problem, eventful_run().problem
    assert loaded.contacts == original.contacts
    assert loaded.solve([1.0]).status is original.solve([1.0]).status is ss.Status.NO_SOLUTION
    assert loaded.solve([1.0]).certificate.verify()


def test_the_same_run_gives_the_same_bytes(tmp_path):
    for name in ("one", "other"):
        eventful_run().save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_what_repeats_itself_is_compressed(tmp_path):
    n = 20_000
    rest = run(PENDULUM, np.arange(n) * 1e-3, np.full((n, 1), 0.3))
    rest.save(tmp_path / "rest.h5")
    with h5py.File(tmp_path / "rest.h5") as file:
        assert all(file[name].id.get_storage_size() < 0.05 * file[name].nbytes for name in ("q", "v", "energy"))


# ---- what other tools see ------------------------------------------------------------------------------------------


def netcdf_dimensions(data):
    """The names of a variable's dimensions, as NetCDF-4 finds them: those of the scales attached to its axes."""
    if data.is_scale:
        return (data.name[1:],)
    assert all(len(axis) == 1 for axis in data.dims), f"{data.name} has an axis with no dimension, or several"
    return tuple(axis[0].name[1:] for axis in data.dims)


@pytest.mark.parametrize("kind", RUNS)
def test_every_variable_has_named_dimensions_of_its_size(kind, tmp_path):
    RUNS[kind]().save(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5") as file:
        scales = {name: len(data) for name, data in file.items() if data.is_scale}
        for data in file.values():
            assert tuple(scales[name] for name in netcdf_dimensions(data)) == data.shape
            stand_in = data.attrs.get("NAME", b"").startswith(b"This is a netCDF dimension but not a netCDF variable")
            assert stand_in or data.attrs["long_name"]


def test_coordinates_and_units_are_said(tmp_path):
    traj = eventful_run()
    traj.save(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5") as file:
        expected = {
            "time": (("time",), "s"),
            "q": (("time", "position"), "m or rad"),
            "v": (("time", "rate"), "m s-1 or rad s-1"),
            "tau": (("time", "input"), "N or N m"),
            "energy": (("time", "energy_part"), "J"),
            "record_force": (("record", "component"), "N"),
            "record_gap": (("record",), "m"),
            "event_time": (("event",), "s"),
            "event_contact_impulse": (("event_contact", "impulse_component"), "N s"),
        }
        for name, (dimensions, unit) in expected.items():
            assert (netcdf_dimensions(file[name]), file[name].attrs["units"]) == (dimensions, unit)
        for name, labels in (
            ("position", traj.layout.position_names),
            ("rate", traj.layout.velocity_names),
            ("input", traj.layout.motors),
            ("contact", traj.contact_names),
            ("component", ("normal", "tangent_1", "tangent_2")),
        ):
            assert tuple(file[name].asstr()[...]) == labels
        assert bytes(file["record_letter"][...]).decode() == traj.contacts.word
        assert (file.attrs["outcome"], file.attrs["plane"], file.attrs["stickslip_format"]) == ("NO_SOLUTION", "space", FORMAT)


# ---- writing: the whole file or none ---------------------------------------------------------------------------------


def test_an_older_file_is_replaced_and_a_link_is_followed(tmp_path):
    slider(10).save(tmp_path / "run.h5")
    (tmp_path / "link.h5").symlink_to("run.h5")
    eventful_run().save(str(tmp_path / "link.h5"))
    assert (tmp_path / "link.h5").is_symlink()
    assert same(ss.Trajectory.load(tmp_path / "run.h5"), eventful_run())


def test_a_disk_that_is_full_damages_nothing(tmp_path):
    target = tmp_path / "run.h5"
    slider(10).save(target)
    before = target.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(ss.StorageError, match=r"cannot be written to .*run\.h5: File too large\."):
            slider(50_000).save(target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert target.read_bytes() == before
    assert os.listdir(tmp_path) == ["run.h5"]


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_nothing_is_left_of_a_write_that_was_interrupted(interruption, tmp_path, monkeypatch):
    def interrupted(descriptor):
        raise interruption

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises((KeyboardInterrupt, ss.StorageError)):
        eventful_run().save(tmp_path / "run.h5")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("nowhere/run.h5", "there is no directory .*nowhere for the trajectory run.h5"),
        (".", "is not a regular file, and is not replaced"),
        ("/dev/null", "is not a regular file, and is not replaced"),
        ("x" * 300, "cannot be written to .*: File name too long"),
        ("a\0b", "cannot be written to .*null"),
        ("", "the path of a trajectory must not be empty"),
        (3, "the path of a trajectory must be a string or a path, not 3"),
    ],
)
def test_places_where_nothing_can_be_written(path, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ss.StickslipError, match=sentence):
        eventful_run().save(path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("name", "sentence"), [("a\0b", "holds a NUL character"), ("a\ud800", "holds half a character")])
def test_words_that_hdf5_cannot_keep(name, sentence, tmp_path):
    event = ss.Event(0.0, "slip", (name,))
    with pytest.raises(ss.StorageError, match=sentence):
        run(PENDULUM, [0.0], events=[event]).save(tmp_path / "run.h5")
    assert os.listdir(tmp_path) == []


# ---- reading what is no trajectory -----------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    """The path of a good file."""
    eventful_run().save(tmp_path / "run.h5")
    return tmp_path / "run.h5"


def refused(path):
    """The sentence with which a path is refused."""
    with pytest.raises(ss.StorageError) as caught:
        ss.Trajectory.load(path)
    sentence = str(caught.value)
    assert str(path) in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_paths_that_lead_to_no_file(tmp_path):
    assert "there is no file" in refused(tmp_path / "run.h5")
    assert "is a directory or a device" in refused(tmp_path)
    assert "is a directory or a device" in refused("/dev/zero")
    assert "File name too long" in refused("x" * 300)
    with pytest.raises(ss.ArgumentError, match="must be a string or a path, not None"):
        ss.Trajectory.load(None)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(saved):
    saved.chmod(0)
    assert "Permission denied" in refused(saved)


@pytest.mark.parametrize("data", [b"", b"time,q\n0,1\n", b"\x80\x04\x95pickle", b"\x89HDF"])
def test_files_of_another_kind(data, tmp_path):
    (tmp_path / "run.h5").write_bytes(data)
    assert "is not an HDF5 file" in refused(tmp_path / "run.h5")


def test_an_hdf5_file_of_somebody_else(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["time"] = np.arange(3.0)
    assert "is an HDF5 file of another kind" in refused(tmp_path / "other.h5")
    with h5py.File(tmp_path / "other.h5", "a") as file:
        file.attrs["stickslip_format"] = "first"
    assert "is an HDF5 file of another kind" in refused(tmp_path / "other.h5")


def test_a_file_of_a_newer_version(saved):
    with h5py.File(saved, "a") as file:
        file.attrs["stickslip_format"] = FORMAT + 1
        file.attrs["stickslip_version"] = "9.0"
    assert f"its format {FORMAT + 1}, written by stickslip 9.0, is newer than" in refused(saved)


def test_a_file_that_is_cut_short(saved):
    data = saved.read_bytes()
    for part in (0.01, 0.3, 0.7, 0.999):
        saved.write_bytes(data[: int(part * len(data))])
        assert "is cut short: its end is missing" in refused(saved)


def replaced(file, name, array):
    """Put another array in the place of a variable."""
    del file[name]
    file[name] = array


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda file: replaced(file, "q", np.zeros((40, 3))), "q must have shape (40, 12), not (40, 3)"),
        (lambda file: replaced(file, "q", np.zeros((40, 12), dtype="f4")), "its 'q' holds float32, not float64"),
        (lambda file: replaced(file, "q", "0 0 0"), "its 'q' holds "),
        (lambda file: replaced(file, "position", np.zeros(3)), ""),
        (lambda file: replaced(file, "joint", np.zeros(3)), "damaged"),
        (lambda file: replaced(file, "joint", np.array([[b"a"]])), "its 'joint' has 2 dimensions, not one"),
        (lambda file: replaced(file, "joint_kind", np.array([b"free", b"rubber", b"ball"])), "damaged: rubber"),
        (lambda file: replaced(file, "event_contact_event", np.array([0, 0, 9, 9])), "damaged"),
        (lambda file: replaced(file, "certificate_motion", np.array([b"perhaps"])), "'perhaps' is not a valid Answer"),
        (lambda file: replaced(file, "time", -np.arange(40.0)), "none before the one that it follows"),
        (lambda file: file.__delitem__("energy"), "it has no 'energy'"),
        (lambda file: replaced(file, "energy", h5py.SoftLink("/nowhere")), "it has no 'energy'"),
        (lambda file: file.attrs.__delitem__("settings"), "it has no text 'settings'"),
        (lambda file: file.attrs.__setitem__("settings", "{"), "damaged"),
        (lambda file: file.attrs.__setitem__("settings", "[" * 100_000), "damaged"),
        (lambda file: file.attrs.__setitem__("settings", "[1]"), "the settings of a trajectory must be a mapping"),
        (lambda file: file.attrs.__setitem__("outcome", "GLORIOUS"), "its outcome 'GLORIOUS' is unknown"),
        (lambda file: file.attrs.__setitem__("plane", "yz"), "the plane must be"),
        (lambda file: replaced(file, "problem", np.array([b"{}"])), "damaged"),
        (lambda file: replaced(file, "problem", np.array([b"[]"])), "damaged"),
    ],
)
def test_a_file_in_which_something_is_wrong(change, sentence, saved):
    with h5py.File(saved, "a") as file:
        change(file)
    if sentence:
        assert sentence in refused(saved)
    else:  # names of coordinates are for other readers; the layout knows them
        assert same(ss.Trajectory.load(saved), eventful_run())


def test_nothing_outside_of_the_file_is_read(saved, tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["energy"] = np.zeros((40, 2))
    with h5py.File(saved, "a") as file:
        replaced(file, "energy", h5py.ExternalLink("other.h5", "energy"))
    assert "it has no 'energy'" in refused(saved)
    (tmp_path / "raw").write_bytes(bytes(40 * 2 * 8))
    with h5py.File(saved, "a") as file:
        del file["energy"]
        file.create_dataset("energy", (40, 2), "f8", external=[(str(tmp_path / "raw"), 0, 40 * 2 * 8)])
    assert "is kept outside of the file" in refused(saved)
    layout = h5py.VirtualLayout(shape=(40, 2), dtype="f8")
    layout[:] = h5py.VirtualSource(tmp_path / "other.h5", "energy", shape=(40, 2))
    with h5py.File(saved, "a") as file:
        del file["energy"]
        file.create_virtual_dataset("energy", layout)
    assert "is kept outside of the file" in refused(saved)


def test_a_small_file_that_claims_to_be_huge(saved):
    with h5py.File(saved, "a") as file:
        del file["energy"]
        file.create_dataset("energy", (10**12, 2), "f8", chunks=(1024, 2))
    assert "its 'energy' claims to be larger than the file can hold" in refused(saved)


def test_changed_bytes_are_noticed_or_do_no_harm(saved, tmp_path):
    data, dice = saved.read_bytes(), random.Random(11)
    sentences = []
    for k in range(300):
        changed = bytearray(data)
        for _ in range(dice.randrange(1, 6)):
            changed[dice.randrange(len(data))] = dice.randrange(256)
        (tmp_path / f"{k}.h5").write_bytes(changed)
        try:
            ss.Trajectory.load(tmp_path / f"{k}.h5")
        except ss.StorageError as error:
            sentences.append(str(error))
    assert len(sentences) > 200
    assert all(sentence.startswith(str(tmp_path)) for sentence in sentences)
