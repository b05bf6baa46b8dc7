"""A run as a matrix of cells and rounds, with one character for each trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from backend.core.plan.states import TrialState

TrialQualityState = Literal["retaken", "contaminated", "invalid"]
"""`retaken`: measured again until the host did not disturb it; `contaminated`: the host still did;
`invalid`: a figure violates a physical bound."""

NO_TRIAL: Final = "."
EXCLUDED: Final = "e"
_STATES: Final[Mapping[str, str]] = {state: state[0] for state in get_args(TrialState)} | {"cancelled": "x"}
_QUALITIES: Final[Mapping[str, str]] = {"retaken": "t", "contaminated": "c", "invalid": "i"}


@dataclass(frozen=True)
class MatrixTrial:
    """One trial of a matrix. `rate` is the one that its tool reports, None without a record."""

    cell_id: str
    round: int
    state: TrialState
    quality: TrialQualityState | None
    excluded: bool
    rate: float | None


@dataclass(frozen=True)
class MatrixRow:
    """The trials of one cell by round: a character of each, and its rate with five significant digits."""

    states: str
    rates: tuple[float | None, ...]


def quality_of(record: Mapping[str, Any]) -> TrialQualityState | None:
    """How the measurement of a stored record went; None where nothing happened, and for imported logs."""
    found = record.get("quality") or {}
    if found.get("invalid"):
        return "invalid"
    if found.get("contaminated"):
        return "contaminated"
    return "retaken" if found.get("discarded") else None


def code_of(trial: MatrixTrial) -> str:
    """The character of a trial: what keeps it out of the statistics first."""
    if trial.state != "done":
        return _STATES[trial.state]
    if trial.excluded:
        return EXCLUDED
    return _QUALITIES[trial.quality] if trial.quality is not None else _STATES["done"]


def rows_of(trials: Sequence[MatrixTrial]) -> tuple[int, dict[str, MatrixRow]]:
    """The number of rounds, and the row of each cell that has trials."""
    rounds = max((trial.round for trial in trials), default=0)
    states: dict[str, list[str]] = {}
    rates: dict[str, list[float | None]] = {}
    for trial in trials:
        code = code_of(trial)
        states.setdefault(trial.cell_id, [NO_TRIAL] * rounds)[trial.round - 1] = code
        rate = None if trial.rate is None or code == "i" else float(f"{trial.rate:.5g}")
        rates.setdefault(trial.cell_id, [None] * rounds)[trial.round - 1] = rate
    return rounds, {
        cell_id: MatrixRow("".join(found), tuple(rates[cell_id])) for cell_id, found in states.items()
    }
