"""A group of runs as CSV, Markdown, JSON and picture: the result's own figures, and what qualifies them."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from backend.core.chart.across_hosts.build_hosts import build_hosts_result
from backend.core.chart.across_hosts.hosts_model import HostsResult
from backend.core.errors import Invalid
from backend.core.export.hosts_csv import hosts_csv
from backend.core.export.hosts_document import hosts_document
from backend.core.export.hosts_markdown import hosts_markdown
from backend.core.export.pictures.hosts import MAX_MARKS, hosts
from tests.core.chart.across_hosts.host_groups import ENVIRONMENT, PROXIED, group, host_run

GROUP = group(
    host_run("bench-a"),
    host_run("=bench|b", 2.0, {PROXIED: 0.8}, environment={**ENVIRONMENT, "kernel": "6.18"}),
)
MODEL = build_hosts_result(GROUP)


def values(spec: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    return [row for each in spec["layer"] if each["mark"]["type"] == mark for row in each["data"]["values"]]


def figures(model: HostsResult) -> list[Any]:
    return [figure for row in model.table.rows for figure in row.figures]


def test_csv_has_a_row_for_each_metric_cell_and_host() -> None:
    other = build_hosts_result(GROUP, "cpu_us_per_txn")
    rows = list(csv.DictReader(io.StringIO(hosts_csv([MODEL, other]).removeprefix("\ufeff"))))
    assert len(rows) == len(figures(MODEL)) + len(figures(other))
    own = [row for row in rows if row["metric"] == "tps"]
    for row, figure in zip(own, figures(MODEL), strict=True):
        assert row["host"] == figure.host.replace("=", "'=")  # no formula
        assert float(row["median"]) == figure.median
        assert row["ratio"] == ("" if figure.ratio is None else repr(figure.ratio))
        assert row["ratio_low"] == ("" if figure.interval is None else repr(figure.interval.low))
    judged = [row for row in own if row["disagreement"] == "disagree"]
    assert [row["label"] for row in judged] == ["Published port on 127.0.0.1, userland-proxy on"] * 2
    assert all(row["disagreement"] == "" for row in own if row["is_baseline"] == "true")


def test_markdown_says_what_differs_before_the_figures_and_escapes_names() -> None:
    text = hosts_markdown(MODEL)
    places = [
        text.index(part) for part in (MODEL.headline, "differ in kernel", "| kernel |", "| cell | host |")
    ]
    assert places == sorted(places)
    assert "=bench\\|b" in text and "Hosts disagree: the ratio on bench-a" in text
    assert "Provisional" not in text
    active = build_hosts_result(group(host_run("bench-a"), host_run("bench-b", state="running")))
    assert "*Provisional: not all runs have ended.*" in hosts_markdown(active)


def test_the_document_holds_the_values_that_the_result_is_made_of() -> None:
    document = json.loads(json.dumps(hosts_document(GROUP, [MODEL]), allow_nan=False))
    first = GROUP.runs[0].figures
    assert first is not None
    cell = next(iter(first.cells))
    found = document["runs"][0]["figures"]["cells"][cell]["by_metric"]["tps"]
    assert {int(round_): value for round_, value in found.items()} == first.cells[cell].by_metric["tps"]
    assert document["results"] == [MODEL.model_dump(mode="json")]
    assert document["schema"] == "plimsoll.run-group/v1" and not document["provisional"]


def test_the_picture_has_a_lane_for_each_cell_and_host() -> None:
    spec = hosts(MODEL, "dark")
    sound = [figure for figure in figures(MODEL) if figure.ratio is not None]
    assert [row["x"] for row in values(spec, "point")] == [figure.ratio for figure in sound]
    ends = [(row["x"], row["x2"]) for row in values(spec, "rule") if "x2" in row]
    assert ends == [(one.interval.low, one.interval.high) for one in sound if one.interval is not None]
    texts = [row["text"] for row in values(spec, "text")]
    assert texts.count("bench-a") == 5 and texts.count("hosts disagree") == 1
    lines = " ".join(spec["title"]["subtitle"])
    assert MODEL.headline in lines and "The hosts differ in kernel." in lines and "margin of 5 %" in lines


def test_a_picture_of_many_hosts_leaves_cells_out_and_says_how_many() -> None:
    many = build_hosts_result(group(*(host_run(f"host-{number}") for number in range(64))))
    spec = hosts(many, "light")
    lanes = spec["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert len(lanes) <= MAX_MARKS + MAX_MARKS // 64 + 1
    assert "The first 3 of 5 cells." in spec["title"]["subtitle"]
    assert "host-63: " not in " ".join(spec["title"]["subtitle"])


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(Invalid):
        hosts(MODEL, "red")
