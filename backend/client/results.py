"""A run's result and comparisons of runs, with their rows as data frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .frames import Row, comparison_rows, frame, matrix_rows, result_rows
from .models import ChartCell, ChartModel, ComparisonMatrix, RunComparison

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Result:
    """A run's result; `model` has everything that the page draws."""

    model: ChartModel

    @property
    def headline(self) -> str:
        """What the run found, in one sentence."""
        return self.model.headline

    @property
    def cells(self) -> tuple[ChartCell, ...]:
        """The cells in the order of the table."""
        return tuple(self.model.cells)

    @property
    def outcome(self) -> str | None:
        """pass, fail or not_enough_evidence of all thresholds; None without thresholds."""
        return None if self.model.gate is None else self.model.gate.outcome

    def rows(self) -> list[Row]:
        """One row for each cell and metric."""
        return result_rows(self.model)

    def to_frame(self) -> pandas.DataFrame:
        """rows() as a data frame. Raises Misconfigured without pandas."""
        return frame(self.rows())


@dataclass(frozen=True)
class Comparison:
    """The comparison of two runs; `refused` where they are not comparable, with `model.reasons`."""

    model: RunComparison

    @property
    def refused(self) -> bool:
        """Whether the server refused to compare them."""
        return self.model.refused

    def rows(self) -> list[Row]:
        """One row for each metric and cell."""
        return comparison_rows(self.model)

    def to_frame(self) -> pandas.DataFrame:
        """rows() as a data frame. Raises Misconfigured without pandas."""
        return frame(self.rows())


@dataclass(frozen=True)
class MatrixComparison:
    """Two to twelve runs or cells in one metric; `refused` where none is comparable with the reference."""

    model: ComparisonMatrix

    @property
    def refused(self) -> bool:
        """Whether the server refused to compare every column with the reference."""
        return self.model.refused

    def rows(self) -> list[Row]:
        """One row for each cell and column that has it."""
        return matrix_rows(self.model)

    def to_frame(self) -> pandas.DataFrame:
        """rows() as a data frame. Raises Misconfigured without pandas."""
        return frame(self.rows())
