"""What became of the cases of a sweep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from stickslip.mechanism.errors import StickslipError


class SweepError(StickslipError, RuntimeError):
    """Cases of a sweep that were to have values have none."""


class CaseStatus(Enum):
    """How a case ended; the value is a sentence. True if there is a value."""

    DONE = "the function returned a value."
    RAISED = "the function raised an error, or returned what cannot be kept."
    DIED = "its worker process ended, in company and alone."
    OPEN = "it was not reached before the sweep was interrupted."

    def __bool__(self) -> bool:
        return self is CaseStatus.DONE


@dataclass(frozen=True, eq=False)
class CaseResult:
    """What became of the case number `index`: a value, or an error as a sentence and where it came from as text."""

    index: int
    status: CaseStatus
    value: Any = None
    error: str = ""
    traceback: str = ""

    def __str__(self) -> str:
        return f"case {self.index}: {self.error or self.status.value}"


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """What became of all cases, in their order: what `parallel_map` returns.

    `results[k]` has `.status`, `.value`, `.error` and `.traceback` of case k.
    """

    cases: tuple[CaseResult, ...]

    @property
    def values(self) -> tuple[Any, ...]:
        """The value of every case; a `SweepError` if one has none."""
        failed = [case for case in self.cases if not case.status]
        if failed:
            raise SweepError(f"{len(failed)} of {len(self)} cases have no value; the first of them is {failed[0]}")
        return tuple(case.value for case in self.cases)

    @property
    def failed(self) -> tuple[CaseResult, ...]:
        """The cases that ended without a value."""
        return tuple(case for case in self.cases if case.status in (CaseStatus.RAISED, CaseStatus.DIED))

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C left cases open."""
        return any(case.status is CaseStatus.OPEN for case in self.cases)

    def __len__(self) -> int:
        return len(self.cases)

    def __getitem__(self, index: int) -> CaseResult:
        return self.cases[index]

    def __iter__(self) -> Iterator[CaseResult]:
        return iter(self.cases)

    def __repr__(self) -> str:
        counts = {status: sum(case.status is status for case in self.cases) for status in CaseStatus}
        told = ", ".join(f"{count} {status.name}" for status, count in counts.items() if count)
        return f"<Results of {len(self)} cases{': ' if told else ''}{told}>"
