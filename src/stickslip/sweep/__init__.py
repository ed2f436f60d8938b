"""Many runs: a function over many cases, on many processes, with seeds, progress, and a folder to go on from."""

from stickslip.sweep.outcome import CaseResult, CaseStatus, Results, SweepError
from stickslip.sweep.parallel_map import Progress, parallel_map

__all__ = ["CaseResult", "CaseStatus", "Progress", "Results", "SweepError", "parallel_map"]
