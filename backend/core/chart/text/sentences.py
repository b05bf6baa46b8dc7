"""The sentences of a result: headline, warnings. Written once, here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backend.core.chart.cells.effect_size import effect_size
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.cell_models import ChartCell, Comparison
from backend.core.chart.model.chart_model import RunNotice
from backend.core.chart.model.quality_models import DriftCheck, DuplicateCheck
from backend.core.chart.text.lost_comparisons import is_lost, why_without_ratio
from backend.core.definition.metrics import METRICS, Metric
from backend.core.messages.message import Message, key, message, named
from backend.core.statistics.ratio_estimate import Bounds
from backend.core.statistics.verdict import changed, changed_by, confidence, details, multiples

CPU = "cpu_us_per_txn"
OPERATIONS = {"pgbench": "transaction", "wrk": "request", "ab": "request", "iperf3": "MB"}
"""What a tool's transaction is called."""
LINK_FACTS = ("mtu ", "tso ", "gso ", "gro ")
"""How the names of link settings begin in which compared paths may differ although no factor sets them."""
_PLURAL = ("switches", "segments", "%")
"""Units of the metrics whose label is a plural."""
_CANCELLED = message("noTrialsCancelled")
_NOT_DONE = (_CANCELLED, message("ofTheBaseline", reason=_CANCELLED))
_COSTS = {"wrk": "cpuPerRequest", "ab": "cpuPerRequest", "iperf3": "cpuPerMb"}


def headline(cells: Sequence[ChartCell], metric: str, ended: bool) -> str:
    """One sentence: the largest effect in the first metric with its interval, or why there is none."""
    compared = [(c, c.comparisons[metric]) for c in cells if metric in c.comparisons and not c.is_duplicate]
    shown = [(c, found) for c, found in compared if found.verdict in ("better", "worse")]
    if shown:
        cell, found = max(shown, key=lambda pair: effect_size(pair[1]))
        return _effect(cell, found, _label(cells, found.baseline_id), metric, not ended)
    done, planned = sum(c.trials_done for c in cells), sum(c.trials_planned for c in cells)
    if not ended:
        return message("headlineNoResult", done=done, planned=planned)
    label = METRICS[metric].title
    if all(found.verdict == "undefined" for _, found in compared):
        return _nothing_compared([found for _, found in compared], label, done, planned)
    by_id = {cell.id: cell for cell in cells}
    others = [found.verdict for c, found in compared if not is_lost(c, by_id[found.baseline_id], found)]
    lost, n, kinds = len(compared) - len(others), len(others), set(others)
    shown_none = kinds & {"no_difference_shown", "not_enough_rounds"}
    few = kinds <= {"not_enough_rounds"}
    id_ = f"headline{'TooFewRounds' if few else 'NoneShown' if shown_none else 'NoneDiffers'}"
    if lost:
        return message(f"{id_}Lost", metric=label, lost=lost, of=len(compared))
    return message(id_, metric=label) if few else message(id_, metric=label, count=n, n=n)


def _nothing_compared(lost: Sequence[Comparison], label: str, done: int, planned: int) -> str:
    """The sentence of a run without any ratio, with the reason unless trials that are not done explain it."""
    reason = why_without_ratio(lost)
    if reason is None or reason in _NOT_DONE:
        return message("headlineNoComparison", metric=label, done=done, planned=planned)
    return message("headlineNoComparisonWhy", metric=label, done=done, planned=planned, reason=reason)


def _label(cells: Sequence[ChartCell], id_: str) -> str:
    return next(cell.label for cell in cells if cell.id == id_)


def _bounds(found: Comparison) -> Bounds | None:
    return None if found.interval is None else (found.interval.low, found.interval.high)


def _effect(cell: ChartCell, found: Comparison, baseline: str, metric: str, so_far: bool) -> str:
    """The sentence of one effect: a rate is faster or slower, any other metric is named."""
    row, n = METRICS[metric], message("rounds", count=found.n)
    cost = cell.comparisons.get(CPU)
    costs = metric != CPU and cost is not None and cost.ratio and cost.verdict in ("better", "worse")
    kind = f"{'Cost' if costs else ''}{'SoFar' if so_far else ''}"
    figures = {"cell": cell.label}
    if costs and cost is not None:
        figures["cost"] = _cost(cost, str(cell.levels.get("tool")))
    if row.comparatives[0] == "faster":
        return message(f"headlineRate{kind}", change=_change(row, found, baseline, n), **figures)
    plural = row.unit in _PLURAL
    than = message("thoseOf" if plural else "thatOf", label=baseline)
    return message(
        f"headlineMetric{'s' if plural else ''}{kind}",
        metric=_subject(row, so_far),
        change=_change(row, found, than, n),
        **figures,
    )


def _change(row: Metric, found: Comparison, than: str, n: str) -> str:
    if found.difference is not None:
        interval = found.difference.interval
        ends = None if interval is None else (interval.low, interval.high)
        return changed_by(row, found.difference.value, ends, than, n, found.family)
    return changed(row, found.ratio or 1.0, _bounds(found), than, n, found.family)


def _subject(row: Metric, so_far: bool) -> Message:
    """The metric at the beginning of a sentence, or after "So far"."""
    comma = "," if "," in row.label and "(" not in row.label else ""
    text = row.label + comma if so_far else row.label[:1].upper() + row.label[1:] + comma
    return named(key("metric", row.name), text)


def _cost(cost: Comparison, tool: str) -> str:
    """ "takes 1.86 times the CPU per transaction (95 % CI 1.79 to 1.93)"."""
    bounds = _bounds(cost) or ()
    size, *ends = multiples(cost.ratio or 1.0, *bounds)
    interval = message("range", low=ends[0], high=ends[1]) if ends else ""
    return message(
        _COSTS.get(tool, "cpuPerTransaction"), size=size, details=details(confidence(cost.family), interval)
    )


def interim_sentence(planned: Sequence[int], taken: Sequence[int]) -> str:
    """The planned and taken interim analyses, and which figures are corrected for them."""
    *others, last = planned
    rounds = message("andLast", names=", ".join(map(str, others)), last=last) if others else str(last)
    return message("interimPlanned", count=len(planned), rounds=rounds, taken=len(taken), of=len(planned))


def run_notices(
    cells: Mapping[str, CellTrials],
    metrics: Sequence[str],
    checks: Sequence[DuplicateCheck],
    drifts: Sequence[DriftCheck],
    others: Sequence[str],
) -> Iterator[RunNotice]:
    """The warnings of a run; `others` come last."""
    if any(trials.used and not trials.run_ended for trials in cells.values()):
        yield RunNotice(sentence=message("runNotFinished"))
    yield from (RunNotice(sentence=check.sentence) for check in checks if check.suspect)
    for id_, trials in cells.items():
        if trials.state in ("contradicted", "not_proven", "invalid", "contaminated", "excluded", "failed"):
            yield RunNotice(sentence=message("cellWithoutFigures", reason=trials.reason or ""), cell_id=id_)
        elif trials.losses and trials.state == "partial":
            yield RunNotice(sentence=message("cellLeftOut", losses=trials.losses), cell_id=id_)
    yield from (RunNotice(sentence=sentence) for sentence in _not_judged(cells, metrics))
    drifted = (check.sentence for check in drifts if check.significant)
    yield from (RunNotice(sentence=sentence) for sentence in (*drifted, *others))


def notice_text(notice: RunNotice, labels: Mapping[str, str]) -> str:
    """A notice as one line of text, with the label of its cell."""
    return notice.sentence if notice.cell_id is None else f"{labels[notice.cell_id]}: {notice.sentence}"


def _not_judged(cells: Mapping[str, CellTrials], metrics: Sequence[str]) -> Iterator[str]:
    """Which metrics are not judged because some of a cell's trials lack them."""
    for metric in metrics:
        counts = ((cell.cell.label, cell.lacking(metric) or cell.unusable(metric)) for cell in cells.values())
        found = {label: n for label, n in counts if n}
        if found:
            yield message(
                "metricNotJudged",
                metric=METRICS[metric].title,
                count=sum(found.values()),
                cells=some([*found]),
            )


def mismatches(cells: Mapping[str, CellTrials]) -> Iterator[str]:
    """Link settings in which compared cells differ; they can explain a difference in bulk transfers."""
    compared = {
        id_: trials
        for id_, trials in cells.items()
        if not trials.cell.is_duplicate and any(row.facts for row in trials.used)
    }
    seen: dict[str, dict[str, list[str]]] = {}
    for trials in compared.values():
        facts = {name: value for row in trials.used for name, value in row.facts.items()}
        for name, value in facts.items():
            if name.startswith(LINK_FACTS):
                seen.setdefault(name, {}).setdefault(value, []).append(trials.cell.label)
    for name, values in sorted(seen.items()):
        if len(values) > 1:
            parts = (f"{value} in {some(labels)}" for value, labels in sorted(values.items()))
            yield message("pathsDiffer", fact=name, values="; ".join(parts))


def some(labels: Sequence[str]) -> str:
    """The first two, and how many more there are."""
    names = ", ".join(labels[:2])
    return message("andMore", names=names, n=len(labels) - 2) if len(labels) > 2 else names
