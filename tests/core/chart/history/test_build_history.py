"""Histories: series by cell, environment changes on the axis, changes with size, time and coincidences."""

from __future__ import annotations

from typing import Any

import numpy as np

from backend.core.chart.build import build_chart
from backend.core.chart.history.build_history import DatedPoint, HistoryInput, OtherHistory, build_history
from backend.core.chart.history.history_model import History
from backend.core.chart.history.run_point import PointCell, PointFigure, PointMetric, RunPoint, run_point
from tests.core.chart.runs import made_up

METRIC = PointMetric(metric="tps", label="Throughput", unit="1/s", better="higher", decimals=0)


def figure(value: float) -> PointFigure:
    return PointFigure(value=value, interval=None, n=7)


def point(number: int, factor: float, **environment: str) -> RunPoint:
    """A run with a baseline and a cell that reaches 0.8 of it, times a factor."""
    noise = np.random.default_rng(number).normal(scale=0.005, size=2)
    base, cell = 10_000 * (1 + noise[0]), 8_000 * factor * (1 + noise[1])

    def of(id_: str, path: str, value: float, baseline: bool) -> PointCell:
        return PointCell(
            id=id_,
            label=path,
            path_title=path,
            levels={"path": path, "tool": "pgbench", "clients": 5},
            is_baseline=baseline,
            values={"tps": figure(value)},
            ratios={} if baseline else {"tps": figure(value / base)},
        )

    return RunPoint(
        run_id=f"run_{number}",
        name="demo",
        title="Demo",
        state="done",
        rounds=7,
        suspect=False,
        metrics=(METRIC,),
        environment={"kernel": "6.12.1", "engine on docker": "27.5.1"} | environment,
        cells=(
            of("c1", "same_container", base, True),
            of("c2", "published_loopback", cell, False),
        ),
    )


def history(points: list[RunPoint], **changes: Any) -> History:
    runs = [
        DatedPoint(f"2026-{1 + i // 28:02}-{1 + i % 28:02}T02:00:00.000Z", p) for i, p in enumerate(points)
    ]
    given: dict[str, Any] = {"experiment_id": "exp_1", "host": "alpha", "hosts": (), "runs_total": len(runs)}
    return build_history(HistoryInput(**(given | {"runs": runs} | changes)))


def changed_at_seven(runs: int = 14) -> list[RunPoint]:
    docker = {"engine on docker": "28.0.0"}
    return [point(i, 1.0) if i < 7 else point(i, 0.8, **docker) for i in range(runs)]


def test_a_change_has_size_time_and_what_coincides() -> None:
    found = history(changed_at_seven())
    assert (found.family, found.runs_missing, found.runs_shown) == (3, 0, 14)
    first, second = found.changes
    assert {(one.cell_id, one.basis) for one in found.changes} == {("c2", "ratios"), ("c2", "values")}
    for one in (first, second):
        assert (one.at, one.direction, one.runs_before, one.runs_after) == (7, "worse", 7, 7)
        assert one.p_adjusted <= 0.01 and abs(one.ratio - 0.8) < 0.01
        assert one.interval is not None and one.interval.low < 0.8 < one.interval.high
        assert one.after_time == found.runs[one.first - 1].started_at
        assert one.until_time == found.runs[one.last].started_at
        (coincides,) = one.environment
        assert (coincides.key, coincides.before, coincides.after) == ("engine on docker", "27.5.1", "28.0.0")
    assert abs(first.ratio - 1) >= abs(second.ratio - 1)
    assert [len(run.environment_changes) for run in found.runs] == [0] * 7 + [1] + [0] * 6


def test_an_environment_change_elsewhere_does_not_coincide() -> None:
    runs = [point(i, 1.0 if i < 10 else 0.8, kernel="6.12.1" if i < 3 else "6.13.0") for i in range(20)]
    found = history(runs)
    assert found.changes and all(one.environment == () for one in found.changes)
    assert [run.environment_changes != () for run in found.runs].index(True) == 3


def test_a_short_history_says_how_many_runs_are_missing() -> None:
    found = history(changed_at_seven(5))
    assert (found.changes, found.runs_missing, found.fewest_runs, found.family) == ((), 5, 10, 0)
    assert {one.runs_missing for one in found.series} == {5}


def test_the_same_runs_give_the_same_history() -> None:
    assert history(changed_at_seven()) == history(changed_at_seven())


def test_another_version_is_another_history_with_its_matching_cells() -> None:
    other = OtherHistory("exp_2", 3, point(99, 1.0))
    (version,) = history([point(0, 1.0)], others=[other]).other_versions
    assert (version.experiment_id, version.runs, version.same_cells) == ("exp_2", 3, 2)


def test_a_cell_that_a_run_lacks_is_missing_there() -> None:
    runs = [point(i, 1.0) for i in range(11)]
    runs[4] = runs[4].model_copy(update={"cells": runs[4].cells[:1]})
    found = history(runs)
    series = {(one.cell_id, one.basis): one for one in found.series}
    assert series["c2", "ratios"].points[4] is None and series["c2", "ratios"].runs_missing == 0
    assert series["c1", "values"].points[4] is not None


def test_the_point_of_a_run_has_its_figures_and_the_facts_that_may_move_them() -> None:
    chart = build_chart(made_up()).model_copy(
        update={"environment": {"kernel": "6.12.1", "memory": "8 GB", "at start: containers": "2: a, b"}}
    )
    found = run_point(chart)
    assert found.environment == {"kernel": "6.12.1"}
    cells = {cell.id: cell for cell in chart.cells}
    for cell in found.cells:
        own = cells[cell.id]
        assert cell.values["tps"].value == own.summaries["tps"].median
        assert cell.values["tps"].interval == own.summaries["tps"].interval
        if not cell.is_baseline:
            assert cell.ratios["tps"].interval == own.comparisons["tps"].interval
    assert RunPoint.model_validate_json(found.model_dump_json()) == found


def test_a_series_with_zeros_keeps_its_runs_and_shows_a_difference() -> None:
    sent = PointMetric(metric="retransmits", label="Sent again", unit="segments", better="lower", decimals=0)

    def of_run(number: int) -> RunPoint:
        made = point(number, 1.0)
        again = 0.0 if number < 7 else 900.0 + number
        cells = tuple(
            cell.model_copy(
                update={
                    "values": {"retransmits": figure(0.0 if cell.is_baseline else again)},
                    "ratios": {},
                    "without_ratio": () if cell.is_baseline else ("retransmits",),
                }
            )
            for cell in made.cells
        )
        return made.model_copy(update={"metrics": (sent,), "cells": cells})

    found = history([of_run(number) for number in range(14)])
    assert found.changes == ()
    (change,) = found.differences
    assert (change.cell_id, change.at, change.direction) == ("c2", 7, "worse")
    assert (change.runs_before, change.runs_after, change.difference.unit) == (7, 7, "segments")
    assert change.difference.value == 910
    assert {one.basis for one in found.series} == {"values"}
