"""Hosts with a metric that is zero: compared by differences, never left out."""

from __future__ import annotations

from dataclasses import replace

from backend.core.chart.across_hosts.build_hosts import build_hosts_result
from backend.core.chart.cells.inputs import TrialRow
from backend.core.plan.model import Cell
from tests.core.chart.across_hosts.host_groups import PROXIED, group, host_run, judged, row
from tests.core.chart.runs import Change

METRICS = ("proxy_cpu_cores", "tps")


def proxy_takes(cores: float) -> Change:
    """The proxy of the published path takes so many cores; elsewhere there is none."""

    def change(found: TrialRow, cell: Cell) -> TrialRow:
        assert found.metrics is not None
        proxied = (cell.levels["path"], cell.levels["userland_proxy"]) == PROXIED
        noise = 0.001 * (found.round % 5 - 2)
        return replace(found, metrics={**found.metrics, "proxy_cpu_cores": cores + noise if proxied else 0.0})

    return change


def test_the_cpu_of_a_role_from_zero_is_compared_on_each_host_and_between_them() -> None:
    runs = [
        host_run(name, change=proxy_takes(cores), metrics=METRICS) for name, cores in (("a", 0.5), ("b", 0.8))
    ]
    model = build_hosts_result(group(*runs, metrics=METRICS))
    figure = row(model, PROXIED).figures[0]
    assert (figure.verdict, figure.ratio) == ("worse", None)
    assert figure.difference is not None
    assert round(figure.difference.value, 2) == 0.5
    found = judged(model)
    assert (found.outcome, found.ratio) == ("disagree", None)
    assert found.difference is not None
    assert round(found.difference.value, 2) == 0.3
    assert "the difference to the baseline on b is 0.3 cores higher than on a" in found.sentence
