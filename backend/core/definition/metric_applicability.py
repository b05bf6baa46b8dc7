"""Checks that some cell of a document reports what the document asks for: metrics, thresholds, latency limit.

Reads the plain document, as `checks` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backend.core.definition.checks import listed, pointer, repeated, shown, unknown
from backend.core.definition.factors import FACTORS
from backend.core.definition.metrics import METRICS, RATES
from backend.core.definition.nesting import (
    applies_somewhere,
    as_levels,
    default_metrics,
    products,
    tools_of,
    united,
)
from backend.core.definition.thresholds import parse_threshold
from backend.core.errors import Problem

Products = Sequence[Mapping[str, object]]


def inapplicable(document: Mapping[str, object]) -> Iterator[Problem]:
    """The problems of metrics, thresholds and limits that apply to no cell of the document."""
    factors = document.get("factors", {})
    cells = products(factors, document.get("include")) if isinstance(factors, Mapping) else []
    metrics = document.get("metrics", list(default_metrics(factors)))
    if isinstance(metrics, list):
        yield from _metrics(metrics, cells)
        yield from repeated(metrics, "duplicate_metric", "metric", "metrics")
        thresholds = document.get("thresholds")
        if isinstance(thresholds, list):
            yield from _thresholds(thresholds, metrics, cells)
            yield from repeated(thresholds, "duplicate_threshold", "threshold", "thresholds")
    if document.get("latency_limit_ms") is not None and cells and not _offered(cells):
        detail = (
            "no cell has an offered rate, so latency from a scheduled start is not measured; give rate a "
            "level above 0 with the tool pgbench, or remove the limit"
        )
        yield Problem(pointer("latency_limit_ms"), "limit_without_rate", detail)


def _offered(cells: Products) -> bool:
    """Whether some cell has an offered rate above 0; where `rate` applies, the tool is pgbench."""
    return any(
        applies_somewhere(FACTORS["rate"], levels)
        and any(type(rate) is int and rate > 0 for rate in as_levels(levels.get("rate", ())))
        for levels in cells
    )


def _metrics(names: list[object], cells: Products) -> Iterator[Problem]:
    tools = sorted({tool for levels in cells for tool in tools_of(levels)})
    for index, name in enumerate(names):
        if not isinstance(name, str):
            continue
        at = pointer("metrics", index)
        if name not in METRICS:
            yield Problem(at, "unknown_metric", unknown("metric", name, METRICS))
        elif tools and not set(tools) & set(METRICS[name].tools):
            detail = f"{name} comes from {listed(METRICS[name].tools)} and not from {listed(tools)}"
            rates = listed(dict.fromkeys(RATES[tool] for tool in tools))
            detail += f"; remove it, or name a metric of the experiment's tools, for example {rates}"
            yield Problem(at, "metric_does_not_fit", detail)
        elif METRICS[name].needs_rate and tools and not _offered(cells):
            detail = (
                f"{name} counts from scheduled starts, and no cell has an offered rate; give rate a level "
                "above 0 with the tool pgbench, or remove it"
            )
            yield Problem(at, "metric_needs_rate", detail)


def _thresholds(texts: list[object], metrics: list[object], cells: Products) -> Iterator[Problem]:
    """Each must parse, name a metric of the experiment, and name levels that some cell has."""
    known = united(cells)
    for index, text in enumerate(texts):
        if not isinstance(text, str) or not text:
            continue
        at = pointer("thresholds", index)
        try:
            threshold = parse_threshold(text)
        except ValueError as error:
            yield Problem(at, "bad_threshold", str(error))
            continue
        if threshold.metric not in metrics:
            detail = f"{threshold.metric} is not among the metrics of the experiment; add it to metrics"
            yield Problem(at, "metric_not_listed", detail)
        for name, level in threshold.levels.items() if cells else ():
            levels = known.get(name, ())
            if not any(type(own) is type(level) and own == level for own in levels):
                has = f"it has {listed(levels)}" if levels else f"{name} applies to none of its cells"
                detail = f"no cell has {name} {shown(level)}; {has}"
                yield Problem(at, "threshold_not_in_levels", detail)
