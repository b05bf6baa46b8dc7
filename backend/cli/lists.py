"""The commands `presets`, `hosts`, `runs` and `open`."""

from __future__ import annotations

import sys
import webbrowser
from typing import Annotated, Final

import typer

from backend.cli import show
from backend.cli.client import connect
from backend.cli.output import Json, print_result
from backend.cli.run_argument import complete_run


def presets(as_json: Json = False) -> None:
    """List the experiments that come with Plimsoll."""
    with connect() as client:
        found = client.get("/presets")
    print_result(found, as_json, show.presets(found["data"]))


def hosts(as_json: Json = False) -> None:
    """List the hosts that can be measured."""
    with connect() as client:
        found = client.get("/hosts")
    print_result(found, as_json, show.hosts(found["data"]))


def runs(
    search: Annotated[
        str,
        typer.Option(
            help='Text and terms, as on the page Library: "verdict:worse host:bench-1 after:7d -tag:ci".'
        ),
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=200, help="The most runs to list.")] = 50,
    as_json: Json = False,
) -> None:
    """List runs, newest first: all but archived ones, or those that match a search."""
    with connect() as client:
        found = client.get("/library", q=search, limit=str(limit))
    for problem in found["problems"]:
        print(f"left out {problem['term']}: {problem['detail']}", file=sys.stderr)
    print_result(found, as_json, show.library(found))


def open_(
    run_id: Annotated[str | None, typer.Argument(metavar="[RUN]", autocompletion=complete_run)] = None,
) -> None:
    """Open the page, or one run on it, in the browser; prints the URL."""
    with connect() as client:
        url = client.url if run_id is None else f"{client.url}/runs/{client.get(f'/runs/{run_id}')['id']}"
    print(url)
    webbrowser.open(url)


COMMANDS: Final = {"presets": presets, "hosts": hosts, "runs": runs, "open": open_}
