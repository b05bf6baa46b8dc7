"""Input and output of the commands: results on standard output, messages on standard error."""

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

_CLOSED: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EPIPE)
_SIMILAR: Final = {"−": "-", "–": "-", "─": "-", "…": "...", "“": '"', "”": '"', "×": "x", "÷": "/", "µ": "u"}
"""Replacements in ASCII: a question mark in place of a minus sign would change a number."""
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]


def print_message(text: str) -> None:
    """Print a message on standard error."""
    print(text, file=sys.stderr)


def print_result(value: Any, as_json: bool, text: str) -> None:
    """Print the result as JSON or text."""
    print(json_text(value) if as_json else text)


def json_text(value: Any) -> str:
    """The value as JSON; with escapes if standard output is not UTF-8."""
    utf = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    return json.dumps(value, indent=2, ensure_ascii=not utf, allow_nan=False)


def replace_unencodable() -> None:
    """Print characters that the terminal cannot encode as similar ones, or as question marks."""
    codecs.register_error("plimsoll", _replace)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="plimsoll")


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    return "".join(_SIMILAR.get(char, "?") for char in lost), error.end


def is_output_closed(error: OSError) -> bool:
    """Whether an error means that standard output is full or closed.

    If so, redirects it to /dev/null: flushing it at the interpreter's exit would fail again.
    """
    if error.filename is not None or error.errno not in _CLOSED:
        return False
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)
    return True


def colour() -> bool:
    """Whether to print colours."""
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
