"""A comparison as a picture: the RunComparison's own ratios, and everything that it must say beside them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.chart.model.model_base import Interval
from backend.core.errors import Invalid
from backend.core.export.pictures.ratios import ratios
from tests.core.chart.compare_runs.two_runs import HOST, one

A = one()
SLOWER = one("run_b", scale=0.8, noise_seed=1)
OTHER = one("run_b", host="bench-2", scale=3.0, noise_seed=1, environment={**HOST, "cpu": "Xeon"})


def values(spec: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    return [row for each in spec["layer"] if each["mark"]["type"] == mark for row in each["data"]["values"]]


def test_dots_and_intervals_are_the_tables_own() -> None:
    model = compare_runs(A, SLOWER)
    spec = ratios(model, "dark")
    rows = [row for row in model.tables[0].rows if row.ratio is not None]
    assert len(rows) == 6
    assert [row["x"] for row in values(spec, "point")] == [row.ratio for row in rows]
    ends = [(row["x"], row["x2"]) for row in values(spec, "rule") if "x2" in row]
    assert ends == [(row.interval.low, row.interval.high) for row in rows if row.interval]
    assert values(spec, "rect") == [{"x": 1 / 1.05, "x2": 1.05}]
    texts = [row["text"] for row in values(spec, "text")]
    assert [text.removesuffix(" (baseline)") for text in texts[:6]] == [row.label for row in rows]
    assert all(f"n = {row.n}" in text for row, text in zip(rows, texts[6:], strict=True))
    lines = spec["title"]["subtitle"]
    assert model.tables[0].headline in lines and any("Shaded: within the margin of 5 %" in s for s in lines)
    assert any(line.startswith("A: ") and "run_b" not in line for line in lines)


def test_a_run_without_a_recorded_start_says_so() -> None:
    model = compare_runs(A, SLOWER)
    unknown = model.model_copy(update={"b": model.b.model_copy(update={"started_at": None})})
    (line,) = [each for each in ratios(unknown, "light")["title"]["subtitle"] if each.startswith("B: ")]
    assert ", start not recorded, 10 rounds" in line


def test_ratios_of_ratios_say_so() -> None:
    model = compare_runs(A, OTHER)
    assert model.basis == "ratios"
    text = " ".join(ratios(model, "light")["title"]["subtitle"])
    assert "ratio to its own run's baseline" in text and "bench-2" in text


def test_a_named_metric_is_drawn() -> None:
    model = compare_runs(A, SLOWER, RunComparisonQuery(metric="cpu_us_per_txn"))
    assert ratios(model, "light")["title"]["text"] == [
        "B against A: CPU per transaction (client, server, proxy and kernel)"
    ]


def test_what_is_not_comparable_is_drawn_only_where_it_is_asked_for() -> None:
    other = one("run_b", margin=0.1, metrics=["latency_avg_ms"])
    refusal = {"refused": True, "overridable": True, "reasons": ("The kernels differ.",)}
    refused = compare_runs(A, other).model_copy(update=refusal)
    with pytest.raises(Invalid, match=r"not comparable: The kernels differ\. Give override=true"):
        ratios(refused, "light")
    with pytest.raises(Invalid, match=r"not comparable: The kernels differ\.$") as caught:
        ratios(refused.model_copy(update={"overridable": False}), "light")
    assert [problem.pointer for problem in caught.value.problems] == ["/b"]
    shown = compare_runs(A, SLOWER).model_copy(
        update={"overridden": True, "reasons": ("The kernels differ.",)}
    )
    text = " ".join(ratios(shown, "light")["title"]["subtitle"])
    assert "Compared although they are not comparable: The kernels differ." in text


def test_nothing_in_common_and_an_unknown_theme_are_refused() -> None:
    empty = compare_runs(A, SLOWER).model_copy(update={"tables": ()})
    with pytest.raises(Invalid, match="no metric in common"):
        ratios(empty, "light")
    with pytest.raises(Invalid, match="theme is one of light, dark"):
        ratios(compare_runs(A, SLOWER), "sepia")


def test_rows_without_a_ratio_are_counted() -> None:
    model = compare_runs(A, SLOWER)
    rows = tuple(row.model_copy(update={"ratio": None}) for row in model.tables[0].rows)
    cut = model.model_copy(update={"tables": (model.tables[0].model_copy(update={"rows": rows}),)})
    spec = ratios(cut, "light")
    assert "6 without a comparison." in spec["title"]["subtitle"] and values(spec, "point") == []


def test_it_is_deterministic_and_holds_no_expression() -> None:
    text = json.dumps(ratios(compare_runs(A, SLOWER), "light"), allow_nan=False)
    assert text == json.dumps(ratios(compare_runs(one(), one("run_b", scale=0.8, noise_seed=1)), "light"))
    assert not re.search(r'"(expr|signal|labelExpr|calculate|url|href|params)"', text)


def test_a_wide_interval_is_cut_at_the_end_of_the_axis() -> None:
    model = compare_runs(A, SLOWER)
    (table, *others) = model.tables
    wide = table.rows[1].model_copy(update={"interval": Interval(low=0.5, high=955.451)})
    table = table.model_copy(update={"rows": (table.rows[0], wide, *table.rows[2:])})
    spec = ratios(model.model_copy(update={"tables": (table, *others)}), "light")
    scales = [each["encoding"]["x"].get("scale", {}) for each in spec["layer"] if "x" in each["encoding"]]
    (end,) = {scale["domainMax"] for scale in scales if scale}
    assert 3 < end < 4
    (line,) = [each for each in spec["layer"] if each["mark"].get("strokeWidth") == 1.75]
    assert line["mark"]["clip"] is True
    ordinary = ratios(model, "light")["layer"]
    assert all("domainMax" not in json.dumps(each) for each in ordinary)
