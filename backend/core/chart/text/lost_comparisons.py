"""Which comparisons are lost, and why they have no ratio, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from backend.core.chart.model.cell_models import ChartCell, Comparison
from backend.core.messages.catalog import TEMPLATES
from backend.core.messages.message import Message, MessageParts, message, with_parts


def is_lost(cell: ChartCell, baseline: ChartCell, found: Comparison) -> bool:
    """Whether a comparison cannot be made, or has too few rounds because trials of it were lost."""
    if found.verdict != "not_enough_rounds":
        return found.verdict == "undefined"
    missing = sum(one.trials_failed + len(one.left_out) for one in (cell, baseline))
    return missing > 0 and found.rounds_needed is not None and found.n + missing >= found.rounds_needed


def why_without_ratio(comparisons: Iterable[Comparison]) -> str | None:
    """The most frequent reason why there is no ratio, and how many others there are; None if all have one."""
    found = Counter(_reason(one) for one in comparisons if one.verdict == "undefined")
    if not found:
        return None
    ((reason, _),) = found.most_common(1)
    others = len(found) - 1
    return message("moreReasons", reason=reason, count=others) if others else reason


def _reason(comparison: Comparison) -> str:
    """The reason in an undefined verdict, as a message also where the comparison was read from JSON."""
    sentence, parts = comparison.sentence, comparison.message
    if isinstance(sentence, Message):
        return str(sentence.figures["reason"])
    before, after = TEMPLATES["verdictUndefined"].split("{{reason}}")
    text = sentence.removeprefix(before).removesuffix(after)
    reason = None if parts is None else parts.figures.get("reason")
    return with_parts(text, reason if isinstance(reason, MessageParts) else None)
