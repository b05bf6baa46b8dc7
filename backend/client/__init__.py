"""A client of Plimsoll's REST API for scripts and notebooks; installed alone, its name is `plimsoll`.

It imports nothing else of this repository. `Plimsoll` is the entry.
"""

from __future__ import annotations

from .errors import Misconfigured, PlimsollError, Refused, Unfinished, Unreachable
from .results import Comparison, Result
from .runs import ExperimentHandle, RunHandle
from .session import Plimsoll

__all__ = [
    "Comparison",
    "ExperimentHandle",
    "Misconfigured",
    "Plimsoll",
    "PlimsollError",
    "Refused",
    "Result",
    "RunHandle",
    "Unfinished",
    "Unreachable",
]
