"""`plimsoll schedules`: experiments that are started again at times of a cron expression."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from backend.cli.client import connect
from backend.cli.output import Json, print_result

schedules = typer.Typer(help="Start experiments again at times of a cron expression.", no_args_is_help=True)
ScheduleId = Annotated[str, typer.Argument(metavar="SCHEDULE", help="id of a schedule (sch_…)")]


@schedules.command("list")
def list_schedules(as_json: Json = False) -> None:
    """List the schedules of the team, the next ones first."""
    with connect() as client:
        found = client.get("/schedules")
    print_result(found, as_json, "\n".join(map(line, found["data"])) or "there is no schedule")


@schedules.command("add")
def add(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT", help="id of an experiment (exp_…)")],
    cron: Annotated[str, typer.Argument(help='five fields in quotes, such as "0 2 * * mon-fri"')],
    zone: Annotated[str, typer.Option("--zone", help="IANA time zone")] = "UTC",
    host: Annotated[list[str] | None, typer.Option("--host", help="a host; may be repeated")] = None,
    label: Annotated[str | None, typer.Option("--label", help="every host with this label")] = None,
    client_host: Annotated[
        str | None, typer.Option("--client-host", help="the host that runs the clients of remote paths")
    ] = None,
    as_json: Json = False,
) -> None:
    """Start an experiment again at the times of a cron expression."""
    body: dict[str, Any] = {"cron": cron, "time_zone": zone}
    named = {"hosts": host or None, "host_label": label, "client_host": client_host}
    body |= {name: value for name, value in named.items() if value is not None}
    with connect() as client:
        found = client.post(f"/experiments/{experiment}/schedules", body)
    print_result(found, as_json, line(found))


@schedules.command("show")
def show(schedule: ScheduleId, as_json: Json = False) -> None:
    """Show a schedule with its next times, and the last ones that were due."""
    with connect() as client:
        found = client.get(f"/schedules/{schedule}")
        due = client.get(f"/schedules/{schedule}/times", limit="20")
    lines = [line(found), *(f"  next  {time}" for time in found["next_times"]), *map(_due_line, due["data"])]
    print_result(found | {"times": due["data"]}, as_json, "\n".join(lines))


@schedules.command("pause")
def pause(schedule: ScheduleId, as_json: Json = False) -> None:
    """Start nothing until the schedule is resumed."""
    _enable(schedule, False, as_json)


@schedules.command("resume")
def resume(schedule: ScheduleId, as_json: Json = False) -> None:
    """Start again from the next time on."""
    _enable(schedule, True, as_json)


@schedules.command("delete")
def delete(schedule: ScheduleId) -> None:
    """Delete a schedule with its log; its runs stay."""
    with connect() as client:
        client.delete(f"/schedules/{schedule}")
    print(f"{schedule} is deleted; its runs stay")


def _enable(schedule: str, enabled: bool, as_json: bool) -> None:
    with connect() as client:
        found = client.patch(f"/schedules/{schedule}", {"enabled": enabled})
    print_result(found, as_json, line(found))


def line(schedule: dict[str, Any]) -> str:
    """A schedule in one line."""
    where = ", ".join(schedule["hosts"] or ()) or f"label {schedule['host_label']}"
    times = schedule["next_times"]
    next_ = f"next {times[0]}" if times else "paused"
    when = f"{schedule['cron']} {schedule['time_zone']}"
    return f"{schedule['id']}  {when}  {schedule['name']} on {where}  {next_}"


def _due_line(due: dict[str, Any]) -> str:
    if due["outcome"] == "started":
        late = ", late" if due["late"] else ""
        return f"  started{late}  {due['due_at']}  {due['run_id'] or due['group_id']}"
    times = f" ({due['times']} times)" if due["times"] > 1 else ""
    parts = [due["reason"], due["host"], due["detail"]]
    return f"  missed{times}  {due['due_at']}  {', '.join(part for part in parts if part)}"


COMMANDS: Final = {"schedules": schedules}
