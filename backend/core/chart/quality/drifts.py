"""Whether the baselines moved over the run. Pairing by round cancels what all cells share of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.quality_models import DriftCheck
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import message
from backend.core.statistics.drift import drift
from backend.core.statistics.verdict import percent


def drift_checks(cells: Mapping[str, CellTrials], metrics: Sequence[str]) -> Iterator[DriftCheck]:
    """One check a baseline that has values of six rounds, by the first metric that its tool yields."""
    for trials in cells.values():
        metric = next((m for m in metrics if trials.values(m)), None)
        if not trials.cell.is_baseline or metric is None:
            continue
        values = trials.values(metric)
        moved = drift(values)
        if moved is None:
            continue
        yield DriftCheck(
            cell_id=trials.cell.id,
            metric=metric,
            n=len(values),
            change=moved.change,
            p=moved.p,
            significant=moved.significant,
            sentence=message(
                "drifted" if moved.significant else "noDrift",
                cell=trials.cell.label,
                metric=METRICS[metric].title,
                change=percent(1 + moved.change),
                p=f"{moved.p:.2g}",
                rounds=message("rounds", count=len(values)),
            ),
        )
