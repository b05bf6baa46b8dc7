"""Follows a run: one progress line that is rewritten, or one line per trial without a terminal."""

from __future__ import annotations

from typing import Any, TextIO

from backend.cli.show import duration
from backend.client.transport import Transport
from backend.core.definition.metrics import METRICS, RATES

_UNITS = {"tps": "tps", "rps": "requests/s"}


def follow(client: Transport, run_id: str, out: TextIO) -> dict[str, Any]:
    """Show the run's progress until it has ended; returns the ended run."""
    line = ProgressLine(out)
    try:
        for kind, data in client.events(run_id):
            line.update(kind, data)
    except KeyboardInterrupt:
        line.end()
        print(f"the run continues; plimsoll cancel {run_id} cancels it", file=out)
        raise
    line.end()
    run: dict[str, Any] = client.get(f"/runs/{run_id}")
    return run


class ProgressLine:
    """The progress line, updated by events."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._rewrite = out.isatty()
        self._run: dict[str, Any] | None = None
        self._rate: float | None = None
        self._width = 0

    def update(self, kind: str, data: dict[str, Any]) -> None:
        """Show an event."""
        if kind == "run":
            self._run = data
        elif kind == "live":
            self._rate = data["rate"]
        elif kind == "trial":
            self._rate = None
            if not self._rewrite and data["state"] in ("done", "failed"):
                self._print_trial(data)
        if self._rewrite and self._run is not None:
            text = progress(self._run, self._rate)
            self._out.write(f"\r{text:<{self._width}}")
            self._out.flush()
            self._width = len(text)

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


def progress(run: dict[str, Any], rate: float | None) -> str:
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
