"""Runs of other tools than pgbench: layout, sentences, processes, and claims of their studies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialProcess, TrialRow
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.quality_models import Claim
from backend.core.chart.text.table import text_table
from backend.core.definition.metrics import RATES
from backend.core.definition.presets import presets
from backend.core.definition.submitted import validate_document
from backend.core.plan.model import Cell, Obstacle
from tests.core.chart.runs import SECONDS, made_up

TOO_MANY = Obstacle("clients", "tool_refuses", "too many")
PRESETS = {preset.name: preset.experiment for preset in presets()}


def chart(name: str, change: Any = lambda row, _cell: row, **kwargs: Any) -> ChartModel:
    return build_chart(made_up(PRESETS[name], change=change, **kwargs))


def scaled(metric: str, factor: float, **levels: Any) -> Any:
    """A change that multiplies one metric of the cells with these levels."""

    def change(row: TrialRow, cell: Cell) -> TrialRow:
        if not all(cell.levels.get(name) == level for name, level in levels.items()):
            return row
        metrics = dict(row.metrics or {})
        return replace(row, metrics=metrics | {metric: metrics.get(metric, 1.0) * factor})

    return change


def both(*changes: Any) -> Any:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        for one in changes:
            row = one(row, cell)
        return row

    return change


def claim(model: ChartModel, words: str) -> Claim:
    assert model.study is not None
    (found,) = [c for c in model.study.claims if words in c.text]
    return found


@pytest.mark.parametrize(
    ("name", "row", "series"),
    [
        ("pachot-2019", "path", "userland_proxy"),
        ("whoisnian-2024-paths", "path", "clients"),
        ("whoisnian-2024-paths-quick", "path", "clients"),
        ("whoisnian-2024-tools", "tool", "clients"),
        ("whoisnian-2024-gomaxprocs", "clients", "gomaxprocs"),
        ("myhro-2017", "path", "userland_proxy"),
        ("pdxpug-2014", "path", "clients"),
        ("lab-equals-host", "path", "engine"),
    ],
)
def test_each_preset_is_laid_out_by_what_it_varies(name: str, row: str, series: str) -> None:
    model = chart(name, noise=0.02)
    assert (model.row_factor, model.series_factor) == (row, series)
    places = [(cell.row, cell.series) for cell in model.cells]
    assert len(set(places)) == len(places)
    assert {cell.color for cell in model.cells} == {entry.color for entry in model.legend}


def test_every_row_of_the_study_has_its_figures() -> None:
    model = chart("whoisnian-2024-paths")
    figures = {
        (c.levels["path"], c.levels["userland_proxy"], c.levels["clients"]): c.published for c in model.cells
    }
    proxy = figures["published_loopback", True, 10]
    assert proxy is not None
    assert proxy.values["proxy_cpu_cores"] == 3.63
    assert proxy.ratio == pytest.approx(104760 / 150762)
    assert sum(c.published is not None for c in model.cells) == 36
    (axis, *_) = model.axes
    medians = {cell.id: cell.summaries["rps"].median or 0.0 for cell in model.cells}
    drawn = [
        (cell.published.ratio or 0.0) * medians[cell.comparisons["rps"].baseline_id]
        for cell in model.cells
        if cell.published and "rps" in cell.comparisons
    ]
    assert max(drawn) <= axis.domain[1] <= 2 * max(*drawn, *medians.values())
    assert axis.domain[1] < 156780, "the printed figures themselves are of another host and are not drawn"


def test_the_headline_speaks_of_requests_and_throughput() -> None:
    costly = both(
        scaled("rps", 0.5, path="nginx_http_published"),
        scaled("cpu_us_per_txn", 2, path="nginx_http_published"),
    )
    model = chart("myhro-2017", costly)
    assert model.headline.startswith("Reverse proxy nginx (HTTP), published port is ")
    assert (
        "slower than Reverse proxy nginx (HTTP), bare host (95 % simultaneous CI of 3 comparisons"
        in model.headline
    )
    assert "times the CPU per request (95 % simultaneous CI of 3 comparisons" in model.headline
    costly = both(
        scaled("throughput_gbit_s", 0.5, path="overlay"), scaled("cpu_us_per_txn", 2, path="overlay")
    )
    model = chart("barbarin-2019", costly)
    assert model.headline.startswith("Overlay network is ") and "times the CPU per MB" in model.headline


def test_a_cell_whose_tool_does_not_yield_a_metric_is_not_compared_by_it() -> None:
    model = chart("host-paths-quick")
    for cell in model.cells:
        own = RATES[str(cell.levels["tool"])]
        assert cell.summaries[own].n == 1
        assert {m for m in ("tps", "rps") if m in cell.comparisons} <= {own}
    assert {check.metric for check in model.duplicates} == {"tps", "rps"}
    assert "host-paths" in model.name and text_table(model)


def workers(*seconds: float) -> Any:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        if cell.levels["path"] != "nginx_stream":
            return row
        # The busiest worker is another one in every trial; its place in the list says nothing.
        turned = seconds[row.round % len(seconds) :] + seconds[: row.round % len(seconds)]
        found = [TrialProcess("proxy", "nginx worker", False, value * SECONDS) for value in turned]
        found.append(TrialProcess("proxy", "nginx worker", True, 9.0))
        found.append(TrialProcess("client", "wrk", False, 7.0))
        return replace(row, processes=tuple(found))

    return change


def test_processes_are_ranked_within_their_trial() -> None:
    model = chart("whoisnian-2024-paths-quick", workers(0.57, 0.57, 0.42, 0.0))
    cell = next(c for c in model.cells if c.levels["path"] == "nginx_stream")
    shares = [(p.name, p.thread, p.rank, pytest.approx(p.cores)) for p in cell.processes]
    assert shares == [
        ("nginx worker", False, 1, 0.57),
        ("nginx worker", False, 2, 0.57),
        ("nginx worker", False, 3, 0.42),
        ("nginx worker", False, 4, 0.0),
        ("nginx worker", True, 1, 9.0 / SECONDS),
    ]
    assert all(c.processes == () for c in model.cells if c.levels["path"] != "nginx_stream")


@pytest.mark.parametrize(
    ("seconds", "outcome"),
    [
        ((0.57, 0.57, 0.42, 0.0), "reproduced"),
        ((0.4, 0.4, 0.41, 0.4), "contradicted"),
        ((1.0,), "reproduced"),
    ],
)
def test_the_spread_over_workers(seconds: tuple[float, ...], outcome: str) -> None:
    found = claim(chart("whoisnian-2024-paths-quick", workers(*seconds)), "unevenly")
    assert found.outcome == outcome
    assert "busiest nginx worker" in found.detail and "8 trials" in found.detail


def test_the_spread_without_processes_is_not_tested() -> None:
    found = claim(chart("whoisnian-2024-paths-quick"), "unevenly")
    assert found.outcome == "undecided"
    assert found.detail == (
        "Not tested: no trial of Reverse proxy nginx (TCP), userland-proxy on, 4 clients has "
        "the CPU of more than one nginx worker."
    )


def test_claims_at_high_concurrency_use_the_highest_that_the_run_has() -> None:
    slow = scaled("rps", 0.7, path="published_loopback", userland_proxy=True, clients=4)
    found = claim(chart("whoisnian-2024-paths-quick", slow), "a third of the throughput")
    assert (
        "Published port on 127.0.0.1, userland-proxy on, 4 clients ÷ Host network, userland-proxy "
        "on, 4 clients"
    ) in found.detail
    assert found.outcome == "reproduced"
    slow = scaled("rps", 0.7, path="published_loopback", userland_proxy=True, clients=10)
    found = claim(chart("whoisnian-2024-paths", slow), "a third of the throughput")
    assert "10 clients ÷ Host network, userland-proxy on, 10 clients" in found.detail


def test_a_level_that_cannot_run_is_not_the_highest() -> None:
    model = chart(
        "whoisnian-2024-paths", infeasible=lambda levels: TOO_MANY if levels["clients"] == 10 else None
    )
    assert "8 clients ÷ Host network, userland-proxy on, 8 clients" in claim(model, "a third").detail


@pytest.mark.parametrize(("proxy", "outcome"), [(2.0, "reproduced"), (0.5, "contradicted")])
def test_one_role_against_another(proxy: float, outcome: str) -> None:
    def change(row: TrialRow, _cell: Cell) -> TrialRow:
        assert row.cpu is not None
        roles: Mapping[str, float] = {**row.cpu.roles, "proxy": proxy * row.cpu.roles["server"]}
        return replace(row, cpu=replace(row.cpu, roles=roles))

    found = claim(chart("whoisnian-2024-paths-quick", change), "more CPU than the service")
    assert found.outcome == outcome
    assert (
        f"CPU of the proxy ÷ CPU of the server in Published port on 127.0.0.1, userland-proxy "
        f"on, 4 clients: median {proxy:.2f}" in (found.detail)
    )


@pytest.mark.parametrize(("nginx", "outcome"), [(0.5, "reproduced"), (0.9, "contradicted")])
def test_the_ratio_of_two_proxies(nginx: float, outcome: str) -> None:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        cores = {"nginx_stream": nginx, "published_loopback": 1.0}.get(str(cell.levels["path"]), 0.0)
        return replace(row, metrics={**(row.metrics or {}), "proxy_cpu_cores": cores})

    found = claim(chart("whoisnian-2024-paths-quick", change), "half of docker-proxy's CPU")
    assert found.outcome == outcome
    assert (
        "CPU of the proxy, Reverse proxy nginx (TCP), userland-proxy on, 4 clients ÷ Published "
        "port on 127.0.0.1, userland-proxy on, 4 clients" in found.detail
    )


def test_no_proxy_cpu_is_asked_for_as_a_ceiling() -> None:
    found = claim(chart("whoisnian-2024-paths-quick"), "iptables cost no proxy CPU")
    assert found.outcome == "reproduced"
    assert "at most 0.02" in found.detail


def test_gomaxprocs_above_the_quota() -> None:
    slow = both(
        scaled("rps", 0.6, gomaxprocs=16, clients=4), scaled("server_switches_per_txn", 3.0, gomaxprocs=16)
    )
    model = chart("whoisnian-2024-gomaxprocs-quick", both(scaled("server_switches_per_txn", 2.0), slow))
    assert claim(model, "costs the service throughput").outcome == "reproduced"
    assert claim(model, "context switches").outcome == "reproduced"
    assert claim(model, "a third").detail.startswith("Not tested: the run has no single cell")


def test_sockets_and_ports() -> None:
    fast = both(
        scaled("rps", 1.08, path="nginx_http_bare_unix"),
        scaled("rps", 1.08, path="nginx_http_unix"),
        scaled("rps", 0.76, path="nginx_http_published"),
    )
    model = chart("myhro-2017-quick", fast)
    assert model.study is not None
    assert [c.outcome for c in model.study.claims] == ["reproduced"] * 3
    model = chart("myhro-2017-quick")
    assert model.study is not None
    assert [c.outcome for c in model.study.claims] == ["contradicted", "contradicted", "reproduced"]


def test_a_claim_that_cannot_be_tested_says_why() -> None:
    model = chart("pdxpug-2014-quick")
    found = claim(model, "base image")
    assert (found.outcome, found.detail) == (
        "undecided",
        "Not tested: Plimsoll runs the same files from one image everywhere.",
    )
    assert (
        claim(model, "slower than the bare host").detail.count("Container address, in the container layer")
        == 1
    )


def test_compared_paths_with_other_links_are_told() -> None:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        mtu = "65536" if cell.levels["path"] == "published_loopback" else "1500"
        return replace(row, facts={"mtu server link": mtu, "tso server link": "on", "cpu": cell.id})

    model = chart("barbarin-2019", change)
    found = [text for text in model.warnings if text.startswith("Compared paths differ")]
    assert found == [
        "Compared paths differ in mtu server link: 1500 in Bare host from another host, Host network from "
        "another host and 3 more; 65536 in Published port on 127.0.0.1. That is part of the "
        "result; make it equal to compare anything else."
    ]
    assert not [text for text in chart("barbarin-2019").warnings if "differ in" in text]


def test_series_of_free_words_have_colours() -> None:
    document = {
        "name": "sets", "title": "Sets", "baseline": {"server_cpuset": ""},
        "factors": {"path": ["same_container", "container_address"], "server_cpuset": ["1", "", "0"]},
    }  # fmt: skip
    model = build_chart(made_up(validate_document(document)))
    assert [(entry.label, entry.color) for entry in model.legend] == [
        ("server's cpuset 1", 2), ("server's cpuset any", 0), ("server's cpuset 0", 1),
    ]  # fmt: skip


def test_claims_that_the_run_can_test_come_first() -> None:
    model = chart("whoisnian-2024-gomaxprocs")
    assert model.study is not None
    tested = [not claim.detail.startswith("Not tested") for claim in model.study.claims]
    assert any(tested) and not all(tested)
    assert tested == sorted(tested, reverse=True)
