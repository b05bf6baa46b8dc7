"""Requests and responses of the extension of a run."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from backend.api.runs.schemas import Run
from backend.api.schema import Body

CellId = Annotated[str, Field(min_length=1, max_length=32)]


class ExtensionStart(Body):
    """More rounds of chosen cells of an ended run; their baselines are measured again, too."""

    cells: Annotated[tuple[CellId, ...], Field(min_length=1, max_length=1000)]
    rounds: Annotated[StrictInt, Field(ge=1, le=1000)]


class ExtensionPreview(Body):
    """What an extension would run: its cells with baselines and A/A duplicates, trials and seconds.

    `number` counts the extensions of the run from 1; p-values and intervals are corrected for `analyses`.
    `rounds_needed` are certain to be able to decide all `comparisons`; `sentence` is set if the rounds are
    fewer, or if there is nothing to compare.
    """

    run_id: str
    number: int
    analyses: int
    cells: tuple[str, ...]
    trials: int
    seconds: float
    comparisons: int
    rounds_needed: int
    sentence: str | None


class ExtensionList(Body):
    """The extensions of a run, oldest first."""

    data: tuple[Run, ...]
