"""A trajectory in an HDF5 file: which array is called what there, and back.

Over `time`: q, v, tau, energy. Over `record`, sparse: the closed contacts, each with its sample, its contact, its letter's
ASCII code, gap and force. Over `event` and `event_contact`: events and what they touched. Over `certificate`: verdicts. Over
`joint`: the layout. Over `stop`, of length one or zero: the problem that the run stopped at. Single facts are attributes of the
file. `settings` and `problem` are JSON.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stickslip.complementarity import Answer
from stickslip.mechanism import JointKind
from stickslip.simulate.contact_history import ContactHistory
from stickslip.simulate.event import MOST_COMPONENTS, Event
from stickslip.simulate.layout import Layout
from stickslip.simulate.netcdf import StorageError, checked_text, dimension, labels, numbers, text, variable, words
from stickslip.simulate.outcome import Outcome
from stickslip.simulate.plain_data import from_json, to_json
from stickslip.simulate.stored_problem import problem_from_json, problem_to_json
from stickslip.simulate.trajectory import Trajectory
from stickslip.simulate.verdict import Verdict

SPACE = "space"  # stands for a plane where there is none
COMPONENTS = ("normal", "tangent_1", "tangent_2")
UNKNOWN = np.nan  # energy change of an event that does not say it
KINDS = {kind.label: kind for kind in JointKind}


def write(file: Any, run: Trajectory) -> None:
    """Everything that a trajectory holds."""
    file.attrs["title"] = checked_text(f"trajectory of {run.layout.mechanism}")
    file.attrs["outcome"] = run.outcome.name
    file.attrs["outcome_meaning"] = run.outcome.value
    file.attrs["trouble"] = checked_text(run.trouble)
    file.attrs["settings"] = to_json(run.settings)
    _write_layout(file, run.layout)
    _write_samples(file, run)
    _write_contacts(file, run.contacts)
    write_events(file, run.events)
    _write_certificates(file, run.certificates)
    dimension(file, "stop", 1 if run.problem else 0)
    told = [problem_to_json(run.problem)] if run.problem else []
    labels(file, "problem", told, "stop", long_name="contact problem that the run stopped at, as JSON")


def read(file: Any) -> Trajectory:
    """The same trajectory again."""
    outcome, problem = text(file, "outcome"), words(file, "problem")
    if outcome not in Outcome.__members__:
        raise StorageError(f"its outcome {outcome!r:.60} is unknown.")
    return Trajectory(
        layout=_read_layout(file),
        **{name: numbers(file, name, np.float64) for name in ("time", "q", "v", "tau", "energy")},
        contacts=_read_contacts(file),
        events=read_events(file),
        certificates=_read_certificates(file),
        outcome=Outcome[outcome],
        trouble=text(file, "trouble"),
        problem=problem_from_json(problem[0]) if problem else None,
        settings=from_json(text(file, "settings"), "the settings"),
    )


# ---- layout and samples --------------------------------------------------------------------------------------------


def _write_layout(file: Any, layout: Layout) -> None:
    file.attrs["mechanism"] = checked_text(layout.mechanism)
    file.attrs["plane"] = layout.plane or SPACE
    labels(file, "joint", layout.joints, "joint", long_name="joints in the order of their coordinates")
    labels(file, "joint_kind", [kind.label for kind in layout.kinds], "joint", long_name="kind of joint")
    labels(file, "position", layout.position_names, "position", long_name="coordinate of q")
    labels(file, "position_unit", layout.position_units, "position", long_name="unit of the coordinate of q")
    labels(file, "rate", layout.velocity_names, "rate", long_name="coordinate of v")
    labels(file, "rate_unit", layout.velocity_units, "rate", long_name="unit of the coordinate of v")
    labels(file, "input", layout.motors, "input", long_name="motor behind the entry of tau")
    labels(file, "energy_part", ("kinetic", "potential"), "energy_part", long_name="part of the energy")


def _read_layout(file: Any) -> Layout:
    plane = text(file, "plane")
    return Layout(
        mechanism=text(file, "mechanism"),
        plane=None if plane == SPACE else plane,
        joints=tuple(words(file, "joint")),
        kinds=tuple(KINDS[label] for label in words(file, "joint_kind")),
        motors=tuple(words(file, "input")),
    )


def _write_samples(file: Any, run: Trajectory) -> None:
    variable(file, "time", run.time, ("time",), units="s", long_name="time", axis="T")
    variable(file, "q", run.q, ("time", "position"), units="m or rad", long_name="position")
    variable(file, "v", run.v, ("time", "rate"), units="m s-1 or rad s-1", long_name="velocity")
    variable(file, "tau", run.tau, ("time", "input"), units="N or N m", long_name="inputs")
    variable(file, "energy", run.energy, ("time", "energy_part"), units="J", long_name="energy")


# ---- contacts ------------------------------------------------------------------------------------------------------


def _write_contacts(file: Any, contacts: ContactHistory) -> None:
    labels(file, "contact", contacts.names, "contact", long_name="contacts that were closed at any sample")
    labels(file, "component", COMPONENTS[: contacts.components], "component", long_name="component of a contact force")
    dimension(file, "record", len(contacts))
    variable(file, "record_sample", contacts.sample, ("record",), long_name="sample of the record, counted from 0")
    variable(file, "record_contact", contacts.contact, ("record",), long_name="contact of the record, counted from 0")
    codes = np.ascontiguousarray(contacts.letter).view(np.uint32).astype(np.uint8)
    variable(file, "record_letter", codes, ("record",), long_name="contact mode, as ASCII")
    variable(file, "record_gap", contacts.gap, ("record",), units="m", long_name="gap")
    variable(file, "record_force", contacts.force, ("record", "component"), units="N", long_name="contact force")


def _read_contacts(file: Any) -> ContactHistory:
    return ContactHistory(
        names=tuple(words(file, "contact")),
        sample=numbers(file, "record_sample", np.int64),
        contact=numbers(file, "record_contact", np.int64),
        force=numbers(file, "record_force", np.float64),
        gap=numbers(file, "record_gap", np.float64),
        letter=numbers(file, "record_letter", np.uint8),
    )


# ---- events and certificates -----------------------------------------------------------------------------------------


def write_events(file: Any, events: tuple[Event, ...]) -> None:
    """Events, and what they touched."""
    changes = [UNKNOWN if event.energy_change is None else event.energy_change for event in events]
    touched = [(i, name) for i, event in enumerate(events) for name in event.contacts]
    known = [impulse for event in events for impulse in event.impulses or ((),) * len(event.contacts)]
    impulses = np.full((len(touched), MOST_COMPONENTS), np.nan)
    for row, impulse in zip(impulses, known, strict=True):
        row[: len(impulse)] = impulse
    dimension(file, "event", len(events))
    dimension(file, "event_contact", len(touched))
    labels(file, "impulse_component", COMPONENTS, "impulse_component", long_name="component of an impulse")
    variable(
        file, "event_time", np.array([event.time for event in events]), ("event",), units="s", long_name="time of the event"
    )
    labels(file, "event_kind", [event.kind for event in events], "event", long_name="what happened")
    variable(file, "event_energy_change", np.array(changes), ("event",), units="J", long_name="energy that the event adds")
    numbering = np.array([i for i, _ in touched], dtype=np.int64)
    variable(file, "event_contact_event", numbering, ("event_contact",), long_name="event, counted from 0")
    labels(file, "event_contact_name", [name for _, name in touched], "event_contact", long_name="contact that took part")
    sizes = np.array([len(impulse) for impulse in known], dtype=np.int64)
    variable(file, "event_contact_components", sizes, ("event_contact",), long_name="components of the impulse that are known")
    parts = ("event_contact", "impulse_component")
    variable(file, "event_contact_impulse", impulses, parts, units="N s", long_name="impulse on the contact")


def read_events(file: Any) -> tuple[Event, ...]:
    """The same events again."""
    times, changes = numbers(file, "event_time", np.float64), numbers(file, "event_energy_change", np.float64)
    kinds = words(file, "event_kind")
    contacts: list[list[str]] = [[] for _ in kinds]
    impulses: list[list[tuple[float, ...]]] = [[] for _ in kinds]
    rows = numbers(file, "event_contact_impulse", np.float64).tolist()
    sizes = numbers(file, "event_contact_components", np.int64).tolist()
    which = numbers(file, "event_contact_event", np.int64).tolist()
    for i, name, row, size in zip(which, words(file, "event_contact_name"), rows, sizes, strict=True):
        contacts[i].append(name)
        if size:
            impulses[i].append(tuple(row[:size]))
    told = zip(times.tolist(), kinds, contacts, impulses, changes.tolist(), strict=True)
    return tuple(
        Event(time, kind, tuple(names), tuple(pushes), None if np.isnan(change) else change)
        for time, kind, names, pushes, change in told
    )


def _write_certificates(file: Any, certificates: tuple[Verdict, ...]) -> None:
    dimension(file, "certificate", len(certificates))
    times = np.array([verdict.time for verdict in certificates])
    variable(file, "certificate_time", times, ("certificate",), units="s", long_name="time of the certificate")
    for question in ("existence", "motion", "force"):
        answers = [getattr(verdict, question).value for verdict in certificates]
        labels(file, f"certificate_{question}", answers, "certificate", long_name=f"what it says of {question}")
    labels(file, "certificate_text", [v.text for v in certificates], "certificate", long_name="its answers with their reasons")


def _read_certificates(file: Any) -> tuple[Verdict, ...]:
    answers = [[Answer(word) for word in words(file, f"certificate_{name}")] for name in ("existence", "motion", "force")]
    times = numbers(file, "certificate_time", np.float64).tolist()
    return tuple(Verdict(*told) for told in zip(times, *answers, words(file, "certificate_text"), strict=True))
