"""The commands for an experiment: validate, plan, run."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import quote
from uuid import uuid4

import typer

from backend.cli import run_groups, show
from backend.cli.client import connect
from backend.cli.completing import complete_preset
from backend.cli.extending import offer
from backend.cli.failure import API_ERROR, BY_STATE, OK, USAGE, Failure
from backend.cli.follow import follow
from backend.cli.output import Json, media_of, print_message, print_result, read
from backend.cli.runs import Strict, result_text
from backend.cli.threshold_report import threshold_exit_code
from backend.cli.waits import of_host
from backend.client.transport import Transport

Host = Annotated[str | None, typer.Option(help="The host to measure on; optional if there is only one.")]
Hosts = Annotated[
    list[str] | None,
    typer.Option("--host", help="The host to measure on, also several; optional if there is only one."),
]
ClientHost = Annotated[
    str | None,
    typer.Option(
        "--client-host",
        help="Another host, which runs the clients of published_remote, host_network_remote and overlay.",
    ),
]
Source = Annotated[
    str,
    typer.Argument(
        metavar="FILE|PRESET",
        help="An experiment in YAML or JSON, - for YAML on standard input, or a preset's name.",
        autocompletion=complete_preset,
    ),
]


def validate(source: Source, as_json: Json = False) -> None:
    """Check an experiment and print its size."""
    with connect() as client:
        preview = client.post_document("/plans", *_source(client, source))
    print_result(preview["experiment"], as_json, f"valid: {show.summary(preview['plan'])}")


def plan(
    source: Source,
    host: Host = None,
    client_host: ClientHost = None,
    budget: Annotated[
        int | None, typer.Option("--budget-minutes", help="Show what fits into this time.")
    ] = None,
    effect: Annotated[
        float | None, typer.Option(help="Show the rounds that detect this difference; 0.03 is 3 %.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the cells, trials and duration of an experiment without running it."""
    named = {"host": host, "client_host": client_host}
    query = {name: value for name, value in named.items() if value is not None}
    if budget is not None:
        query["budget_minutes"] = str(budget)
    if effect is not None:
        query["effect"] = str(effect)
    with connect() as client:
        document, media_type = _source(client, source)
        preview = client.post_document("/plans", document, media_type, **query)
    print_result(preview, as_json, show.plan_table(preview))


def run(
    source: Source,
    hosts: Hosts = None,
    label: Annotated[str | None, typer.Option(help="Run on every host with this label.")] = None,
    client_host: ClientHost = None,
    follow_: Annotated[bool, typer.Option("--follow", help="Wait for the end and show the result.")] = False,
    strict: Strict = False,
    as_json: Json = False,
) -> None:
    """Start a run of an experiment or preset, or with several hosts or a label one on each of them.

    With --follow it also says what the run waits for. Exit code then: 0 for a finished run, 3 for an
    incomplete and 130 for a cancelled one, 99 if a threshold of the experiment is not met; 130 after Ctrl-C,
    which leaves the run as it is.
    """
    if strict and not follow_:
        raise Failure("--strict needs the result; use it with --follow", USAGE)
    if strict and (label is not None or len(hosts or ()) > 1):
        raise Failure("--strict judges one run; start a run on each host, or leave it out", USAGE)
    other = {} if client_host is None else {"client_host": client_host}
    with connect() as client:
        experiment = client.post_document("/experiments", *_source(client, source))
        if label is not None or len(hosts or ()) > 1:
            chosen = ({"hosts": hosts} if hosts else {}) | ({} if label is None else {"host_label": label})
            _run_group(client, experiment["id"], chosen | other, follow_, as_json)
            return
        body = ({"host": hosts[0]} if hosts else {}) | other
        started = client.post(f"/experiments/{experiment['id']}/runs", body, key=uuid4().hex)
        print_message(f"{started['id']}: {client.url}/runs/{started['id']}")
        if not follow_:
            _say_waits(client, started["host"], started.get("client_host"))
            print_result(started, as_json, show.status(started))
            return
        ended = follow(client, started["id"], sys.stderr)
        model = client.get(f"/runs/{started['id']}/result")
    print_result({"run": ended, "result": model}, as_json, "" if as_json else result_text(model))
    if (again := offer(ended["id"], model)) is not None:
        print_message(again)
    code = BY_STATE.get(ended["state"], API_ERROR)
    raise typer.Exit(code if code != OK else threshold_exit_code(model, strict))


def _say_waits(client: Transport, *names: str | None) -> None:
    """Print why a run that was started waits, in the page's words."""
    now = datetime.now(UTC)
    for name in filter(None, names):
        for wait in of_host(client.get(f"/hosts/{quote(name, safe='')}"), now, running=False):
            print_message(wait.begins(now))


def _run_group(
    client: Transport, experiment_id: str, body: dict[str, Any], follow_: bool, as_json: bool
) -> None:
    """Start a run on each host; with `follow_` wait for all of them and show the result."""
    started = client.post(f"/experiments/{experiment_id}/run-groups", body, key=uuid4().hex)
    print_message(f"{started['id']}: {client.url}/run-groups/{started['id']}")
    if not follow_:
        print_result(started, as_json, run_groups.status(started))
        return
    ended = run_groups.follow(client, started["id"], sys.stderr)
    model, text = run_groups.read_result(client, started["id"])
    print_result({"group": ended, "result": model}, as_json, text)
    raise typer.Exit(BY_STATE.get(ended["state"], API_ERROR))


def _source(client: Transport, source: str) -> tuple[bytes, str]:
    """The document of a file or preset, with its media type."""
    if source == "-" or Path(source).exists():
        return read(source), media_of(source)
    presets = client.get("/presets")["data"]
    for preset in presets:
        if preset["name"] == source:
            return json.dumps(preset["definition"]).encode(), "application/json"
    names = ", ".join(preset["name"] for preset in presets)
    raise Failure(f"{source} is neither a file nor a preset; the presets are {names}", USAGE)


COMMANDS: Final = {"validate": validate, "plan": plan, "run": run}
