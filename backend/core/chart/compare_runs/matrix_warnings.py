"""What qualifies the figures of a matrix, each with the columns that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.chart.compare_runs.matrix_columns import LETTERS, Column, ColumnPair
from backend.core.chart.compare_runs.matrix_model import MatrixWarning, MatrixWarningId
from backend.core.chart.compare_runs.run_comparison_model import Basis
from backend.core.messages.message import joined, message
from backend.core.plan.states import RUN_ENDED


def matrix_warnings(
    columns: Sequence[Column], pairs: Sequence[ColumnPair], basis: Basis, refused: bool
) -> Iterator[MatrixWarning]:
    """The warnings; those of columns that are shown although not comparable come first."""
    if refused:
        return
    for pair in pairs:
        if pair.judged.comparable == "not" and not pair.refused:
            reasons = joined(pair.judged.reasons)
            yield _warning("not_comparable", (pair.letter,), message("runsOverridden", reasons=reasons))
    yield from _of_runs(columns)
    if basis == "ratios":
        yield _warning("own_baselines", (), message("runsOwnBaselines"))
    elif len({one.run.figures.run_id for one in columns}) > 1:
        yield _warning("other_rounds", (), message("runsOtherRounds"))


def _of_runs(columns: Sequence[Column]) -> Iterator[MatrixWarning]:
    """Warnings about single runs, with every column of the run."""
    letters: dict[str, list[str]] = {}
    for letter, column in zip(LETTERS, columns, strict=False):
        letters.setdefault(column.run.figures.run_id, []).append(letter)
    figures = {one.run.figures.run_id: one.run.figures for one in columns}
    for run_id, own in letters.items():
        one, names = figures[run_id], tuple(own)
        if one.state not in RUN_ENDED:
            yield _warning("unfinished", names, message("columnsUnfinished", names=", ".join(own)))
        if one.trust is not None:
            yield _warning("aa_check", names, message("runsTrust", name=", ".join(own), trust=one.trust))
        if one.analyses > 1 and len(letters) > 1:
            text = message("columnsInterim", names=", ".join(own), analyses=one.analyses)
            yield _warning("interim_analyses", names, text)


def _warning(id_: MatrixWarningId, columns: tuple[str, ...], text: str) -> MatrixWarning:
    return MatrixWarning(id=id_, columns=columns, text=text)
