"""The commands `presets`, `hosts` and `open`."""

from __future__ import annotations

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


def open_(
    run_id: Annotated[str | None, typer.Argument(metavar="[RUN]", autocompletion=complete_run)] = None,
) -> None:
    """Open the page, or one run on it, in the browser; prints the URL."""
    with connect() as client:
        url = client.url if run_id is None else f"{client.url}/runs/{client.get(f'/runs/{run_id}')['id']}"
    print(url)
    webbrowser.open(url)


COMMANDS: Final = {"presets": presets, "hosts": hosts, "open": open_}
