"""Results of many shapes for property tests: levels and sizes, zeros, lost trials, few rounds, one cell."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from hypothesis import strategies as st

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.definition.experiment import Experiment
from backend.core.definition.submitted import validate_document
from backend.core.plan.model import Cell
from tests.core.chart.runs import failed, made_up

Loss = Literal["failed", "contaminated", "excluded"]
PATHS: Final = ("same_container", "sibling_container", "container_address", "published_loopback")
SIZES: Final = (1.0, 1.0, 0.999, 1.03, 0.95, 0.56, 2.8, 1e-3, 1e3, 0.0)
"""How large a cell's metric is: equal, within the margin, beyond it, over six decades, and zero."""
_TOOLS: Final[Mapping[str, Mapping[str, Any]]] = {
    "tps": {},
    "latency_avg_ms": {},
    "retransmits": {"tool": "iperf3", "service": "iperf3_server"},
}


@dataclass(frozen=True)
class Shape:
    """What a made-up run asks, how large the metric is in each cell, and which trials are lost."""

    paths: tuple[str, ...]
    proxies: tuple[bool, ...]
    clients: tuple[int, ...]
    asks: Literal["compare", "baseline", "path"]
    metric: str
    rounds: int
    noise: float
    sizes: tuple[float, ...]
    losses: tuple[tuple[int, int, Loss], ...]
    state: str
    seed: int
    thresholds: bool

    @property
    def experiment(self) -> Experiment:
        """The experiment; its thresholds are on the metric that it compares."""
        factors: dict[str, Any] = {"path": [*self.paths], "userland_proxy": [*self.proxies]}
        factors |= {"clients": [*self.clients]} | _TOOLS[self.metric]
        question: dict[str, Any] = {"baseline": {"path": self.paths[0], "userland_proxy": self.proxies[0]}}
        if self.asks == "path":
            question = {"baseline": {"path": self.paths[0]}}
        elif self.asks == "compare" and len(self.proxies) + len(self.paths) > 2:
            question = {"compare": "userland_proxy" if len(self.proxies) > 1 else "path"}
        texts = [f"ratio({self.metric}, baseline) >= 1", f"ratio({self.metric}, baseline) <= 1.0"]
        others = [] if self.metric == "retransmits" else ["cpu_us_per_txn"]
        document = {
            "name": "made-up",
            "title": "Made up",
            "factors": factors,
            "rounds": self.rounds,
            "seed": self.seed,
            "metrics": [self.metric, *others],
            "thresholds": texts if self.thresholds else [],
            **question,
        }
        return validate_document(document)

    def run(self, run_id: str = "run_1") -> ChartInput:
        """The run with its made-up values."""
        numbers: dict[str, int] = {}
        generator = random.Random(self.seed)

        def change(row: TrialRow, cell: Cell) -> TrialRow:
            number = numbers.setdefault(cell.id, len(numbers))
            own = number if not cell.is_duplicate else numbers.get(cell.baseline_id or "", 0)
            size = self.sizes[own % len(self.sizes)] * generator.lognormvariate(0, self.noise)
            metrics = {**(row.metrics or {}), self.metric: 1000.0 * size}
            if "cpu_us_per_txn" in metrics:
                metrics["cpu_us_per_txn"] = 100.0 / (size or 1.0)
            return self._spoilt(replace(row, metrics=metrics), own)

        return replace(_with_hops(made_up(self.experiment, change, self.state)), run_id=run_id)

    def _spoilt(self, row: TrialRow, number: int) -> TrialRow:
        for cell, from_round, loss in self.losses:
            if cell != number or row.round < from_round:
                continue
            if loss == "failed":
                return failed(row)
            if loss == "excluded":
                return replace(row, excluded="a backup ran")
            return replace(row, contaminated=("other processes: 0.61 cores, limit 0.15",))
        return row


def _with_hops(data: ChartInput) -> ChartInput:
    known = {"same_container": ("loopback",), "sibling_container": ("veth", "bridge", "veth")}
    hops = {}
    for cell in data.plan.cells:
        relayed = cell.levels["path"] == "published_loopback" and cell.levels["userland_proxy"]
        own = known.get(str(cell.levels["path"]), ("bridge", "veth"))
        hops[cell.id] = ("loopback", "docker-proxy", "bridge", "veth") if relayed else own
    return replace(data, hops=hops)


def shapes() -> st.SearchStrategy[Shape]:
    """Runs of one to sixteen cells."""
    losses: st.SearchStrategy[Loss] = st.sampled_from(("failed", "contaminated", "excluded"))
    return st.builds(
        Shape,
        paths=st.integers(1, 4).map(lambda n: PATHS[-n:]),
        proxies=st.sampled_from(((True, False), (True,), (False,))),
        clients=st.sampled_from(((1,), (1,), (1, 8))),
        asks=st.sampled_from(("compare", "baseline", "path")),
        metric=st.sampled_from(("tps", "tps", "latency_avg_ms", "retransmits")),
        rounds=st.sampled_from((1, 2, 5, 6, 7, 8, 9, 10, 12)),
        noise=st.sampled_from((0.0, 0.002, 0.01, 0.03, 0.1, 0.4)),
        sizes=st.lists(st.sampled_from(SIZES), min_size=1, max_size=8).map(tuple),
        losses=st.lists(st.tuples(st.integers(0, 7), st.integers(1, 10), losses), max_size=5).map(tuple),
        state=st.sampled_from(("done", "done", "done", "running", "cancelled", "incomplete")),
        seed=st.integers(0, 10_000),
        thresholds=st.booleans(),
    )
