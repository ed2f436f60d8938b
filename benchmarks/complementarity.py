"""Complementarity problems: Lemke's method against QuantEcon's, guesses against Cholesky, P-matrices, all solutions.

    python benchmarks/complementarity.py [--json]

Both sides get the same problems, in one process and in turn: random contact problems in the plane as paper 2 writes them, which
always have a solution. `kernel` and `peer` are compiled loops over the compiled solvers; `call` and `peer call` are
called from Python one by one. Ratios below 1: we are faster. Answers are judged here, apart from both.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
from _timing import best
from quantecon.optimize import lcp_lemke

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from contact_lcps import assembled, contact_lcp
from stickslip import lcp
from stickslip.complementarity.basis import MARKS, SCRATCH
from stickslip.complementarity.guess import guess_into
from stickslip.complementarity.lemke import FIGURES, lemke_into

SIZES = (4, 8, 12, 24, 48)
COUNTED = 10_000  # problems of each size that are solved and judged
TIMED = 500  # of them that are timed
PIVOTS = 100_000
ACCURACY = 1e-6  # of an answer that passes for right, relative to the largest term

Rows = list[dict[str, float]]


def problems(size: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """A (count, n, n) and b (count, n)."""
    rng = np.random.default_rng(size)
    A, b = zip(*(contact_lcp(rng, size // 4) for _ in range(count)), strict=True)
    return np.array(A), np.array(b)


def right(A: np.ndarray, b: np.ndarray, z: np.ndarray) -> bool:
    """Whether z (n,) solves the problem."""
    w = A @ z + b
    scale = (np.abs(A) @ np.abs(z) + np.abs(b)).max()
    return bool(
        np.isfinite(z).all()
        and z.min() >= -ACCURACY * max(1.0, np.abs(z).max())
        and w.min() >= -ACCURACY * scale
        and np.abs(np.minimum(w / scale, z / max(1.0, np.abs(z).max()))).max() <= ACCURACY
    )


def scratch(n: int) -> tuple[np.ndarray, ...]:
    return np.zeros((n + 2, n)), np.zeros((SCRATCH, n)), np.zeros((MARKS, 2 * n + 1), dtype=np.int64)


# ---- compiled loops over both sides ----------------------------------------------------------------------------------


@numba.njit
def many_lemke(A, b, T, line, marks, z, w, basis, figures):
    solved = 0
    for i in range(A.shape[0]):
        solved += lemke_into(A[i], b[i], PIVOTS, T, line, marks, z, w, basis, figures) == 0
    return solved


@numba.njit
def many_of_theirs(A, b):
    solved = 0
    for i in range(A.shape[0]):
        solved += lcp_lemke(A[i], b[i], max_iter=PIVOTS).success
    return solved


@numba.njit
def many_guesses(A, b, bases, T, line, marks, z, w, figures):
    solved = 0
    for i in range(A.shape[0]):
        solved += guess_into(A[i], b[i], bases[i], T, line, marks, z, w, figures) == 0
    return solved


@numba.njit
def many_cholesky(A, b, L, x):
    """One dense factorisation and solution each, by the plainest compiled code."""
    n = b.shape[1]
    for p in range(A.shape[0]):
        for i in range(n):
            for j in range(i + 1):
                s = A[p, i, j]
                for k in range(j):
                    s -= L[i, k] * L[j, k]
                L[i, j] = np.sqrt(s) if i == j else s / L[j, j]
        for i in range(n):
            s = b[p, i]
            for k in range(i):
                s -= L[i, k] * x[k]
            x[i] = s / L[i, i]
        for i in range(n - 1, -1, -1):
            s = x[i]
            for k in range(i + 1, n):
                s -= L[k, i] * x[k]
            x[i] = s / L[i, i]
    return x[0]


def in_turn(call: Callable[..., object], *arrays: np.ndarray) -> Callable[[], object]:
    return lambda: call(*arrays)


# ---- what is measured ------------------------------------------------------------------------------------------------


def lemke() -> Rows:
    rows = []
    for size in SIZES:
        A, b = problems(size, COUNTED)
        wrong = failed = searched = their_wrong = their_failed = pivots = 0
        for one, constants in zip(A, b, strict=True):
            ours = lcp.solve(one, constants)
            searched += not lcp.solve(one, constants, budget=0)
            failed += not ours
            wrong += bool(ours) and not right(one, constants, ours.z)
            pivots += ours.pivots
            theirs = lcp_lemke(one, constants, max_iter=PIVOTS)
            their_failed += not theirs.success
            their_wrong += bool(theirs.success) and not right(one, constants, theirs.z)
        some_A, some_b = A[:TIMED].copy(), b[:TIMED].copy()
        vectors = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(FIGURES)
        kernel, peer, call, their_call = best(
            in_turn(many_lemke, some_A, some_b, *scratch(size), *vectors),
            in_turn(many_of_theirs, some_A, some_b),
            lambda some_A=some_A, some_b=some_b: [lcp.solve(p, q, budget=0) for p, q in zip(some_A, some_b, strict=True)],
            lambda some_A=some_A, some_b=some_b: [lcp_lemke(p, q) for p, q in zip(some_A, some_b, strict=True)],
        )
        rows.append(
            {
                "size": size,
                "failed": failed,
                "wrong": wrong,
                "searched": searched,
                "peer_failed": their_failed,
                "peer_wrong": their_wrong,
                "pivots": pivots / COUNTED,
                "kernel_us": kernel / TIMED * 1e6,
                "peer_us": peer / TIMED * 1e6,
                "call_us": call / TIMED * 1e6,
                "peer_call_us": their_call / TIMED * 1e6,
                "ratio": kernel / peer,
            }
        )
    return rows


def guesses() -> Rows:
    """The right basis known beforehand, against one Cholesky solve of the whole size and against Lemke's method from cold."""
    rows = []
    for contacts in (1, 2, 3, 4, 6, 8):
        size = 4 * contacts
        A, b = problems(size, TIMED)
        bases = np.array([lcp.solve(p, q).basis for p, q in zip(A, b, strict=True)])
        definite = np.array([p @ p.T + np.eye(size) for p in A])
        lemke_vectors = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(FIGURES)
        vectors = np.zeros(size), np.zeros(size), np.zeros(FIGURES)
        assert many_guesses(A, b, bases, *scratch(size), *vectors) == TIMED
        warm, cold, cholesky = best(
            in_turn(many_guesses, A, b, bases, *scratch(size), *vectors),
            in_turn(many_lemke, A, b, *scratch(size), *lemke_vectors),
            in_turn(many_cholesky, definite, b, np.zeros((size, size)), np.zeros(size)),
        )
        rows.append(
            {
                "contacts": contacts,
                "warm_us": warm / TIMED * 1e6,
                "cholesky_us": cholesky / TIMED * 1e6,
                "cold_us": cold / TIMED * 1e6,
                "over_cholesky": warm / cholesky,
                "cold_over_warm": cold / warm,
            }
        )
    return rows


def trajectory() -> Rows:
    """Problems that change a little from each to the next, guessed from the solution before, against each from cold."""
    rng = np.random.default_rng(0)
    rows = []
    for contacts in (2, 4, 8, 16, 32):
        size, steps = 4 * contacts, 500
        along = moving(rng, contacts, steps)
        bases, right_guesses = [], 0
        for k, (p, q) in enumerate(along):
            found = lcp.solve(p, q, guess=bases[-1] if k else None)
            right_guesses += found.pivots == 0
            bases.append(found)
        As, bs = np.array([p for p, _ in along]), np.array([q for _, q in along])
        before = np.array([bases[max(k - 1, 0)].basis for k in range(steps)])
        vectors = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(FIGURES)
        warm, cold = best(
            in_turn(many_warm, As, bs, before, *scratch(size), *vectors),
            in_turn(many_lemke, As, bs, *scratch(size), *vectors),
        )
        rows.append(
            {
                "contacts": contacts,
                "right_guesses": right_guesses / steps,
                "warm_us": warm / steps * 1e6,
                "cold_us": cold / steps * 1e6,
                "cold_over_warm": cold / warm,
            }
        )
    return rows


def moving(rng: np.random.Generator, contacts: int, steps: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """A body of many coordinates that is pushed about while its mass matrix and its contact rows turn, a second in all."""
    nv = 3 * contacts
    root, J, turn, push = (rng.standard_normal(shape) for shape in ((nv, nv), (2 * contacts, nv), (nv, nv), (2, nv)))
    M = root @ root.T + 0.1 * nv * np.eye(nv)
    friction = rng.uniform(0.2, 1.0, contacts)
    problems = []
    for t in np.linspace(0.0, 1.0, steps):
        rows = J @ (np.eye(nv) + 0.1 * t * turn / np.sqrt(nv))
        G = rows @ np.linalg.solve(M, rows.T)
        free = rows @ (np.cos(t) * push[0] + np.sin(t) * push[1])
        problems.append(assembled(0.5 * (G + G.T), free, friction))
    return problems


@numba.njit
def many_warm(A, b, bases, T, line, marks, z, w, basis, figures):
    """The guess, and Lemke's method where it is wrong."""
    solved = 0
    for i in range(A.shape[0]):
        ended = guess_into(A[i], b[i], bases[i], T, line, marks, z, w, figures)
        if ended != 0:
            ended = lemke_into(A[i], b[i], PIVOTS, T, line, marks, z, w, basis, figures)
        solved += ended == 0
    return solved


def p_matrices() -> Rows:
    """P-matrices on which no quick criterion decides, so that all principal minors count, 32767 of size 15."""
    rng = np.random.default_rng(0)
    rows = []
    for size in (10, 12, 15):
        X = rng.standard_normal((size, size))
        A = 10.0 ** rng.uniform(-1, 1, size)[:, None] * (X @ X.T + 0.5 * np.eye(size))  # rows in units of their own
        assert np.linalg.eigvalsh(A + A.T)[0] < 0
        (seconds,) = best(lambda A=A: lcp.is_p_matrix(A))
        rows.append({"size": size, "p_matrix": float(lcp.is_p_matrix(A)), "ms": seconds * 1e3})
    return rows


def enumeration() -> Rows:
    rng = np.random.default_rng(0)
    rows = []
    for name, make in (
        ("gaussian", lambda: (rng.standard_normal((12, 12)), rng.standard_normal(12))),
        ("definite", lambda: ((X := rng.standard_normal((12, 12))) @ X.T, rng.standard_normal(12))),
        ("3 contacts", lambda: contact_lcp(rng, 3)),
    ):
        some = [make() for _ in range(30)]
        counts = [len(lcp.solutions(A, b)) for A, b in some]
        times = [best(lambda A=A, b=b: lcp.solutions(A, b), repeats=3)[0] for A, b in some]
        rows.append(
            {"kind": name, "solutions": float(np.mean(counts)), "mean_ms": np.mean(times) * 1e3, "worst_ms": max(times) * 1e3}
        )
    return rows


PARTS: dict[str, tuple[str, Callable[[], Rows]]] = {
    "lemke": (f"Lemke's method, {COUNTED} problems of each size; the peer is quantecon.optimize.lcp_lemke", lemke),
    "guesses": ("the right basis known, against one Cholesky solve of the same size", guesses),
    "trajectory": ("problems along a motion, guessed from the one before", trajectory),
    "p_matrices": ("P-matrix test", p_matrices),
    "enumeration": ("all solutions of 12 pairs", enumeration),
}


def tell(rows: Rows) -> None:
    widths = {name: max(len(name), *(len(_shown(row[name])) for row in rows)) for name in rows[0]}
    print("  ".join(name.rjust(width) for name, width in widths.items()))
    for row in rows:
        print("  ".join(_shown(row[name]).rjust(width) for name, width in widths.items()))


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def main() -> None:
    parser = argparse.ArgumentParser(description="Complementarity problems against QuantEcon and Cholesky.")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    as_json = parser.parse_args().json
    results = {}
    for name, (title, part) in PARTS.items():
        results[name] = part()
        if not as_json:
            print(f"\n{title}\n")
            tell(results[name])
    if as_json:
        print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
