"""What a certificate said, without the problem that it speaks of."""

from __future__ import annotations

from dataclasses import dataclass

from stickslip.complementarity import Answer, Certificate


@dataclass(frozen=True)
class Verdict:
    """What the certificate of the contact problem at `time`, in s, says: its three answers, and their reasons as sentences.

    A certificate can be verified because it holds its problem with all matrices; a run keeps only what it said.
    """

    time: float
    existence: Answer
    motion: Answer
    force: Answer
    text: str

    @classmethod
    def of(cls, time: float, certificate: Certificate) -> Verdict:
        """The verdict of a certificate on the instant `time`, in s."""
        return cls(float(time), certificate.existence, certificate.motion, certificate.force, str(certificate))

    def __str__(self) -> str:
        return f"at {self.time:.9g} s:\n  " + self.text.replace("\n", "\n  ")
