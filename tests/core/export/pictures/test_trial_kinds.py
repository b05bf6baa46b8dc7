"""A trial's pictures: what its record says, over time and by latency."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from backend.core.errors import Invalid, NotFound
from backend.core.export.pictures.latency import MAX_BARS
from backend.core.export.pictures.trial_kinds import TRIAL_KINDS, Record, TrialFacts, trial_spec
from backend.core.export.pictures.trial_series import MAX_POINTS
from backend.core.sample.record import ImportedRecord, TrialRecord

ROLES = {"client": 2.5, "server": 4.0, "proxy": 1.5, "kernel": 0.5, "other": 0.25}
BINS = ((250, 0), (500, 60), (1_000, 30), (2_000, 9), (4_000, 1), (8_000, 0))


def record(**changes: Any) -> TrialRecord:
    document = {
        "trial_id": "trl_1",
        "fence": 1,
        "window": {"started_at": "2026-11-20T18:00:00Z", "ended_at": "2026-11-20T18:00:10Z", "seconds": 10.0},
        "metrics": {"tps": 100.0, "open_latency_p50_ms": 0.5, "open_latency_p99_ms": 2.0},
        "latency_measured": True,
        "transactions": 1000,
        "failed_transactions": 0,
        "cpu": {"roles": ROLES, "tasks_total": 8.75, "host_busy": 9.0, "unattributed": 0.25, "idle": 11.0}
        | {"steal": 0.0, "capacity": 20.0, "sources": dict.fromkeys(ROLES, "schedstat")},
        "histogram": BINS,
        "per_second": [
            {"t": float(t), "rate": 100.0 + t, "latency_ms": 0.5, "latency_stddev_ms": None}
            for t in range(1, 11)
        ],
        "cpu_series": [{"t": t / 10, "cores": {"client": 0.25, "server": 0.5}} for t in range(1, 101)],
        "counters": {},
        "evidence": {
            "path": "same_container",
            "hops": (),
            "verdict": "proven",
            "sentence": "",
            "signals": (),
        },
        "commands": (),
        "versions": {},
        "overhead_seconds": 0.4,
    }
    return TrialRecord.model_validate(document | changes)


def imported() -> ImportedRecord:
    return ImportedRecord(
        trial_id="trl_1",
        tool="ab",
        metrics={"rps": 5_000.0},
        latency_measured=True,
        transactions=5,
        failed_transactions=0,
        versions={},
        stdout="",
        stderr="",
    )


def drawn(kind: str, left: Record | None = None, theme: str = "light") -> dict[str, Any]:
    return trial_spec(TrialFacts("A study", "same_container", 3, "trl_1", left or record()), kind, theme)


def values(spec: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    return [row for each in spec["layer"] if each["mark"]["type"] == mark for row in each["data"]["values"]]


@pytest.mark.parametrize("kind", TRIAL_KINDS)
def test_every_kind_says_which_trial_it_is(kind: str) -> None:
    spec = drawn(kind, theme="dark")
    assert spec["title"]["text"] == ["A study"] and spec["background"] == "#151a20"
    assert any(line.startswith("Round 3, same_container. ") for line in spec["title"]["subtitle"])
    assert "Trial trl_1, path proven" in spec["title"]["subtitle"]
    assert not re.search(r'"(expr|signal|labelExpr|calculate|url|href|params)"', json.dumps(spec))


def test_the_rate_is_the_tools_own_and_in_its_unit() -> None:
    spec = drawn("rate")
    assert [(row["x"], row["y"]) for row in values(spec, "line")] == [(t, 100 + t) for t in range(1, 11)]
    assert spec["layer"][0]["encoding"]["y"]["axis"]["title"] == "transactions per second, 1/s"
    requests = drawn("rate", record(metrics={"rps": 5.0}))
    assert requests["layer"][0]["encoding"]["y"]["axis"]["title"] == "requests per second, 1/s"


def test_a_long_series_is_thinned_by_means() -> None:
    points = [{"t": t / 10, "cores": {"client": float(t % 2)}} for t in range(1, 4 * MAX_POINTS + 1)]
    rows = values(drawn("cpu", record(cpu_series=points)), "area")
    assert len(rows) == MAX_POINTS + 1 and rows[0]["x"] == 0
    assert {row["cores"] for row in rows} == {0.5}
    assert rows[-1]["x"] == points[-1]["t"]


def test_cpu_by_role_is_what_was_sampled() -> None:
    rows = values(drawn("cpu"), "area")
    assert {(row["role"], row["cores"]) for row in rows} == {("client", 0.25), ("server", 0.5)}
    assert len(rows) == 2 * 101


def test_capacity_ends_at_what_the_host_had() -> None:
    spec = drawn("capacity")
    rows = values(spec, "bar")
    assert sum(row["used"] for row in rows) == pytest.approx(20.0)
    assert spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0, 20.0]
    assert [row["role"] for row in rows][:2] == ["client 12.5 %", "server 20.0 %"]
    assert rows[-1]["role"] == "idle 55.0 %"


def test_the_histogram_has_no_empty_ends_and_ends_at_all() -> None:
    rows = values(drawn("latency"), "bar")
    assert [(row["x"], row["y"]) for row in rows] == [
        ("500 µs", 60.0),
        ("1 ms", 30.0),
        ("2 ms", 9.0),
        ("4 ms", 1.0),
    ]
    many = tuple((10 * n, 1) for n in range(1, 1001))
    merged = values(drawn("latency", record(histogram=many)), "bar")
    assert len(merged) <= MAX_BARS and sum(row["y"] for row in merged) == pytest.approx(100)


@pytest.mark.parametrize(
    ("bins", "labels"),
    [
        ([1_001, 1_002, 1_010, 999_700], ["1.001 ms", "1.002 ms", "1.01 ms", "999.7 ms"]),
        ([999_600, 1_000_000], ["1000 ms", "1 s"]),
        ([10_001, 10_001, 10_002], ["10.001 ms", "10.002 ms"]),
        ([850, 1_250, 2_000_000_000], ["850 µs", "1.25 ms", "2000 s"]),
    ],
)
def test_each_class_has_a_bar_of_its_own(bins: list[int], labels: list[str]) -> None:
    """Vega-Lite stacks bars with equal labels: two classes would be drawn as one tall one."""
    spec = drawn("latency", record(histogram=[(upper, 5) for upper in bins]))
    (bar,) = spec["layer"]
    assert [row["x"] for row in values(spec, "bar")] == labels == bar["encoding"]["x"]["scale"]["domain"]
    assert sum(row["y"] for row in values(spec, "bar")) == pytest.approx(100)


def test_close_classes_stay_apart_when_neighbours_are_merged() -> None:
    spec = drawn("latency", record(histogram=[(1_000_000 + 7 * n, 1) for n in range(500)]))
    rows = values(spec, "bar")
    assert len({row["x"] for row in rows}) == len(rows) > MAX_BARS / 2


def test_percentiles_stand_on_an_axis_of_nines() -> None:
    spec = drawn("percentiles")
    assert [(round(row["x"], 6), row["y"]) for row in values(spec, "point")] == [
        (round(-math.log10(0.5), 6), 0.5),
        (2.0, 2.0),
    ]
    curve = [(row["x"], row["y"]) for row in values(spec, "line")]
    assert [y for _, y in curve] == [0.5, 0.5, 1.0, 2.0, 4.0]
    assert (
        curve[0][0] == 0
        and curve[1][0] == pytest.approx(-math.log10(0.4))
        and curve[-1][0] == pytest.approx(math.log10(101))
    )
    assert [row["text"] for row in values(spec, "text")] == ["p50", "p90", "p99"]
    alone = drawn("percentiles", record(histogram=()))
    assert [row["y"] for row in values(alone, "line")] == [0.5, 2.0]


@pytest.mark.parametrize(
    ("kind", "left", "said"),
    [
        ("cpu", imported(), "CPU was not sampled; this trial has pictures of kind none"),
        ("percentiles", record(metrics={"tps": 1.0}), "no offered rate.*kind rate, cpu, capacity, latency$"),
        ("rate", record(per_second=()), "no rate by the second"),
        ("latency", record(histogram=((5, 0),)), "no histogram"),
    ],
)
def test_what_a_trial_has_not_is_told_with_what_it_has(kind: str, left: Record, said: str) -> None:
    with pytest.raises(Invalid, match=said) as caught:
        drawn(kind, left)
    assert [(p.pointer, p.code) for p in caught.value.problems] == [("/kind", "no_picture")]


def test_unknown_words_and_a_trial_without_a_record_are_refused() -> None:
    with pytest.raises(Invalid, match="kind is one of rate, cpu, capacity, latency, percentiles"):
        drawn("pie")
    with pytest.raises(Invalid, match="theme is one of light, dark"):
        drawn("rate", theme="sepia")
    with pytest.raises(NotFound, match="left no record"):
        trial_spec(TrialFacts("A study", "c", 1, "trl_1", None), "rate", "light")
