"""Follows a run: one progress line that is rewritten, or one line per trial without a terminal.

What the run waits for gets lines of its own, and nothing is silent for half a minute.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

import typer

from backend.cli.failure import INTERRUPTED
from backend.cli.run_feed import RunFeed
from backend.cli.run_status import RunStatus
from backend.cli.show import duration
from backend.client.transport import Transport
from backend.core.definition.metrics import METRICS, RATES

_UNITS = {"tps": "tps", "rps": "requests/s"}


def follow(client: Transport, run_id: str, out: TextIO) -> dict[str, Any]:
    """Show the run's progress until it has ended; returns the ended run. Raises Exit on Ctrl-C."""
    line, feed = ProgressLine(out), RunFeed(client, run_id)
    try:
        for _, kind, data in feed:
            if kind == "error":
                raise data
            feed.ask(run_id, line.update(kind, data))
        line.end()
        run: dict[str, Any] = client.get(f"/runs/{run_id}")
    except KeyboardInterrupt:
        line.end()
        print(f"{run_id} goes on without this command; plimsoll cancel {run_id} cancels it", file=out)
        raise typer.Exit(INTERRUPTED) from None
    return run


class ProgressLine:
    """The progress line, updated by events."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._rewrite = out.isatty()
        self._status = RunStatus(datetime.now(UTC))
        self._width = 0

    def update(self, kind: str, data: Any) -> tuple[str, ...]:
        """Show what happened to the run; returns the hosts that should be read."""
        now = datetime.now(UTC)
        for text in self._status.apply(kind, data, now):
            self._print(text)
        if self._rewrite:
            self._show_progress(now)
        elif kind == "trial" and data["state"] in ("done", "failed"):
            self._print_trial(data)
            self._status.said(now)
        elif self._status.is_due(now):
            self._print(self._status.status(now))
            self._status.said(now)
        return self._status.hosts_to_ask(now)

    def _show_progress(self, now: datetime) -> None:
        if self._status.run is None:
            return
        parts = [progress(self._status.run, self._status.rate), self._status.wait_line(now)]
        # A line that the terminal breaks could not be rewritten.
        text = " · ".join(filter(None, parts))[: shutil.get_terminal_size().columns - 1]
        self._out.write(f"\r{text:<{self._width}}")
        self._out.flush()
        self._width = len(text)

    def _print(self, text: str) -> None:
        """Print a line that stays; the progress line follows it."""
        if self._rewrite and self._width:
            self._out.write(f"\r{'':<{self._width}}\r")
            self._width = 0
        print(text, file=self._out, flush=True)

    def _print_trial(self, trial: dict[str, Any]) -> None:
        rate = "" if trial["metrics"] is None else _rate(trial["metrics"])
        failure = "" if trial["failure_code"] is None else f", {trial['failure_code']}"
        print(
            f"{trial['cell_id']}, round {trial['round']}: {trial['state']}{rate}{failure}",
            file=self._out,
            flush=True,
        )

    def end(self) -> None:
        """Print a line break."""
        if self._rewrite and self._width:
            self._out.write("\n")


def _rate(metrics: dict[str, float]) -> str:
    """The rate of a finished trial with its unit."""
    for name in dict.fromkeys(RATES.values()):
        if name in metrics:
            return f", {short(metrics[name])} {METRICS[name].unit if name not in _UNITS else _UNITS[name]}"
    return ""


def short(value: float) -> str:
    """A rate with two decimals, from 100 on without."""
    return f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"


def progress(run: Mapping[str, Any], rate: float | None) -> str:
    """A run in one line, with the live rate if it is known."""
    count, current = run["progress"], run["current"]
    ended = sum(count[state] for state in ("done", "failed", "cancelled", "skipped"))
    parts = [f"{ended}/{count['total']} trials", run["state"]]
    if current is not None:
        parts.append(f"{current['label']}, round {current['round']}")
    if rate is not None:
        # Without a unit: it depends on the tool, which the event does not name.
        parts.append(f"{short(rate)} now")
    if count["failed"]:
        parts.append(f"{count['failed']} failed")
    if count["eta_s"] is not None:
        parts.append(f"{duration(count['eta_s'])} left")
    return " · ".join(parts)
