"""A client of Plimsoll's REST API for scripts and notebooks; installed alone, its name is `plimsoll`.

It imports nothing else of this repository. `Plimsoll` is the entry.
"""

from __future__ import annotations

from .errors import Misconfigured, PlimsollError, Refused, Unfinished, Unreachable
from .experiments import ExperimentHandle
from .groups import GroupHandle
from .results import Comparison, MatrixComparison, Result
from .runs import RunHandle
from .schedules import ScheduleHandle
from .session import Plimsoll

__all__ = [
    "Comparison",
    "ExperimentHandle",
    "GroupHandle",
    "MatrixComparison",
    "Misconfigured",
    "Plimsoll",
    "PlimsollError",
    "Refused",
    "Result",
    "RunHandle",
    "ScheduleHandle",
    "Unfinished",
    "Unreachable",
]
