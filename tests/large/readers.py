"""Every function that reads text from outside, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from backend.cli.importing import grouped
from backend.cli.number_files import parse_numbers
from backend.core.chart.text.plain_text import plain
from backend.core.definition.checks import is_level
from backend.core.definition.document_parser import parse_document
from backend.core.definition.factors import FACTORS
from backend.core.definition.submitted import read_submitted, validate_document
from backend.core.definition.thresholds import parse_level, parse_levels, parse_threshold
from backend.core.sample import histogram
from backend.core.sample.parsers import PARSERS
from backend.store.ids import is_id

QUESTION: Final = {"name": "a", "title": "A", "baseline": {"path": "same_container"}}


def _threshold_within(text: str) -> object:
    return validate_document({**QUESTION, "thresholds": [text]})


def _each_field(text: str) -> object:
    return validate_document(
        {"name": text, "title": text, "study": text, text: text, "baseline": {text: text}, "metrics": [text]}
    )


def _each_level(text: str) -> None:
    for factor in FACTORS.values():
        is_level(factor, text)


def _each_level_text(text: str) -> None:
    for factor in FACTORS.values():
        try:
            parse_level(factor, text)
        except ValueError:
            continue


READERS: Final[dict[str, Callable[[str], object]]] = {
    "json": lambda text: parse_document(text, "json"),
    "yaml": lambda text: parse_document(text, "yaml"),
    "json experiment": lambda text: read_submitted(text, "json"),
    "yaml experiment": lambda text: read_submitted(text, "yaml"),
    "fields": _each_field,
    "threshold": parse_threshold,
    "threshold of a document": _threshold_within,
    "levels": parse_levels,
    "level": _each_level,
    "level as text": _each_level_text,
    "command line": lambda text: grouped([text], "pgbench", None, 1),
    "id": lambda text: is_id("run", text),
    "numbers": lambda text: parse_numbers(text, "a.txt"),
    "histogram": lambda text: histogram.parse(text),
    "markdown": plain,
    **{name: lambda text, parser=parser: parser.parse(text, text) for name, parser in PARSERS.items()},
    **{
        f"{name} progress": lambda text, parser=parser: parser.progress("", text)
        for name, parser in PARSERS.items()
    },
}
