"""The commands `export` and `replay-script`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import quote

import typer

from backend.cli import run_groups
from backend.cli.client import connect
from backend.cli.failure import USAGE, Failure
from backend.cli.run_argument import RunId
from backend.core.export.pictures.kinds import KINDS

FORMATS: Final = ("benchstat", "csv-long", "csv-wide", "json", "markdown", "html", "svg", "png")
OF_GROUPS: Final = ("csv", "json", "markdown", "svg", "png")
"""The formats of a group of runs."""
_IMAGES: Final = ("svg", "png")

_FACTOR = typer.Option(help="heatmap and facets: a factor that varies, or none.", metavar="FACTOR")
Cell = Annotated[str, typer.Argument(metavar="CELL", help="The id of a cell, for example c3.")]
Output = Annotated[str | None, typer.Option("--output", "-o", help="Write to this file.")]


def export(
    run_id: RunId,
    format_: Annotated[str, typer.Option("--format", "-f", help=", ".join(FORMATS))],
    output: Output = None,
    metric: Annotated[str | None, typer.Option(help="svg and png: the metric; default: the first.")] = None,
    kind: Annotated[str | None, typer.Option(help=f"svg and png: {', '.join(KINDS)}.")] = None,
    theme: Annotated[str | None, typer.Option(help="svg and png: light or dark.")] = None,
    rows: Annotated[str | None, _FACTOR] = None,
    columns: Annotated[str | None, _FACTOR] = None,
    panels: Annotated[str | None, _FACTOR] = None,
    color: Annotated[str | None, _FACTOR] = None,
    scale: Annotated[str | None, typer.Option(help="facets: same (one scale for all) or own.")] = None,
    unit: Annotated[str | None, typer.Option(help="roles: cores or us_per_txn.")] = None,
    cells: Annotated[str | None, typer.Option(help="dots and roles: cell ids, for example c1,c4.")] = None,
    ladder: Annotated[str | None, typer.Option(help="ladder: its first cell's id; default: all.")] = None,
) -> None:
    """Write the result of a run or of a group of runs in another format.

    A group has csv, json, markdown, svg and png; --metric applies to all of them, --theme to svg and png.
    """
    is_group = run_groups.is_group(run_id)
    formats = OF_GROUPS if is_group else FORMATS
    if format_ not in formats:
        raise Failure(f"--format {format_}: the formats are {', '.join(formats)}", USAGE)
    wanted = {"metric": metric, "kind": kind, "theme": theme, "scale": scale, "unit": unit, "cells": cells}
    wanted |= {"ladder": ladder, "rows": rows, "columns": columns, "panels": panels, "color": color}
    query = {name: value for name, value in wanted.items() if value is not None}
    if is_group:
        _check_group(query, format_)
    elif query and format_ not in _IMAGES:
        raise Failure(f"--{next(iter(query))} applies to {' and '.join(_IMAGES)}, not to {format_}", USAGE)
    if format_ == "png" and output is None and sys.stdout.isatty():
        raise Failure(f"{format_} is a binary format; name a file with --output", USAGE)
    with connect() as client:
        kept = "run-groups" if is_group else "runs"
        _write(client.get_bytes(f"/{kept}/{quote(run_id, safe='')}/exports/{format_}", **query), output)


def _check_group(query: dict[str, str], format_: str) -> None:
    possible = {"metric", "theme"} if format_ in _IMAGES else {"metric"}
    for name in query.keys() - possible:
        raise Failure(f"--{name} does not apply to {format_} of a group of runs", USAGE)


def replay_script(run_id: RunId, cell: Cell, output: Output = None) -> None:
    """Print a shell script that repeats one cell with Docker alone."""
    with connect() as client:
        path = f"/runs/{quote(run_id, safe='')}/cells/{quote(cell, safe='')}/commands"
        _write(client.get_bytes(path), output)


def _write(data: bytes, output: str | None) -> None:
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        Path(output).write_bytes(data)
    except OSError as error:
        raise Failure(f"{output}: {error.strerror}", USAGE) from error


def eject(run_id: RunId, cell: Cell, output: Output = None) -> None:
    """Deprecated: the former name of replay-script."""
    replay_script(run_id, cell, output)


COMMANDS: Final = {"export": export, "replay-script": replay_script, "eject": eject}
