"""What the commands print: the answer alone on standard output, words for the reader on standard error."""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from backend.cli.failure import USAGE, Failure

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EPIPE)
_NEAR: Final = {"−": "-", "–": "-", "─": "-", "…": "...", "“": '"', "”": '"', "×": "x", "÷": "/", "µ": "u"}
"""A question mark in a minus sign's place would turn a figure around."""
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="The id of a run.")]


def say(text: str) -> None:
    """For the reader."""
    print(text, file=sys.stderr)


def answer(value: Any, as_json: bool, text: str) -> None:
    """The answer: as JSON, or as text."""
    print(json_text(value) if as_json else text)


def json_text(value: Any) -> str:
    """The value as JSON; where standard output cannot hold every character, with escapes for those."""
    whole = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    return json.dumps(value, indent=2, ensure_ascii=not whole, allow_nan=False)


def replace_unencodable() -> None:
    """A character that the terminal's encoding has not is printed as a near one, or a question mark."""
    codecs.register_error("plimsoll", _near)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="plimsoll")


def _near(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    return "".join(_NEAR.get(char, "?") for char in lost), error.end


def is_output_closed(error: OSError) -> bool:
    """Whether the output has no room left, or nobody who reads it.

    What is still to be written goes nowhere then: at the interpreter's end it would fail once more.
    """
    if error.filename is not None or error.errno not in _NO_ROOM:
        return False
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return True


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
