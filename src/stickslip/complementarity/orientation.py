"""Uniqueness whatever the forces applied: the determinants of all words of modes.

A contact at rest in the plane is in one of four modes, and in each of them (accelerations, forces) is a plane of two
parameters; the four pieces fit together to a folded plane, as the two pieces of a complementarity pair fit together to a
bent line. A problem asks for the points where accelerations minus G times forces is a given vector. That map is affine on
each piece, with a determinant for each word:

    det(N G W) over its letters:   S nothing;   F all rows of the contact on both sides;
                                   R (L) the normal row N, and the normal column minus (plus) mu times the tangential one, W

Where all of these have one sign, the map is one to one and onto: a piecewise affine map that keeps its orientation can only
fail to be one to one where it winds around a face of two dimensions less, and there at most four pieces meet, each with an
angle of less than half a turn (for S, exactly half a turn): less than two turns in all, hence one. So the solution exists
and is unique, in motion and force, for every bias and input. Where some determinant is not positive, some bias has several
solutions or none. For contacts that slide, S and R or L remain, and the determinants are the principal minors of paper 1's
matrix: P-matrices.

The determinants are found depth first, each as the product of the pivots on the way to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from stickslip.complementarity.exact import fractions
from stickslip.complementarity.exact_linear import inertia, solved
from stickslip.complementarity.tables import DIRECTION
from stickslip.complementarity.word import dry_letters, limit_letters
from stickslip.mechanism.errors import ArgumentError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem


class Column(NamedTuple):
    """A column of forces: one in the row `normal`, and mu times these factors in others."""

    normal: int
    friction: Mapping[int, Any]


class Piece(NamedTuple):
    """One mode of one row or contact: rows whose accelerations vanish, and as many columns of forces that are free."""

    letter: str
    rows: tuple[int, ...]
    columns: tuple[Column, ...]


OPEN = Piece("S", (), ())


def pieces(problem: ContactProblem, ratios: Sequence[Any]) -> list[tuple[Piece, ...]]:
    """The modes of everything in the problem, loops first; `ratios` are each contact's friction in units of mu."""
    rows = problem.stacked
    result: list[tuple[Piece, ...]] = [(_held("F", (row,)),) for row in range(rows.bilateral.start, rows.bilateral.stop)]
    result += [(OPEN, _held("F", (rows.limits.start + i,))) for i, x in enumerate(limit_letters(problem)) if x != "S"]
    result += [(OPEN, _held("F", (rows.dry.start + i,))) for i, x in enumerate(dry_letters(problem)) if len(x) > 1]
    result += [_of_contact(problem, i, ratio) for i, ratio in enumerate(ratios) if problem.letters[i] not in ("", "S")]
    return result


def _held(letter: str, rows: tuple[int, ...]) -> Piece:
    return Piece(letter, rows, tuple(Column(row, {}) for row in rows))


def _of_contact(problem: ContactProblem, i: int, ratio: Any) -> tuple[Piece, ...]:
    size, letters = problem.rows_per_contact, problem.letters[i]
    n = size * i
    if ratio == 0:
        return OPEN, _held("N", (n,))
    if "F" in letters:
        if size == 3:
            raise ArgumentError(
                f"contact {problem.contacts[i].name!r} is at rest in space, where slip may begin in any direction; "
                "determinants decide only in the plane, or where all contacts slide."
            )
        slips = [Piece(x, (n,), (Column(n, {n + 1: -DIRECTION[x] * ratio}),)) for x in "RL"]
        return OPEN, _held("F", (n, n + 1)), *slips
    if size == 2:
        friction = {n + 1: -DIRECTION[letters[1]] * ratio}
    else:
        slip = problem.velocity[n + 1 : n + 3]
        speed = float((slip @ slip) ** 0.5)
        friction = {n + 1 + k: -ratio * x / speed for k, x in enumerate(slip.tolist())}
    return OPEN, Piece(letters[1], (n,), (Column(n, friction),))


def count(choices: list[tuple[Piece, ...]]) -> int:
    """The number of words."""
    number = 1
    for choice in choices:
        number *= len(choice)
    return number


def exact_delassus(problem: ContactProblem) -> list[list[Any]] | None:
    """J M^-1 J^T over all rows as fractions, from the numbers as given; None unless M is positive definite."""
    mass = fractions(problem.mass)
    if not inertia(mass)[0]:
        return None
    J = fractions(problem.stacked.jacobian)
    _, response = solved(mass, [list(column) for column in zip(*J, strict=True)] if J else [[] for _ in mass])
    return [
        [sum((a * x for a, x in zip(row, column, strict=True) if a), 0) for column in zip(*response, strict=True)] for row in J
    ]


def determinants(G: Sequence[Sequence[Any]], choices: list[tuple[Piece, ...]], mu: Any) -> Iterator[tuple[str, Any]]:
    """(word, determinant) of all words, as far as they can be reached through others whose determinant is not zero.

    A word that is reported with zero has no successors: then not all words are reported.
    """
    yield from _below([list(row) for row in G], choices, mu, "", 1)


def _below(
    Q: list[list[Any]], choices: list[tuple[Piece, ...]], mu: Any, word: str, determinant: Any
) -> Iterator[tuple[str, Any]]:
    """All words that begin with `word`; Q is what its pivots have left of G."""
    if not choices:
        yield word, determinant
        return
    for piece in choices[0]:
        if not piece.rows:
            yield from _below(Q, choices[1:], mu, word + piece.letter, determinant)
            continue
        columns = [_column(Q, column, mu) for column in piece.columns]
        value, changes = solved([[column[row] for column in columns] for row in piece.rows], [Q[row] for row in piece.rows])
        if value == 0:
            yield word + piece.letter, value
            continue
        left = (
            [
                [
                    entry - sum(column[i] * change[j] for column, change in zip(columns, changes, strict=True))
                    for j, entry in enumerate(row)
                ]
                for i, row in enumerate(Q)
            ]
            if len(choices) > 1
            else Q
        )
        yield from _below(left, choices[1:], mu, word + piece.letter, determinant * value)


def _column(Q: list[list[Any]], column: Column, mu: Any) -> list[Any]:
    return [row[column.normal] + sum(mu * factor * row[k] for k, factor in column.friction.items()) for row in Q]


def all_positive(G: Sequence[Sequence[Any]], choices: list[tuple[Piece, ...]], mu: Any) -> bool:
    """Whether the determinants of all words are positive."""
    return all(value > 0 for _, value in determinants(G, choices, mu))
