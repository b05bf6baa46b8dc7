"""Units of the Go benchmark format by metric, chosen so that benchstat rescales none of them.

benchstat turns "ns" into seconds and "MB" into bytes (golang.org/x/perf `benchunit.Tidy`), and puts SI
prefixes before what it prints; "us" it leaves alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from backend.core.definition.metrics import Metric

_RATES: Final = {"tps": ("tps", 0), "rps": ("req/s", 0), "throughput_gbit_s": ("bits/s", 9)}
_MILLISECONDS = "_ms"


@dataclass(frozen=True)
class GoUnit:
    """The unit's name in the file, and the power of ten from Plimsoll's own unit to it."""

    name: str
    power: int

    def text(self, value: float) -> str:
        """A finite value in this unit: the shortest text that reads as the same float, scaled exactly."""
        scaled = float(Decimal(repr(value)).scaleb(self.power))
        return repr(scaled)


def go_unit(metric: Metric) -> GoUnit:
    """The unit of one metric, the same in every file: "tps", "cpu-us/txn", "open-p99-sec"."""
    if metric.name in _RATES:
        return GoUnit(*_RATES[metric.name])
    words = metric.name.replace("_per_txn", "/txn").replace("latency_", "")
    if words.endswith(_MILLISECONDS):
        return GoUnit(words.removesuffix(_MILLISECONDS).replace("_", "-") + "-sec", -3)
    return GoUnit(words.replace("_", "-"), 0)
