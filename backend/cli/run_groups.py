"""Groups of runs on the command line: one experiment on several hosts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, TextIO

import typer

from backend.cli.failure import INTERRUPTED
from backend.cli.hosts_table import text as result_text
from backend.cli.run_feed import RunFeed
from backend.cli.run_status import RunStatus
from backend.cli.show import duration
from backend.client.errors import PlimsollError
from backend.client.transport import Transport
from backend.core.chart.across_hosts.hosts_model import HostsResult

PREFIX: Final = "grp_"


def is_group(id_: str) -> bool:
    """Whether an id is that of a group of runs."""
    return id_.startswith(PREFIX)


def status(group: dict[str, Any]) -> str:
    """A group in one line, and one line for each host."""
    return "\n".join([f"{group['id']}  {group['title']}", group["state"], *_members(group)])


def _members(group: dict[str, Any]) -> Iterator[str]:
    width = max(len(member["host"]) for member in group["members"])
    for member in group["members"]:
        name, progress = f"  {member['host']:<{width}}  {member['state']}", member["progress"]
        if progress is None:
            yield name
            continue
        parts = [f"{progress['done']} of {progress['total']} trials done"]
        parts += [f"{progress['failed']} failed"] if progress["failed"] else []
        if member["infeasible_cells"]:
            parts.append(f"{member['infeasible_cells']} cells cannot run there")
        if progress["eta_s"] is not None:
            parts.append(f"about {duration(progress['eta_s'])} left")
        yield f"{name}: {', '.join(parts)}  {member['run_id']}"


def follow(client: Transport, group_id: str, out: TextIO) -> dict[str, Any]:
    """Print changes of state, and what each host's run waits for, until all have ended; returns the group.

    Raises Exit on Ctrl-C.
    """
    try:
        group: dict[str, Any] = client.get(f"/run-groups/{group_id}")
        hosts = {member["run_id"]: member["host"] for member in group["members"] if member["run_id"]}
        now = datetime.now(UTC)
        known = {run_id: RunStatus(now) for run_id in hosts}
        feed = RunFeed(client, *hosts)
        for run_id, kind, data in feed:
            now, status = datetime.now(UTC), known[run_id]
            for text in _lines(status, kind, data, now):
                print(f"{hosts[run_id]}: {text}", file=out, flush=True)
            feed.ask(run_id, status.hosts_to_ask(now))
        ended: dict[str, Any] = client.get(f"/run-groups/{group_id}")
    except KeyboardInterrupt:
        print(f"{group_id} goes on without this command; plimsoll cancel {group_id} cancels it", file=out)
        raise typer.Exit(INTERRUPTED) from None
    return ended


def _lines(status: RunStatus, kind: str, data: Any, now: datetime) -> Iterator[str]:
    """The lines for a happening of one host's run; an error is its last."""
    if kind == "error":
        if not isinstance(data, PlimsollError):
            raise data
        yield str(data)
        return
    before = None if status.run is None else status.run["state"]
    yield from status.apply(kind, data, now)
    if status.run is not None and status.run["state"] != before:
        status.said(now)
        yield status.run["state"]
    elif status.is_due(now):
        status.said(now)
        yield status.status(now)


def read_result(client: Transport, group_id: str) -> tuple[dict[str, Any], str]:
    """The result of a group as JSON and as text."""
    found: dict[str, Any] = client.get(f"/run-groups/{group_id}/result")
    return found, result_text(HostsResult.model_validate(found))
