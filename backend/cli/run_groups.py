"""Groups of runs on the command line: one experiment on several hosts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Final, TextIO

from backend.cli.hosts_table import text as result_text
from backend.cli.show import duration
from backend.client.transport import RUN_ENDED, Transport
from backend.core.chart.across_hosts.hosts_model import HostsResult

PREFIX: Final = "grp_"
_POLL_S: Final = 2.0


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


def follow(
    client: Transport, group_id: str, out: TextIO, wait: Callable[[float], None] = time.sleep
) -> dict[str, Any]:
    """Print a line whenever a host's run changes its state, until all have ended; returns the ended group."""
    known: dict[str, str] = {}
    try:
        while True:
            group: dict[str, Any] = client.get(f"/run-groups/{group_id}")
            for member in group["members"]:
                if known.get(member["host"]) != member["state"]:
                    known[member["host"]] = member["state"]
                    print(f"{member['host']}: {member['state']}", file=out, flush=True)
            if group["state"] in RUN_ENDED:
                return group
            wait(_POLL_S)
    except KeyboardInterrupt:
        print(f"the runs continue; plimsoll cancel {group_id} cancels them", file=out)
        raise


def read_result(client: Transport, group_id: str) -> tuple[dict[str, Any], str]:
    """The result of a group as JSON and as text."""
    found: dict[str, Any] = client.get(f"/run-groups/{group_id}/result")
    return found, result_text(HostsResult.model_validate(found))
