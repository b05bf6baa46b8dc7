"""Schedules of a server: experiments that are started again at times of a cron expression."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from .models import Schedule, ScheduleDue
from .transport import Transport


class ScheduleHandle:
    """A schedule, by its id. Every method asks the server."""

    def __init__(self, transport: Transport, schedule_id: str) -> None:
        self.id = schedule_id
        self._transport = transport
        self._path = f"/schedules/{quote(schedule_id, safe='')}"

    def __repr__(self) -> str:
        return f"<schedule {self.id} of {self._transport.url}>"

    def read(self) -> Schedule:
        """The schedule with its next times."""
        return Schedule.model_validate(self._transport.get(self._path))

    def pause(self) -> Schedule:
        """Start nothing until it is resumed."""
        return self._change(enabled=False)

    def resume(self) -> Schedule:
        """Start again from the next time on; the times of the pause are not made up for."""
        return self._change(enabled=True)

    def change(self, **fields: Any) -> Schedule:
        """Change `cron`, `time_zone`, `hosts`, `host_label` or `client_host`."""
        return self._change(**fields)

    def times(self) -> Iterator[ScheduleDue]:
        """The times that were due, newest first: what was started, or why not."""
        query: dict[str, str] = {}
        while True:
            page = self._transport.get(f"{self._path}/times", **query)
            yield from (ScheduleDue.model_validate(row) for row in page["data"])
            if page["next_cursor"] is None:
                return
            query = {"cursor": page["next_cursor"]}

    def delete(self) -> None:
        """Delete the schedule with its log; its runs stay."""
        self._transport.delete(self._path)

    def _change(self, **fields: Any) -> Schedule:
        return Schedule.model_validate(self._transport.patch(self._path, fields))
