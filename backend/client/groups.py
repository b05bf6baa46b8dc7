"""Groups of runs: one experiment on several hosts of a server."""

from __future__ import annotations

import time
from typing import Final
from urllib.parse import quote

from .errors import Unfinished
from .models import HostsResult, RunGroup
from .runs import RunHandle
from .transport import RUN_ENDED, Transport

_POLL_S: Final = 2.0


class GroupHandle:
    """A group of runs, by its id. Every method asks the server."""

    def __init__(self, transport: Transport, group_id: str) -> None:
        self.id = group_id
        self._transport = transport
        self._path = f"/run-groups/{quote(group_id, safe='')}"

    def __repr__(self) -> str:
        return f"<group {self.id} of {self._transport.url}>"

    @property
    def url(self) -> str:
        """The group's page."""
        return f"{self._transport.url}{self._path}"

    def read(self) -> RunGroup:
        """The group with the state and progress of each of its runs."""
        return RunGroup.model_validate(self._transport.get(self._path))

    def runs(self) -> dict[str, RunHandle]:
        """The runs that were not deleted, by host."""
        members = self.read().members
        return {one.host: RunHandle(self._transport, one.run_id) for one in members if one.run_id is not None}

    def wait(self, timeout_s: float | None = None) -> RunGroup:
        """The group when all of its runs have ended. Raises Unfinished after `timeout_s`; they continue."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while (group := self.read()).state not in RUN_ENDED:
            left = _POLL_S if deadline is None else min(_POLL_S, deadline - time.monotonic())
            if left <= 0:
                raise Unfinished(f"{self.id} is {group.state} after {timeout_s:g} s, and continues")
            time.sleep(left)
        return group

    def result(self, metric: str | None = None) -> HostsResult:
        """Each cell's ratio to its own host's baseline side by side, in one metric (the first by default)."""
        query = {} if metric is None else {"metric": metric}
        return HostsResult.model_validate(self._transport.get(f"{self._path}/result", **query))

    def export(self, format_: str, **query: str) -> bytes:
        """The result as csv, json, markdown, svg or png; `metric` and `theme` as the REST API has them."""
        return self._transport.get_bytes(f"{self._path}/exports/{quote(format_, safe='')}", **query)

    def delete(self) -> None:
        """Delete the group and its runs for good; none of them may be in progress."""
        self._transport.delete(self._path)

    def cancel(self) -> RunGroup:
        """Cancel every run that has not ended."""
        return RunGroup.model_validate(self._transport.post(f"{self._path}:cancel"))
