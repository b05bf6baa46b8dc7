"""The statistical methods of a result, one row for each, with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from backend.core.messages.message import message


@dataclass(frozen=True)
class Method:
    """One method: its subject, its description and its source."""

    what: str
    how: str
    source: str


def _method(id_: str, source: str = "") -> Method:
    return Method(message(id_), message(f"{id_}How"), source)


METHODS: Final = (
    _method("methodDesign", "Montgomery, Design and Analysis of Experiments, chapter 4"),
    _method("methodStarts", "Kalibera and Jones 2013, Rigorous Benchmarking in Reasonable Time"),
    _method("methodMedian", "golang.org/x/perf benchmath; aclements/go-moremath stats.QuantileCI"),
    _method(
        "methodAgainstBaseline", "Wilcoxon 1945; Hodges and Lehmann 1963; Hollander and Wolfe, chapter 3"
    ),
    _method("methodMany", "Westfall and Young 1993; Romano and Wolf 2005; Hothorn, Bretz and Westfall 2008"),
    _method("methodEquivalence", "Schuirmann 1987"),
    _method("methodAa"),
    _method("methodPath"),
    _method("methodCpu"),
)
