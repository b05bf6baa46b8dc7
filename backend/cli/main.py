"""The `plimsoll` command. Exit codes: 0 ok, 1 API error, 2 usage or invalid definition, 3 run
incomplete, 130 run cancelled."""

from __future__ import annotations

import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer
from pydantic import ValidationError

from backend.cli import show
from backend.cli.client import Client
from backend.cli.failure import API_ERROR, BY_STATE, USAGE, Failure
from backend.cli.follow import follow
from backend.core.chart.model import ChartModel
from backend.core.chart.table import markdown_table, text_table
from backend.core.errors import Unavailable
from backend.settings import Settings
from backend.store.checks import check

DEFAULT_URL = "http://127.0.0.1:8420"

app = typer.Typer(
    help="Run and compare container-networking experiments.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Host = Annotated[str | None, typer.Option(help="The host to measure on; may be left out if there is one.")]
Document = Annotated[str, typer.Argument(metavar="FILE", help="An experiment in YAML or JSON; - reads YAML.")]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="The id of a run.")]


def _client() -> Client:
    return Client(os.environ.get("PLIMSOLL_URL") or DEFAULT_URL)


def _say(text: str) -> None:
    """For the reader; standard output holds the answer alone."""
    print(text, file=sys.stderr)


def _print(value: Any, as_json: bool, text: str) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False) if as_json else text)


def _read(file: str) -> tuple[bytes, str]:
    """The text of a document and its media type."""
    if file == "-":
        return sys.stdin.buffer.read(), "application/yaml"
    try:
        return Path(file).read_bytes(), f"application/{'json' if file.endswith('.json') else 'yaml'}"
    except OSError as error:
        raise Failure(f"{file}: {error.strerror}", USAGE) from error


@app.command()
def validate(file: Document, as_json: Json = False) -> None:
    """Check an experiment and say how large it is."""
    with _client() as client:
        preview = client.post_document("/plans", *_read(file))
    _print(preview["experiment"], as_json, f"valid: {show.summary(preview['plan'])}")


@app.command()
def plan(file: Document, host: Host = None, as_json: Json = False) -> None:
    """Show the cells, trials and duration of an experiment without running it."""
    query = {} if host is None else {"host": host}
    with _client() as client:
        text, media = _read(file)
        preview = client.post_document("/plans", text, media, **query)
    _print(preview, as_json, show.plan_table(preview["plan"]))


@app.command()
def run(
    source: Annotated[str, typer.Argument(metavar="FILE|PRESET", help="A document, or a preset's name.")],
    host: Host = None,
    follow_: Annotated[bool, typer.Option("--follow", help="Wait for the end and show the result.")] = False,
    as_json: Json = False,
) -> None:
    """Start a run of an experiment or preset."""
    with _client() as client:
        experiment = client.post_document("/experiments", *_source(client, source))
        body = {} if host is None else {"host": host}
        started = client.post(f"/experiments/{experiment['id']}/runs", body, key=uuid4().hex)
        _say(f"{started['id']}: {client.url}/runs/{started['id']}")
        if not follow_:
            _print(started, as_json, show.status(started))
            return
        ended = follow(client, started["id"], sys.stderr)
        model = client.get(f"/runs/{started['id']}/result")
    _print({"run": ended, "result": model}, as_json, _table(model))
    raise typer.Exit(BY_STATE.get(ended["state"], API_ERROR))


def _source(client: Client, source: str) -> tuple[bytes, str]:
    """The document in this file, or the preset of this name."""
    if source == "-" or Path(source).exists():
        return _read(source)
    presets_ = client.get("/presets")["data"]
    for preset in presets_:
        if preset["name"] == source:
            return json.dumps(preset["definition"]).encode(), "application/json"
    names = ", ".join(preset["name"] for preset in presets_)
    raise Failure(f"{source} is neither a file nor a preset; the presets are {names}", USAGE)


@app.command()
def status(run_id: RunId, as_json: Json = False) -> None:
    """Show how far a run has come."""
    with _client() as client:
        found = client.get(f"/runs/{run_id}")
    _print(found, as_json, show.status(found))


@app.command()
def result(
    run_id: RunId,
    as_json: Json = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="A table to paste.")] = False,
) -> None:
    """Show the result of a run as a table."""
    if as_json and markdown:
        raise Failure("choose one of --json and --markdown", USAGE)
    with _client() as client:
        model = client.get(f"/runs/{run_id}/result")
    if markdown:
        print(markdown_table(ChartModel.model_validate(model)))
    else:
        _print(model, as_json, "" if as_json else _table(model))


def _table(model: dict[str, Any]) -> str:
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return text_table(ChartModel.model_validate(model), colour=colour)


@app.command()
def cancel(run_id: RunId, as_json: Json = False) -> None:
    """Cancel a run: what is queued at once, what runs as soon as its worker hears of it."""
    with _client() as client:
        found = client.post(f"/runs/{run_id}:cancel")
    _print(found, as_json, show.status(found))


@app.command()
def share(
    run_id: RunId,
    days: Annotated[int, typer.Option(min=1, max=365, help="How long the link works.")] = 30,
    as_json: Json = False,
) -> None:
    """Make a read-only link to the result of a run that has ended."""
    with _client() as client:
        found = client.post(f"/runs/{run_id}/shares", {"expires_in_days": days})
        _print(found, as_json, f"{client.url}{found['url']}")


@app.command()
def presets(as_json: Json = False) -> None:
    """List the ready experiments."""
    with _client() as client:
        found = client.get("/presets")
    _print(found, as_json, show.presets(found["data"]))


@app.command()
def hosts(as_json: Json = False) -> None:
    """List the hosts that can be measured."""
    with _client() as client:
        found = client.get("/hosts")
    _print(found, as_json, show.hosts(found["data"]))


@app.command("open")
def open_(run_id: Annotated[str | None, typer.Argument(metavar="[RUN]")] = None) -> None:
    """Open the page, or one run on it, in the browser; prints the address."""
    with _client() as client:
        url = client.url if run_id is None else f"{client.url}/runs/{client.get(f'/runs/{run_id}')['id']}"
    print(url)
    webbrowser.open(url)


@app.command()
def check_invariants() -> None:
    """Look in this host's database for lost, duplicated or unexplained trials; 0 if there are none."""
    try:
        found = check(Settings())
    except ValidationError as error:
        raise Failure(f"a setting is not allowed: {error.errors()[0]['msg']}", USAGE) from error
    except Unavailable as error:
        raise Failure(f"{error}; PLIMSOLL_DATABASE_URL says where it is") from error
    for line in found:
        print(line)
    if found:
        raise Failure(f"{len(found)} violations")
    _say("nothing lost, nothing duplicated, history complete")


def main() -> None:
    """Run the command and end with its exit code."""
    try:
        app()
    except Failure as failure:
        _say(f"plimsoll: {failure}")
        sys.exit(failure.code)


if __name__ == "__main__":
    main()
