"""The command that adds rounds of chosen cells to an ended run."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Final
from uuid import uuid4

import typer

from backend.cli import show
from backend.cli.client import connect
from backend.cli.failure import API_ERROR, BY_STATE, USAGE, Failure
from backend.cli.follow import follow
from backend.cli.output import Json, print_message, print_result
from backend.cli.run_argument import RunId
from backend.cli.runs import result_text
from backend.client.transport import Transport

LEAST_ROUNDS: Final = 6


def extend(
    run_id: RunId,
    cells: Annotated[
        list[str] | None,
        typer.Option("--cell", help="The id of a cell, such as c7; may be given several times."),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1, max=1000, help="The rounds of the new run; with --missing by default those that decide."
        ),
    ] = None,
    missing: Annotated[
        bool,
        typer.Option("--missing", help="The cells that lost a trial, by a disturbance or a failure."),
    ] = False,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show trials and time, and start nothing.")
    ] = False,
    follow_: Annotated[bool, typer.Option("--follow", help="Wait for the end and show the result.")] = False,
    as_json: Json = False,
) -> None:
    """Measure more rounds of chosen cells of an ended run, as a new run and a new analysis.

    Its verdicts are corrected for having been chosen after a result was known.
    """
    if missing == bool(cells) or (rounds is None and not missing):
        raise Failure("name --cell and --rounds, or --missing", USAGE)
    with connect() as client:
        body = _missing(client, run_id, rounds) if missing else {"cells": cells, "rounds": rounds}
        if preview:
            planned = client.post(f"/runs/{run_id}:preview-extension", body)
            print_result(planned, as_json, _preview_text(planned))
            return
        started = client.post(f"/runs/{run_id}:extend", body, key=uuid4().hex)
        print_message(f"{started['id']}: {client.url}/runs/{started['id']}")
        if not follow_:
            print_result(started, as_json, show.status(started))
            return
        ended = follow(client, started["id"], sys.stderr)
        model = client.get(f"/runs/{started['id']}/result")
    print_result({"run": ended, "result": model}, as_json, "" if as_json else result_text(model))
    raise typer.Exit(BY_STATE.get(ended["state"], API_ERROR))


def lost_cells(model: dict[str, Any]) -> list[str]:
    """The cells of a result that have fewer trials that count than were planned, without A/A duplicates."""
    return [
        cell["id"]
        for cell in model["cells"]
        if cell["state"] != "infeasible"
        and not cell["is_duplicate"]
        and cell["trials_done"] - len(cell["left_out"]) < cell["trials_planned"]
    ]


def offer(run_id: str, model: dict[str, Any]) -> str | None:
    """The command that measures again what an ended run lost; None where it lost nothing."""
    count = len(lost_cells(model))
    if not count:
        return None
    cells = "1 cell" if count == 1 else f"{count} cells"
    return (
        f"{cells} lost trials; measure again, as an analysis of its own: plimsoll extend {run_id} --missing"
    )


def _missing(client: Transport, run_id: str, rounds: int | None) -> dict[str, Any]:
    """The cells that lost a trial, and the rounds given, or those that are certain to decide them."""
    cells = lost_cells(client.get(f"/runs/{run_id}/result"))
    if not cells:
        raise Failure("no cell of this run lost a trial", USAGE)
    if rounds is None:
        planned = client.post(f"/runs/{run_id}:preview-extension", {"cells": cells, "rounds": LEAST_ROUNDS})
        rounds = max(LEAST_ROUNDS, planned["rounds_needed"])
    return {"cells": cells, "rounds": rounds}


def _preview_text(planned: dict[str, Any]) -> str:
    lines = [
        f"{planned['trials']} trials of {', '.join(planned['cells'])}",
        f"about {float(planned['seconds']) / 60:.1f} min",
        f"extension {planned['number']}, corrected for {planned['analyses']} analyses",
    ]
    return "\n".join([*lines, *filter(None, [planned["sentence"]])])


COMMANDS = {"extend": extend}
