"""The sentences of a result: headline, warnings. Written once, here."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from backend.core.chart.cells.trials import LARGEST, CellTrials
from backend.core.chart.model.cell_models import ChartCell, Comparison
from backend.core.chart.model.chart_model import RunNotice
from backend.core.chart.model.quality_models import DriftCheck, DuplicateCheck
from backend.core.definition.metrics import METRICS
from backend.core.statistics.paired import Bounds
from backend.core.statistics.verdict import changed, confidence, multiples

CPU = "cpu_us_per_txn"
OPERATIONS = {"pgbench": "transaction", "wrk": "request", "ab": "request", "iperf3": "MB"}
"""What a tool's transaction is called."""
LINK_FACTS = ("mtu ", "tso ", "gso ", "gro ")
"""How the names of link settings begin in which compared paths may differ although no factor sets them."""
_PLURAL = ("switches", "segments", "%")
"""Units of the metrics whose label is a plural."""


def headline(cells: Sequence[ChartCell], metric: str, ended: bool) -> str:
    """One sentence: the largest effect in the first metric with its interval, or why there is none."""
    compared = [(c, c.comparisons[metric]) for c in cells if metric in c.comparisons and not c.is_duplicate]
    shown = [(c, found) for c, found in compared if found.verdict in ("better", "worse")]
    if shown:
        cell, found = max(shown, key=lambda pair: abs(math.log(pair[1].ratio or 1.0)))
        return _effect(cell, found, _label(cells, found.baseline_id), metric, "" if ended else "So far ")
    done, planned = sum(c.trials_done for c in cells), sum(c.trials_planned for c in cells)
    if not ended:
        return f"No result yet: {done} of {planned} trials are done."
    label = METRICS[metric].label
    counted = Counter(found.verdict for _, found in compared if found.verdict != "undefined")
    kinds = set(counted)
    if not kinds:
        return f"No comparison in {label} could be made: {done} of {planned} trials are done."
    if kinds == {"not_enough_rounds"}:
        return f"Not enough rounds: no difference in {label} could be significant."
    lost = sum(_is_lost(cell, metric) for cell in cells)
    judged = f"; {lost} of {lost + sum(counted.values())} could not be compared." if lost else "."
    which, judged = "compared cell" if lost else "cell", _of(sum(counted.values())) + judged
    if "no_difference_shown" not in kinds and "not_enough_rounds" not in kinds:
        return f"No {which} differs from its baseline in {label} by more than the margin{judged}"
    return f"No difference in {label} is shown between any {which} and its baseline beyond the margin{judged}"


def _of(comparisons: int) -> str:
    return ", the only comparison" if comparisons == 1 else f", of {comparisons:,} comparisons"


def _is_lost(cell: ChartCell, metric: str) -> bool:
    """Whether it has a baseline to be compared with by this metric, but no ratio to it."""
    found = cell.comparisons.get(metric)
    if found is not None:
        return found.verdict == "undefined" and not cell.is_duplicate
    compared = not cell.is_baseline and not cell.is_duplicate and METRICS[metric].applies(cell.levels)
    return compared and cell.state == "infeasible"


def _label(cells: Sequence[ChartCell], id_: str) -> str:
    return next(cell.label for cell in cells if cell.id == id_)


def _bounds(found: Comparison) -> Bounds | None:
    return None if found.interval is None else (found.interval.low, found.interval.high)


def _effect(cell: ChartCell, found: Comparison, baseline: str, metric: str, opening: str) -> str:
    """The sentence of one effect: a rate is faster or slower, any other metric is named."""
    row, n = METRICS[metric], f"{found.n} rounds"
    ratio, bounds = found.ratio or 1.0, _bounds(found)
    if row.comparatives[0] == "faster":
        text, taker = f"{opening}{cell.label} is {changed(row, ratio, bounds, baseline, n, found.family)}", ""
    else:
        are, that = ("are", "those") if row.unit in _PLURAL else ("is", "that")
        figures = changed(row, ratio, bounds, f"{that} of {baseline}", n, found.family)
        name = f"{opening}{row.label}{',' if ',' in row.label and '(' not in row.label else ''}"
        text = f"{name[:1].upper()}{name[1:]} of {cell.label} {are} {figures}"
        taker = f"{cell.label} "
    cost = cell.comparisons.get(CPU)
    if metric != CPU and cost is not None and cost.verdict in ("better", "worse"):
        text += f", and {taker}{_cost(cost, str(cell.levels.get('tool')))}"
    return text + "."


def _cost(cost: Comparison, tool: str) -> str:
    """ "takes 1.86 times the CPU per transaction (95 % CI 1.79 to 1.93)"."""
    bounds = _bounds(cost) or ()
    size, *ends = multiples(cost.ratio or 1.0, *bounds)
    interval = f" ({confidence(cost.family)} {' to '.join(ends)})" if ends else ""
    return f"takes {size} times the CPU per {OPERATIONS.get(tool, 'transaction')}{interval}"


def interim_sentence(planned: Sequence[int], taken: Sequence[int]) -> str:
    """The planned and taken interim analyses, and which figures are corrected for them."""
    rounds = " and ".join(filter(None, (", ".join(map(str, planned[:-1])), str(planned[-1]))))
    return (
        f"Interim analyses after {'round' if len(planned) == 1 else 'rounds'} {rounds}, fixed before the "
        f"start; {len(taken)} of {len(planned)} taken. p-values and intervals of comparisons and costs per "
        "hop are corrected for all of them; a median's own interval is not, nor is a knee's."
    )


def run_notices(
    cells: Mapping[str, CellTrials],
    metrics: Sequence[str],
    checks: Sequence[DuplicateCheck],
    drifts: Sequence[DriftCheck],
    others: Sequence[str],
) -> Iterator[RunNotice]:
    """The warnings of a run; `others` come last."""
    if any(trials.used and not trials.run_ended for trials in cells.values()):
        yield RunNotice(sentence="The run is not finished: figures and verdicts are provisional.")
    yield from (RunNotice(sentence=check.sentence) for check in checks if check.suspect)
    for id_, trials in cells.items():
        if trials.state in ("contradicted", "not_proven", "invalid", "contaminated", "excluded", "failed"):
            yield RunNotice(sentence=f"{trials.reason}; it has no figures.", cell_id=id_)
        elif trials.losses and trials.state == "partial":
            yield RunNotice(
                sentence=f"{trials.losses}; these trials and their pairs are left out.", cell_id=id_
            )
    yield from (RunNotice(sentence=sentence) for sentence in _dropped(cells, metrics))
    drifted = (check.sentence for check in drifts if check.significant)
    yield from (RunNotice(sentence=sentence) for sentence in (*drifted, *others))


def notice_text(notice: RunNotice, labels: Mapping[str, str]) -> str:
    """A notice as one line of text, with the label of its cell."""
    return notice.sentence if notice.cell_id is None else f"{labels[notice.cell_id]}: {notice.sentence}"


def _dropped(cells: Mapping[str, CellTrials], metrics: Sequence[str]) -> Iterator[str]:
    """Which values are unusable numbers, so that every missing value has its warning."""
    for metric in metrics:
        found = {trials.cell.label: n for trials in cells.values() if (n := trials.dropped(metric))}
        if found:
            total = sum(found.values())
            of = f"{METRICS[metric].label} of {total} {'trial' if total == 1 else 'trials'}"
            yield (
                f"{of} is left out with its pairs, because it is no usable number (infinite, not a number, "
                f"or beyond {LARGEST:g}): {some([*found])}."
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
            yield (
                f"Compared paths differ in {name}: {'; '.join(parts)}. That is part of the result; "
                "make it equal to compare anything else."
            )


def some(labels: Sequence[str]) -> str:
    """The first two, and how many more there are."""
    more = f" and {len(labels) - 2} more" if len(labels) > 2 else ""
    return ", ".join(labels[:2]) + more
