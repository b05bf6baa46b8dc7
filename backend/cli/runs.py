"""The commands for one run: status, result, cancel, share."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from backend.cli import run_groups, show
from backend.cli.client import connect
from backend.cli.failure import USAGE, Failure
from backend.cli.output import Json, colour, print_result
from backend.cli.run_argument import RunId
from backend.cli.threshold_report import threshold_exit_code, thresholds_text
from backend.client.transport import Transport
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.text.table import markdown_table, text_table

Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Exit code 4 if a threshold lacks evidence, A/A is suspect, or the run has not ended.",
    ),
]


def status(run_id: RunId, as_json: Json = False) -> None:
    """Show the progress of a run, or of a group of runs."""
    with connect() as client:
        if run_groups.is_group(run_id):
            group = client.get(f"/run-groups/{run_id}")
            print_result(group, as_json, run_groups.status(group))
            return
        found = client.get(f"/runs/{run_id}")
    print_result(found, as_json, show.status(found))


def result(
    run_id: RunId,
    as_json: Json = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="A table in Markdown.")] = False,
    strict: Strict = False,
) -> None:
    """Show the result of a run, or of a group of runs on several hosts, as a table.

    Exit code 99 if a threshold of the experiment is not met.
    """
    if as_json and markdown:
        raise Failure("choose one of --json and --markdown", USAGE)
    with connect() as client:
        if run_groups.is_group(run_id):
            if markdown or strict:
                raise Failure("--markdown and --strict are for one run; leave them out", USAGE)
            print_result(*_group_result(client, run_id, as_json))
            return
        model = client.get(f"/runs/{run_id}/result")
    if markdown:
        print(markdown_table(ChartModel.model_validate(model)))
    else:
        print_result(model, as_json, "" if as_json else result_text(model))
    raise typer.Exit(threshold_exit_code(model, strict))


def _group_result(client: Transport, group_id: str, as_json: bool) -> tuple[dict[str, Any], bool, str]:
    model, text = run_groups.read_result(client, group_id)
    return model, as_json, text


def result_text(model: dict[str, Any]) -> str:
    """A result for the terminal, with its thresholds."""
    table = text_table(ChartModel.model_validate(model), colour=colour())
    gate = thresholds_text(model["gate"])
    return f"{table}\n{gate}" if gate else table


def cancel(run_id: RunId, as_json: Json = False) -> None:
    """Cancel a run or a group of runs: queued trials at once, a running one by its worker."""
    with connect() as client:
        if run_groups.is_group(run_id):
            group = client.post(f"/run-groups/{run_id}:cancel")
            print_result(group, as_json, run_groups.status(group))
            return
        found = client.post(f"/runs/{run_id}:cancel")
    print_result(found, as_json, show.status(found))


def share(
    run_id: RunId,
    live: Annotated[
        bool, typer.Option("--live", help="Show the result as it is when the link is opened.")
    ] = False,
    unfurl: Annotated[
        bool, typer.Option("--unfurl", help="A link to post: chats show title, verdict and picture.")
    ] = False,
    title: Annotated[str | None, typer.Option(help="A title in place of the experiment's.")] = None,
    days: Annotated[
        int, typer.Option("--expires", "--days", min=1, max=365, help="The lifetime of the link in days.")
    ] = 30,
    as_json: Json = False,
) -> None:
    """Make a read-only link to the result of a run, and print it.

    Without --live the run must have ended. Without --unfurl the link's token is in its fragment, which no
    server receives.
    """
    wanted = {"expires_in_days": days, "title": title}
    wanted |= {"kind": "unfurl" if unfurl else "private", "mode": "live" if live else "snapshot"}
    with connect() as client:
        found = client.post(f"/runs/{run_id}/shares", wanted)
    print_result(found, as_json, found["absolute_url"])


COMMANDS: Final = {"status": status, "result": result, "cancel": cancel, "share": share}
