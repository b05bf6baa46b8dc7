"""What qualifies the figures of a matrix, each with the columns that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.chart.compare_runs.matrix_columns import LETTERS, Column, ColumnPair
from backend.core.chart.compare_runs.matrix_model import MatrixWarning, MatrixWarningId
from backend.core.chart.compare_runs.run_comparison_model import Basis
from backend.core.plan.states import RUN_ENDED


def matrix_warnings(
    columns: Sequence[Column], pairs: Sequence[ColumnPair], basis: Basis, refused: bool
) -> Iterator[MatrixWarning]:
    """The warnings; those of columns that are shown although not comparable come first."""
    if refused:
        return
    for pair in pairs:
        if pair.judged.comparable == "not" and not pair.refused:
            reasons = " ".join(pair.judged.reasons)
            yield _warning("not_comparable", (pair.letter,), f"Compared although not comparable: {reasons}")
    yield from _of_runs(columns)
    if basis == "ratios":
        yield _warning("own_baselines", (), "Baselines have no row: each is divided by itself.")
    elif len({one.run.figures.run_id for one in columns}) > 1:
        text = (
            "The runs were not measured in the same rounds: whatever else changed on the host between them "
            "is part of every difference. Ratios to each run's own baseline cancel most of it."
        )
        yield _warning("other_rounds", (), text)


def _of_runs(columns: Sequence[Column]) -> Iterator[MatrixWarning]:
    """Warnings about single runs, with every column of the run."""
    letters: dict[str, list[str]] = {}
    for letter, column in zip(LETTERS, columns, strict=False):
        letters.setdefault(column.run.figures.run_id, []).append(letter)
    figures = {one.run.figures.run_id: one.run.figures for one in columns}
    for run_id, own in letters.items():
        one, names = figures[run_id], tuple(own)
        if one.state not in RUN_ENDED:
            text = f"{', '.join(own)}: the run is not finished; figures and verdicts are provisional."
            yield _warning("unfinished", names, text)
        if one.trust is not None:
            yield _warning("aa_check", names, f"{', '.join(own)}: {one.trust}")
        if one.analyses > 1 and len(letters) > 1:
            text = (
                f"{', '.join(own)}: the run had {one.analyses} planned interim analyses; the intervals "
                "between two runs are not corrected for them."
            )
            yield _warning("interim_analyses", names, text)


def _warning(id_: MatrixWarningId, columns: tuple[str, ...], text: str) -> MatrixWarning:
    return MatrixWarning(id=id_, columns=columns, text=text)
