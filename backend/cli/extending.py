"""The command that adds rounds of chosen cells to an ended run."""

from __future__ import annotations

import sys
from typing import Annotated, Any
from uuid import uuid4

import typer

from backend.cli import show
from backend.cli.client import connect
from backend.cli.failure import API_ERROR, BY_STATE
from backend.cli.follow import follow
from backend.cli.output import Json, print_message, print_result
from backend.cli.run_argument import RunId
from backend.cli.runs import result_text


def extend(
    run_id: RunId,
    cells: Annotated[
        list[str], typer.Option("--cell", help="The id of a cell, such as c7; may be given several times.")
    ],
    rounds: Annotated[int, typer.Option(min=1, max=1000, help="The rounds of the new run.")],
    preview: Annotated[
        bool, typer.Option("--preview", help="Show trials and time, and start nothing.")
    ] = False,
    follow_: Annotated[bool, typer.Option("--follow", help="Wait for the end and show the result.")] = False,
    as_json: Json = False,
) -> None:
    """Measure more rounds of chosen cells of an ended run, as a new run and a new analysis.

    Its verdicts are corrected for having been chosen after a result was known.
    """
    body = {"cells": cells, "rounds": rounds}
    with connect() as client:
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


def _preview_text(planned: dict[str, Any]) -> str:
    lines = [
        f"{planned['trials']} trials of {', '.join(planned['cells'])}",
        f"about {float(planned['seconds']) / 60:.1f} min",
        f"extension {planned['number']}, corrected for {planned['analyses']} analyses",
    ]
    return "\n".join([*lines, *filter(None, [planned["sentence"]])])


COMMANDS = {"extend": extend}
