"""What the trials of a run wait for and since when, in the page's sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from backend.cli.show import duration
from backend.core.messages.message import message
from backend.core.messages.waits import PHASES

STOPS_TRIALS: Final = frozenset(("database", "server", "host", "storage"))
"""The parts of a worker's conditions without which it claims no trial."""


STREAM: Final = "stream"
"""The key of the wait for a server that does not answer."""


@dataclass(frozen=True)
class Wait:
    """One wait; `key` distinguishes it from another one, `dated`: the text itself says since when."""

    key: str
    text: str
    since: datetime
    dated: bool = False

    def begins(self, now: datetime) -> str:
        """The line for its begin."""
        return self.text if self.dated else f"{self.text} Since {moment(self.since, now)}."

    def lasts(self, now: datetime) -> str:
        """The line while it lasts."""
        return f"{self.begins(now).removesuffix('.')}, for {duration(self.seconds(now))}."

    def seconds(self, now: datetime) -> float:
        """How long it lasts; clocks of hosts differ, so never below 0."""
        return max(0.0, (now - self.since).total_seconds())


def with_known_begin(wait: Wait, known: Wait | None) -> Wait:
    """A wait as it is reported now, with its begin as far as `known`, the same one, has it."""
    return wait if known is None or known.since >= wait.since else replace(wait, since=known.since)


def moment(at: datetime, now: datetime) -> str:
    """A time in the terminal's time zone, with the date if it is not today."""
    local = at.astimezone()
    return f"{local:%H:%M:%S}" if local.date() == now.astimezone().date() else f"{local:%Y-%m-%d %H:%M:%S}"


def of_phase(event: Mapping[str, Any], now: datetime) -> Wait:
    """The wait of a `phase` event; a phase that this release does not know is named as it is."""
    phase, reasons = str(event["phase"]), "; ".join(event["reasons"])
    known = PHASES.get(phase)
    since = event.get("since")
    text = f"{phase.replace('_', ' ').capitalize()}: {reasons}."
    if known is not None:
        text = message(known, reasons=reasons)
    return Wait(f"{event['trial_id']} {phase}", text, datetime.fromisoformat(since) if since else now)


def of_stream(now: datetime) -> Wait:
    """The wait for a server that does not answer."""
    return Wait(STREAM, message("streamLost"), now)


def of_host(host: Mapping[str, Any], now: datetime, running: bool) -> Iterator[Wait]:
    """What keeps a host from measuring; `running`: it has a trial of the run, which a pause lets end."""
    name = host["name"]
    if not host["online"]:
        seen = datetime.fromisoformat(host["last_seen_at"])
        text = message("hostAway", host=name, time=moment(seen, now))
        yield Wait(f"{name} away", text, seen, dated=True)
        return
    pause = host.get("pause")
    if pause is not None and not running:
        since = pause.get("since")
        yield Wait(
            f"{name} {pause['code']}",
            message("hostPaused", reason=_pause(name, pause, now)),
            datetime.fromisoformat(since) if since else now,
            dated=True,
        )
    for condition in host.get("conditions", ()):
        if condition["until"] is None and condition["part"] in STOPS_TRIALS:
            said = f"{name}: {condition['reason']}. {condition['effect'].rstrip('.').capitalize()}."
            yield Wait(f"{name} {condition['part']}", said, datetime.fromisoformat(condition["since"]))


def _pause(name: str, pause: Mapping[str, Any], now: datetime) -> str:
    if pause["code"] == "outside_hours":
        return message("startsAgainAt", host=name, at=moment(datetime.fromisoformat(pause["opens_at"]), now))
    at = moment(datetime.fromisoformat(pause["since"]), now)
    if by := pause.get("by"):
        return message("wasDrainedBy", host=name, by=by, at=at)
    return message("wasDrained", host=name, at=at)
