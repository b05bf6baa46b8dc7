"""Parses files with one number per line; an invalid line is an error with its line number."""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import Final

from backend.cli.failure import USAGE, Failure

LARGEST: Final = 1e300
"""The mean of two larger numbers would overflow."""
MOST: Final = 5000
"""More values are samples of one run, not repeated runs."""
_NUMBER: Final = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,4})?")
_NOT_ZERO: Final = re.compile(r"[-+.0]*[1-9]")
_SHOWN: Final = 60


def parse_numbers(text: str, name: str) -> dict[int, float]:
    """The numbers of a text by line number; blank lines and lines that start with # are skipped.

    Raises Failure with file, line and text.
    """
    values = {}
    for row, line in enumerate(text.split("\n"), start=1):
        word = line.strip()
        if word and not word.startswith("#"):
            values[row] = _number(word, f"{name}, line {row}")
    if not values:
        raise Failure(f"{name}: no numbers; write one per line", USAGE)
    if len(values) > MOST:
        raise Failure(f"{name}: {len(values):,} numbers; write one per repeated run, at most {MOST:,}", USAGE)
    return values


def decoded(data: bytes, name: str) -> str:
    """The text of a file; raises Failure if it is neither UTF-8 nor UTF-16 with its mark."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        # PowerShell's > writes UTF-16.
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Failure(f"{name}, line {line}: not UTF-8 text", USAGE) from error


def _number(word: str, where: str) -> float:
    shown = word if len(word) <= _SHOWN else f"{word[: _SHOWN - 1]}…"
    if not _NUMBER.fullmatch(word):
        raise Failure(f"{where}: “{shown}” is not a number; write one finite number per line", USAGE)
    value = float(word)
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise Failure(f"{where}: “{shown}” is too large; the largest number is {LARGEST:g}", USAGE)
    if value == 0 and _NOT_ZERO.match(word):
        raise Failure(f"{where}: “{shown}” is too small, it would become 0; use another unit", USAGE)
    return value
