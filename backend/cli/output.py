"""What the commands print: the answer alone on standard output, words for the reader on standard error."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from backend.cli.failure import USAGE, Failure

Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="The id of a run.")]


def say(text: str) -> None:
    """For the reader."""
    print(text, file=sys.stderr)


def answer(value: Any, as_json: bool, text: str) -> None:
    """The answer: as JSON, or as text."""
    print(json.dumps(value, indent=2, ensure_ascii=False) if as_json else text)


def colour() -> bool:
    """Whether colours are welcome."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def read(file: str) -> bytes:
    """The bytes of a file, or of standard input for "-"."""
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise Failure(f"{file}: {error.strerror}", USAGE) from error


def media_of(file: str) -> str:
    """The media type of a document by its name; standard input is YAML."""
    return f"application/{'json' if file.endswith('.json') else 'yaml'}"
