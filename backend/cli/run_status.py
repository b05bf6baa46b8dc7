"""What a followed run does now: lines for a terminal, from its events and from what its hosts report.

Pure: the caller passes what happened and the time. A wait gets a line when it begins and one when the run
goes on; `status` is the line between them, so that a terminal is never silent for long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, Literal

from backend.cli.show import duration
from backend.cli.waits import STREAM, Wait, of_host, of_phase, of_stream, with_known_begin
from backend.core.messages.message import message

SILENCE_S: Final = 28.0
"""Seconds without a line after which `status` is due: with a tick of a second, never half a minute."""
ASK_AFTER_S: Final = 3.0
"""Seconds without a sign of a running trial after which the hosts are read."""
SILENT_TRIAL_S: Final = 15.0
"""The same while a trial runs: its phases and live figures come every second or two, but not over HTTPS."""
ASK_EVERY_S: Final = 10.0
EVENTS: Final = frozenset(("run", "trial", "phase", "live"))
Stage = Literal["prepared", "warming_up", "measured"]
_STAGES: Final[Mapping[Stage, str]] = {
    "prepared": "is prepared",
    "warming_up": message("phaseWarmingUp").rstrip("."),
    "measured": "is measured",
}


class RunStatus:
    """The state of one run; every method takes the time of its call."""

    def __init__(self, now: datetime) -> None:
        self.run: Mapping[str, Any] | None = None
        self.rate: float | None = None
        self._labels: dict[str, str] = {}
        self._trial: Mapping[str, Any] | None = None
        self._stage: Stage = "prepared"
        self._stage_since = now
        self._wait: Wait | None = None
        self._of_hosts: dict[str, Wait] = {}
        self._said_at = self._sign_at = now
        self._hosts_read_at: datetime | None = None

    # --- what happened ---------------------------------------------------------------------------

    def apply(self, kind: str, data: Any, now: datetime) -> list[str]:
        """The lines to print for an event of the run, `lost`, or `hosts` as they were read."""
        lines = list(self._lines(kind, data, now))
        if lines:
            self.said(now)
        return lines

    def said(self, now: datetime) -> None:
        """The caller has printed a line of its own."""
        self._said_at = now

    def _lines(self, kind: str, data: Any, now: datetime) -> Iterator[str]:
        if kind in EVENTS and self._wait is not None and self._wait.key == STREAM:
            yield from self._go_on(now)
        if kind == "lost":
            yield from self._begin(of_stream(now), now)
        elif kind == "hosts":
            yield from self._see_hosts(data, now)
        elif kind == "run":
            yield from self._see_make_up(data)
            self.run = data
            if data["current"] is not None:
                self._labels[data["current"]["cell_id"]] = data["current"]["label"]
        elif kind == "trial":
            yield from self._see_trial(data, now)
        elif kind == "phase":
            yield from self._see_phase(data, now)
        elif kind == "live":
            yield from self._enter("measured", now)
            self.rate = data["rate"]

    def _see_make_up(self, data: Mapping[str, Any]) -> Iterator[str]:
        """A line when the run gets make-up trials."""
        before = 0 if self.run is None else self.run["progress"].get("made_up", 0)
        made_up = data["progress"].get("made_up", 0)
        if made_up > before:
            yield message("makeUpFollows", count=made_up)

    def _see_trial(self, data: Mapping[str, Any], now: datetime) -> Iterator[str]:
        self.rate = None
        if data["state"] == "running":
            yield from self._go_on(now)
            self._trial = data
            self._stage, self._stage_since, self._sign_at = "prepared", now, now
        elif self._trial is not None and self._trial["trial_id"] == data["trial_id"]:
            self._trial, self._wait = None, None
            self._stage_since = self._sign_at = now

    def _see_phase(self, data: Mapping[str, Any], now: datetime) -> Iterator[str]:
        self._sign_at = now
        if data["phase"] == "warming_up":
            yield from self._enter("warming_up", now)
        else:
            self._stage, self._stage_since = "prepared", now
            yield from self._begin(of_phase(data, now), now)

    def _enter(self, stage: Stage, now: datetime) -> Iterator[str]:
        yield from self._go_on(now)
        if self._stage != stage:
            self._stage, self._stage_since = stage, now
        self._sign_at = now

    def _see_hosts(self, hosts: Iterable[Mapping[str, Any]], now: datetime) -> Iterator[str]:
        known, runs = self._of_hosts, self._trial is not None
        waits = [
            with_known_begin(wait, known.get(wait.key)) for host in hosts for wait in of_host(host, now, runs)
        ]
        if known and not waits:
            yield from self._go_on(now)
        self._of_hosts = {wait.key: wait for wait in waits}
        yield from (wait.begins(now) for wait in waits if wait.key not in known)

    def _begin(self, wait: Wait, now: datetime) -> Iterator[str]:
        known = self._wait if self._wait is not None and self._wait.key == wait.key else None
        self._wait = with_known_begin(wait, known)
        if known is None:
            yield self._about_trial(wait.begins(now))

    def _go_on(self, now: datetime) -> Iterator[str]:
        """End every wait: a trial that runs proves that its hosts do."""
        waits = self._waits()
        self._wait, self._of_hosts = None, {}
        if waits:
            lasted = duration(max(wait.seconds(now) for wait in waits))
            yield self._about_trial(f"goes on after {lasted}.", "The run ")

    # --- lines to print and hosts to read ------------------------------------------------------------

    def wait_line(self, now: datetime) -> str | None:
        """What it waits for, since when and for how long; None while it waits for nothing."""
        waits = self._waits()
        return self._about_trial(" ".join(wait.lasts(now) for wait in waits)) if waits else None

    def status(self, now: datetime) -> str:
        """What it does now and for how long, in one line."""
        if (line := self.wait_line(now)) is not None:
            return line
        lasting = f"for {duration((now - self._stage_since).total_seconds())}."
        if self._trial is not None:
            return self._about_trial(f"{_STAGES[self._stage]}, {lasting}")
        queued = self.run is not None and self.run["state"] == "queued"
        text = message("queuedOnHost", host=self.run["host"]) if queued and self.run else message("preparing")
        return f"{text.rstrip('.…')}, {lasting}"

    def is_due(self, now: datetime) -> bool:
        """Whether the terminal was silent for so long that `status` should be printed."""
        return (now - self._said_at).total_seconds() >= SILENCE_S

    def hosts_to_ask(self, now: datetime) -> tuple[str, ...]:
        """The hosts to read now, because nothing is seen of a trial; the caller passes them as `hosts`."""
        lost = self._wait is not None and self._wait.key == STREAM
        silent_s = (now - self._sign_at).total_seconds()
        if self.run is None or lost or silent_s < (ASK_AFTER_S if self._trial is None else SILENT_TRIAL_S):
            return ()
        if self._hosts_read_at is not None and (now - self._hosts_read_at).total_seconds() < ASK_EVERY_S:
            return ()
        self._hosts_read_at = now
        return tuple(filter(None, (self.run["host"], self.run.get("client_host"))))

    def _waits(self) -> list[Wait]:
        return [*([] if self._wait is None else [self._wait]), *self._of_hosts.values()]

    def _about_trial(self, text: str, without: str = "") -> str:
        """A text with the trial that it is about; after `without` where none runs."""
        if self._trial is None:
            return f"{without}{text}"
        cell = self._trial["cell_id"]
        return f"{self._labels.get(cell, cell)}, round {self._trial['round']}: {text}"
