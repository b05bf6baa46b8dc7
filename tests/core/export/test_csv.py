"""CSV, read back by Python's own reader."""

from __future__ import annotations

import csv
import io

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.run_cells import by_cell
from backend.core.definition.metrics import METRICS
from backend.core.export.csv_long import csv_long
from backend.core.export.csv_text import csv_text
from backend.core.export.csv_wide import csv_wide
from tests.core.export.runs import HOSTILE, hostile_run


def read(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff") and text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_long_has_every_value_of_every_trial_exactly() -> None:
    data = hostile_run()
    rows = read(csv_long(data))
    used = {row.trial_id for trials in by_cell(data).values() for row in trials.used}
    expected = [
        (row.trial_id, name, value)
        for row in data.trials
        for name, value in sorted((row.metrics or {}).items(), key=lambda item: list(METRICS).index(item[0]))
    ]
    found = [(row["trial"], row["metric"], float(row["value"])) for row in rows if row["value"]]
    assert found == expected
    assert {row["trial"] for row in rows} == {row.trial_id for row in data.trials}
    assert {row["trial"] for row in rows if row["used"] == "true"} == used
    assert {row["unit"] for row in rows if row["metric"] == "tps"} == {"1/s"}
    assert {(row["state"], row["failure"]) for row in rows if not row["value"]} == {("failed", "timeout")}


def test_long_tells_every_level_and_the_place_in_the_round() -> None:
    data = hostile_run()
    places = {trial.seq: (trial.round, trial.position) for trial in data.plan.trials}
    levels = {cell.id: cell.levels for cell in data.plan.cells}
    for row in read(csv_long(data)):
        seq = int(row["trial"].removeprefix("trl_"))
        assert (int(row["round"]), int(row["position"])) == places[seq]
        for name, level in levels[row["cell"]].items():
            assert row[name] == (str(level).lower() if isinstance(level, bool) else str(level))


def test_wide_has_the_numbers_of_the_chart_model() -> None:
    model = build_chart(hostile_run(), complete=True)
    rows = read(csv_wide(model))
    assert len(rows) == len(model.cells)
    for row, cell in zip(rows, model.cells, strict=True):
        assert (row["cell"], row["label"], row["state"]) == (cell.id, cell.label, cell.state)
        summary, found = cell.summaries["tps"], cell.comparisons.get("tps")
        assert float(row["tps_median"]) == summary.median and summary.interval is not None
        assert float(row["tps_low"]) == summary.interval.low
        assert (row["tps_ratio"], row["tps_verdict"]) == (
            ("", "") if found is None else (repr(found.ratio), found.verdict)
        )
        cores = {share.role: share.cores for share in cell.cpu}
        assert float(row["cpu_proxy_cores"]) == cores["proxy"]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫"])
@pytest.mark.parametrize("before", ["", " ", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u00ad "])
def test_a_sign_of_a_formula_is_text_in_every_width_and_behind_blanks(before: str, sign: str) -> None:
    (row,) = read(csv_text(["a"], [[f"{before}{sign}1+1"]]))
    assert row["a"] == f"'{before}{sign}1+1"


def test_other_texts_stay_as_they_are() -> None:
    texts = ["a=b", "1-2", "", " x", "文字", "ﬁ", "'", "①"]
    assert [row["a"] for row in read(csv_text(["a", "b"], [[text, 1] for text in texts]))] == texts


def test_nothing_begins_like_a_formula_and_numbers_stay_numbers() -> None:
    rows = read(csv_text(["a", "b"], [[text, -1.5] for text in ("=1+1", "+1", "-1", "@x", "\tx", "\rx")]))
    assert all(row["a"].startswith("'") and row["b"] == "-1.5" for row in rows)
    assert read(csv_text(["a"], [['say "x", y']]))[0]["a"] == 'say "x", y'
    fields = csv_text(["a"], [[True], [1e-7], [float("nan")]]).splitlines()[1:]
    assert fields == ["true", "1e-07", '""']
    failed = next(row for row in read(csv_wide(build_chart(hostile_run()))) if row["reason"])
    assert HOSTILE in failed["reason"]
