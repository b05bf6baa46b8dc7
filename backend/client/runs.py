"""One run of a server."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote
from uuid import uuid4

from .errors import Unfinished
from .frames import Row, frame, trial_rows
from .models import ChartModel, ExtensionPreview, Matrix, Run, Trial, TrialDetail, TrialList
from .results import Result
from .transport import RUN_ENDED, Transport

if TYPE_CHECKING:
    import pandas

_POLL_S: Final = 30.0
"""How long the server holds one request; it allows 60 s."""


class RunHandle:
    """A run, by its id. Every method asks the server."""

    def __init__(self, transport: Transport, run_id: str) -> None:
        self.id = run_id
        self._transport = transport
        self._path = f"/runs/{quote(run_id, safe='')}"

    def __repr__(self) -> str:
        return f"<run {self.id} of {self._transport.url}>"

    @property
    def url(self) -> str:
        """The run's page."""
        return f"{self._transport.url}/runs/{quote(self.id, safe='')}"

    def read(self) -> Run:
        """The run's present state and progress."""
        return Run.model_validate(self._transport.get(self._path))

    def wait(self, timeout_s: float | None = None) -> Run:
        """The run when it has ended. Raises Unfinished after `timeout_s`; the run continues then."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            left = _POLL_S if deadline is None else min(_POLL_S, max(0.0, deadline - time.monotonic()))
            run = Run.model_validate(self._transport.get(self._path, wait=f"{left:.3f}"))
            if run.state in RUN_ENDED:
                return run
            if deadline is not None and time.monotonic() >= deadline:
                raise Unfinished(f"{self.id} is {run.state} after {timeout_s:g} s, and continues")

    def result(self) -> Result:
        """The result so far; complete when the run has ended."""
        return Result(ChartModel.model_validate(self._transport.get(f"{self._path}/result")))

    def trials(self) -> tuple[Trial, ...]:
        """The trials in the plan's order."""
        return tuple(TrialList.model_validate(self._transport.get(f"{self._path}/trials")).data)

    def trial(self, trial_id: str) -> TrialDetail:
        """One trial with its record and history."""
        return TrialDetail.model_validate(self._transport.get(f"/trials/{quote(trial_id, safe='')}"))

    def trial_rows(self) -> list[Row]:
        """One row for each trial, with levels and metrics."""
        levels = {cell.id: dict(cell.levels) for cell in self.result().cells}
        return trial_rows(self.trials(), levels)

    def trials_frame(self) -> pandas.DataFrame:
        """trial_rows() as a data frame. Raises Misconfigured without pandas."""
        return frame(self.trial_rows())

    def export(self, format_: str, **query: str) -> bytes:
        """The result as benchstat, csv-long, csv-wide, json, markdown, html, svg or png."""
        return self._transport.get_bytes(f"{self._path}/exports/{quote(format_, safe='')}", **query)

    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of the run, as (kind, data), until it has ended."""
        return self._transport.events(quote(self.id, safe=""))

    def cancel(self) -> Run:
        """Cancel the run: queued trials at once, the running one by its worker."""
        return Run.model_validate(self._transport.post(f"{self._path}:cancel"))

    def extend(self, cells: Sequence[str], rounds: int) -> RunHandle:
        """Start more rounds of cells of this run, which has ended, as a run and an analysis of its own.

        Its p-values and intervals are corrected for having been chosen after a result was known.
        """
        body = {"cells": list(cells), "rounds": rounds}
        started = self._transport.post(f"{self._path}:extend", body, key=uuid4().hex)
        return RunHandle(self._transport, started["id"])

    def preview_extension(self, cells: Sequence[str], rounds: int) -> ExtensionPreview:
        """What `extend` would run and take, and the rounds that can decide; starts nothing."""
        body = {"cells": list(cells), "rounds": rounds}
        return ExtensionPreview.model_validate(self._transport.post(f"{self._path}:preview-extension", body))

    def matrix(self) -> Matrix:
        """The state and the rate of every trial by cell and round."""
        return Matrix.model_validate(self._transport.get(f"{self._path}/matrix"))
