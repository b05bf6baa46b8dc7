"""Exports of comparisons of several runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from backend.api.comparisons import matrices
from backend.api.comparisons.matrices import Chosen
from backend.api.exports.service import Exported
from backend.core.chart.compare_runs.matrix import MatrixQuery
from backend.core.chart.compare_runs.matrix_model import ComparisonMatrix
from backend.core.errors import Invalid
from backend.core.export.matrix_csv import matrix_csv
from backend.core.export.matrix_text import matrix_markdown
from backend.settings import Settings


@dataclass(frozen=True)
class MatrixFormat:
    """One format of a matrix."""

    extension: str
    media: str
    write: Callable[[ComparisonMatrix], str]


FORMATS: Final[dict[str, MatrixFormat]] = {
    "csv": MatrixFormat("csv", "text/csv; charset=utf-8", matrix_csv),
    "json": MatrixFormat("json", "application/json", lambda model: model.model_dump_json(indent=1)),
    "markdown": MatrixFormat("md", "text/markdown; charset=utf-8", matrix_markdown),
}
"""The formats by the name in the URL."""


def find(name: str) -> MatrixFormat:
    """The format of this name. Raises Invalid."""
    if name not in FORMATS:
        raise Invalid.at("/format", "unknown_format", f"format is one of {', '.join(FORMATS)}")
    return FORMATS[name]


def export(settings: Settings, columns: Chosen, query: MatrixQuery, form: MatrixFormat) -> Exported:
    """The matrix in this format. Raises Invalid and NotFound."""
    model = matrices.read(settings, columns, query)
    return Exported(form.write(model).encode(), f"plimsoll-comparison.{form.extension}", None)
