"""CSV that spreadsheets open correctly: RFC 4180, UTF-8 with a byte order mark, no formulas."""

from __future__ import annotations

import csv
import io
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from backend.core.definition.factors import FACTORS, Level

Value = str | float | int | bool | None
BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel reads the file in the machine's own code page; LibreOffice and pandas skip it
(`encoding="utf-8-sig"`)."""
_FORMULA: Final = frozenset("=+-@")
"""First characters that a spreadsheet would evaluate (OWASP, "CSV injection"), also in other widths."""
_SPLITTING: Final = ("\t", "\r", "\n")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """The file: a header line and one line per row, each ended by CR LF. Missing is an empty field.

    Numbers are written with all their digits; booleans as true and false; a text that a spreadsheet
    would evaluate as a formula gets an apostrophe.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([_field(name) for name in columns])
    writer.writerows([_field(value) for value in row] for row in rows)
    return BYTE_ORDER_MARK + text.getvalue()


def _field(value: Value) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    return f"'{value}" if value.startswith(_SPLITTING) or _is_formula(value) else value


def _is_formula(text: str) -> bool:
    """Whether the first visible character is a sign of a formula; full-width and small forms count as it.

    Spreadsheets of East Asian locales evaluate a full-width sign, and some remove leading blanks.
    """
    for character in text:
        if character.isspace() or unicodedata.category(character) == "Cf":
            continue
        return not _FORMULA.isdisjoint(unicodedata.normalize("NFKC", character))
    return False


def level_columns(cells: Iterable[Mapping[str, Level]]) -> tuple[str, ...]:
    """The factors that some cell has a level of, in the order of FACTORS."""
    found = {name for levels in cells for name in levels}
    return tuple(name for name in FACTORS if name in found)
