"""Trajectories made by hand, and what it means that two are the same."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

import stickslip as ss
from stickslip.simulate import ContactHistory, Layout, Verdict


def crate() -> ss.Mechanism:
    """A crate that moves freely, with an arm on a hinge and an eye in a ball joint: joints of three kinds."""
    b = ss.MechanismBuilder()
    b.body("crate", mass=2.0, inertia=np.diag([0.1, 0.2, 0.25]), shapes=[ss.Box(size=(0.4, 0.4, 0.2))])
    b.free("root", child="crate")
    b.body("arm", mass=0.5, inertia=np.diag([0.01, 0.02, 0.015]))
    b.revolute("hip", parent="crate", child="arm", axis=(0, 1, 0))
    b.body("eye", mass=0.1, inertia=np.diag([0.01, 0.01, 0.01]))
    b.ball("socket", parent="crate", child="eye")
    return ss.Mechanism(b)


def run(layout: Layout, time: Any, q: Any = None, v: Any = None, **more: Any) -> ss.Trajectory:
    """A trajectory in which what is not given is zero, and nothing touches."""
    n = len(time)
    given = {
        "q": np.zeros((n, layout.nq)) if q is None else q,
        "v": np.zeros((n, layout.nv)) if v is None else v,
        "tau": np.zeros((n, layout.nu)),
        "energy": np.zeros((n, 2)),
        "contacts": ContactHistory.none(planar=layout.plane is not None),
    }
    return ss.Trajectory(layout=layout, time=time, **given | more)


def pushed_block() -> ss.ContactProblem:
    """A contact problem with rows of all kinds."""
    third = 1 / 3
    return ss.ContactProblem(
        mass=np.diag([1.0, third, 0.1]),
        bias=[0.0, 9.81, -0.0],
        input_map=[[1.0], [0.0], [third]],
        jacobian=[[0.0, 1.0, 0.1], [1.0, 0.0, 0.0]],
        drift=[1e-300, 0.0],
        friction=[0.3],
        static_friction=[0.4],
        restitution=[0.5],
        thresholds=1e-9,
        contacts=[
            ss.Contact(name="блок", bodies=("floor", "блок"), id=(1, 0, 7), point=(0.1, 0.0, third), normal=(0.0, 0.0, 1.0))
        ],
        limits=ss.Rows(jacobian=[[0.0, 0.0, 1.0]], names=["hip"]),
        dry_friction=ss.Rows(jacobian=[[0.0, 0.0, 1.0]], bound=0.2, names=["hip's friction"]),
        equalities=ss.LinearConstraint(acceleration=[[0.0, 0.0, 1.0]], constant=0.0),
    )


def eventful_run(n: int = 40, seed: int = 0) -> ss.Trajectory:
    """A run of n samples, at least 6, with something in every field, NaN and names in other scripts included."""
    rng = np.random.default_rng(seed)
    layout = Layout.of(crate())
    q = rng.standard_normal((n, layout.nq))
    q[2, 1] = np.nan
    contacts = ContactHistory(
        names=("пятка:1 on 坂", "Zeh"),
        sample=[1, 1, 2, 5],
        contact=[1, 0, 1, 1],
        force=rng.standard_normal((4, 3)),
        gap=[0.0, np.nan, -1e-12, 5e-324],
        letter="FDSF",
    )
    problem = pushed_block()
    return run(
        layout,
        np.arange(n) * 0.1,
        q,
        rng.standard_normal((n, layout.nv)),
        tau=rng.standard_normal((n, layout.nu)),
        energy=rng.standard_normal((n, 2)),
        contacts=contacts,
        events=(
            ss.Event(0.1, "collision", ("Zeh", "hip"), ((1.5, -0.0, 1e-300), (0.25,)), -3.0),
            ss.Event(0.2, "a guard of my own"),
            ss.Event(0.3, "contact lost", ("Zeh", "пятка:1 on 坂")),
        ),
        certificates=(Verdict.of(0.1, problem.solve().certificate),),
        outcome=ss.Outcome.NO_SOLUTION,
        trouble="Erste Zeile\nсказано: 坂 → stop.",
        problem=problem,
        settings={
            "method": "time-stepping",
            "dt": 1e-3,
            "steps": 7,
            "tolerances": {"gap": [1e-10, None, True], "Größe": np.pi},
        },
    )


def same(first: Any, second: Any) -> bool:
    """Whether two trajectories, or parts of them, agree in every bit: arrays by their bytes, floats by their digits."""
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()
    if isinstance(first, float):
        return first.hex() == second.hex()
    if isinstance(first, tuple):
        return len(first) == len(second) and all(same(a, b) for a, b in zip(first, second, strict=True))
    if hasattr(first, "keys"):
        return list(first) == list(second) and all(same(first[key], second[key]) for key in first)
    if hasattr(type(first), "__dataclass_fields__"):
        return all(same(getattr(first, field.name), getattr(second, field.name)) for field in fields(first))
    return bool(first == second)
