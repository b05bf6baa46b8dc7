"""Made-up runs in which one metric of a path, of its baseline or of both is zero, in every output as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from backend.cli import hosts_table, run_comparison_table
from backend.cli.stats import text as stats_text
from backend.cli.two_samples import Design, compare_samples
from backend.client import frames
from backend.client import models as client_models
from backend.core.chart.across_hosts.build_hosts import HostGroup, build_hosts_result
from backend.core.chart.across_hosts.host_runs import HostRun
from backend.core.chart.across_hosts.hosts_model import HostsResult
from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.compare_runs.compared_cells import figures_of
from backend.core.chart.compare_runs.matrix import MatrixQuery, compare_columns
from backend.core.chart.compare_runs.matrix_columns import Column
from backend.core.chart.compare_runs.matrix_model import ComparisonMatrix
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.chart.compare_runs.run_comparison_model import RunComparison
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.run_verdict import run_verdict
from backend.core.chart.text.table import text_table
from backend.core.definition.experiment import Experiment
from backend.core.definition.metrics import METRICS
from backend.core.export.csv_long import csv_long
from backend.core.export.csv_wide import csv_wide
from backend.core.export.document import document
from backend.core.export.go_benchmark import go_benchmark
from backend.core.export.hosts_csv import hosts_csv
from backend.core.export.hosts_document import hosts_document
from backend.core.export.hosts_markdown import hosts_markdown
from backend.core.export.html import report
from backend.core.export.markdown import markdown
from backend.core.export.matrix_csv import matrix_csv
from backend.core.export.matrix_text import matrix_markdown, matrix_terminal
from backend.core.export.pictures.card import card_chart, card_of
from backend.core.export.pictures.hosts import hosts
from backend.core.export.pictures.kinds import Picture, spec
from backend.core.export.pictures.ratios import ratios
from backend.core.export.printed_report import RunFacts, printed_report
from backend.core.plan.model import Cell
from tests.core.chart.compare_runs.two_runs import MadeUpRun, made_up_run
from tests.core.chart.runs import made_up, study_experiment

SENT_AGAIN: Final = (1253.0, 914.0, 926.0, 1026.0, 1274.0, 1292.0, 1216.0, 902.0)
"""Retransmits of eight transfers through docker-proxy; the direct path had none."""
_SERVICES: Final = {"pgbench": "postgres", "wrk": "pong", "ab": "pong", "iperf3": "iperf3_server"}
BASELINE, CHANGED = "container_address", "published_loopback"


def _listed(clients: int | tuple[int, ...]) -> int | list[int]:
    return clients if isinstance(clients, int) else [*clients]


@dataclass(frozen=True)
class Zeros:
    """Values of `metric` by round: of the baseline's path and of the published port."""

    metric: str
    baseline: tuple[float, ...]
    changed: tuple[float, ...]
    clients: int | tuple[int, ...] = 1

    @property
    def experiment(self) -> Experiment:
        """Two paths by this metric, with thresholds on it."""
        tool = METRICS[self.metric].tools[0]
        fixed = {"tool": tool, "service": _SERVICES[tool], "clients": _listed(self.clients)}
        return study_experiment(
            study=None,
            factors={"path": [BASELINE, CHANGED], **fixed},
            rounds=len(self.baseline),
            baseline={"path": BASELINE},
            metrics=[self.metric],
            thresholds=[f"ratio({self.metric}, baseline) <= 1.05", f"{self.metric} <= 2000"],
        )

    def run(self, run_id: str = "run_1", host: str = "bench-1", scale: float = 1.0) -> ChartInput:
        """The run; `scale` multiplies the values of the published port."""
        values = {BASELINE: self.baseline, CHANGED: tuple(scale * value for value in self.changed)}

        def change(row: TrialRow, cell: Cell) -> TrialRow:
            own = values[str(cell.levels["path"])][row.round - 1]
            return replace(row, metrics={**(row.metrics or {}), self.metric: own})

        data = made_up(self.experiment, change)
        return replace(data, run_id=run_id, environment={"host": host, "cpu": "x", "cores": "4"})

    @cached_property
    def model(self) -> ChartModel:
        """The run's result."""
        return build_chart(self.run())

    @cached_property
    def two(self) -> tuple[MadeUpRun, MadeUpRun, MadeUpRun, MadeUpRun]:
        """The run as it is, one in which both paths have the values of the published port, and two more."""
        alike = replace(self, baseline=self.changed)
        runs = (self.run("run_a"), alike.run("run_b"), self.run("run_c"), self.run("run_d"))
        a, b, c, d = (made_up_run(data, started_at="2026-11-20T10:00:00.000Z") for data in runs)
        return a, b, c, d

    def compared(self, basis: str) -> RunComparison:
        """Two of those runs."""
        a, b, *others = self.two
        return compare_runs(a, b, RunComparisonQuery(metric=self.metric, basis=basis), others)  # type: ignore[arg-type]

    def matrix(self, basis: str) -> ComparisonMatrix:
        """Three of those runs in columns."""
        a, b, c, d = self.two
        columns = [Column(run, None, (c, d)) for run in (a, b, c)]
        return compare_columns(columns, MatrixQuery(metric=self.metric, basis=basis))  # type: ignore[arg-type]

    @property
    def group(self) -> HostGroup:
        """The run on two hosts, on one of them with 1.5 times the values."""
        runs = [self.run(f"run_{name}", name, scale) for name, scale in (("a", 1.0), ("b", 1.5))]
        started = "2026-11-20T10:00:00.000Z"
        members = [
            HostRun(data.environment["host"], data.run_id, "done", started, figures_of(data)) for data in runs
        ]
        return HostGroup("grp_1", "exp_1", self.experiment, members)

    @cached_property
    def hosts(self) -> HostsResult:
        """The result of both hosts."""
        return build_hosts_result(self.group)


def drawn(spec_: Mapping[str, Any]) -> str:
    """The texts and figures of a picture, one a line."""
    if isinstance(spec_, Mapping):
        return "\n".join(f"{name}: {drawn(value)}" for name, value in spec_.items() if name != "$schema")
    return "\n".join(map(drawn, spec_)) if isinstance(spec_, list | tuple) else str(spec_)


def _client(model: Any, of: Any) -> Any:
    return of.model_validate_json(model.model_dump_json())


def _picture(kind: str) -> Callable[[Zeros], str]:
    return lambda zeros: drawn(spec(replace(zeros, clients=(1, 2)).model, Picture(kind=kind)))


def _stats(paired: bool) -> Callable[[Zeros], str]:
    design = Design(paired, True, 0.05)
    return lambda zeros: stats_text(compare_samples([*zeros.baseline], [*zeros.changed], design))


ABOUT: Final = RunFacts("https://plimsoll.example/runs/run_1", None, None)
OUTPUTS: Final[Mapping[str, Callable[[Zeros], str]]] = {
    "headline of page, link and message": lambda zeros: zeros.model.headline,
    "terminal": lambda zeros: text_table(zeros.model),
    "Markdown": lambda zeros: markdown(zeros.model),
    "CSV by cell": lambda zeros: csv_wide(zeros.model),
    "CSV by trial": lambda zeros: csv_long(zeros.run()),
    "benchstat": lambda zeros: go_benchmark(zeros.run()),
    "JSON": lambda zeros: json.dumps(document(zeros.run(), zeros.model), allow_nan=False),
    "HTML": lambda zeros: report(zeros.model, ()),
    "report for paper": lambda zeros: printed_report(zeros.model, zeros.run(), (), ABOUT, "ab" * 32),
    "verdict in lists of runs": lambda zeros: run_verdict(zeros.model).model_dump_json(),
    "picture of a link": lambda zeros: (
        "\n".join(card_of(zeros.model, "Title", "light").lines) + drawn(card_chart(zeros.model, "light"))
    ),
    "picture dots": _picture("dots"),
    "picture heatmap": _picture("heatmap"),
    "picture facets": _picture("facets"),
    "comparison, terminal": lambda zeros: run_comparison_table.text(zeros.compared("values")),
    "comparison, Markdown": lambda zeros: run_comparison_table.markdown(zeros.compared("values")),
    "comparison of ratios, terminal": lambda zeros: run_comparison_table.text(zeros.compared("ratios")),
    "comparison, picture": lambda zeros: drawn(ratios(zeros.compared("values"), "light")),
    "comparison of ratios, picture": lambda zeros: drawn(ratios(zeros.compared("ratios"), "light")),
    "columns, terminal": lambda zeros: matrix_terminal(zeros.matrix("values")),
    "columns, Markdown": lambda zeros: matrix_markdown(zeros.matrix("values")),
    "columns of ratios, terminal": lambda zeros: matrix_terminal(zeros.matrix("ratios")),
    "columns, CSV": lambda zeros: matrix_csv(zeros.matrix("values")),
    "columns of ratios, CSV": lambda zeros: matrix_csv(zeros.matrix("ratios")),
    "hosts, terminal": lambda zeros: hosts_table.text(zeros.hosts),
    "hosts, Markdown": lambda zeros: hosts_markdown(zeros.hosts),
    "hosts, CSV": lambda zeros: hosts_csv([zeros.hosts]),
    "hosts, JSON": lambda zeros: json.dumps(hosts_document(zeros.group, [zeros.hosts]), allow_nan=False),
    "hosts, picture": lambda zeros: drawn(hosts(zeros.hosts, "light")),
    "plimsoll stats": _stats(False),
    "plimsoll stats --paired": _stats(True),
    "client's rows": lambda zeros: str(frames.result_rows(_client(zeros.model, client_models.ChartModel))),
    "client's rows of a comparison": lambda zeros: str(
        frames.comparison_rows(_client(zeros.compared("values"), client_models.RunComparison))
    ),
    "client's rows of columns": lambda zeros: str(
        frames.matrix_rows(_client(zeros.matrix("values"), client_models.ComparisonMatrix))
    ),
}
