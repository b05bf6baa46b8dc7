"""The table has the model's numbers, in the terminal and in Markdown."""

from __future__ import annotations

import re
from dataclasses import replace

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.text.table import build_table, markdown_table, number, text_table
from backend.core.plan.model import Cell
from backend.core.topology.paths import hops_of
from tests.core.chart.runs import is_cell, made_up, study_experiment


def test_both_forms_have_the_rows_of_the_table() -> None:
    model = build_chart(made_up())
    text, markdown = text_table(model), markdown_table(model)
    for row in build_table(model).rows:
        assert all(word in text for word in row.texts)
        verdicts = "; ".join((row.texts[-1], *row.others))
        assert "| " + " | ".join((*row.texts[:-1], verdicts)) + " |" in markdown
        assert all(f"    {verdict}\n" in text for verdict in row.others)
    assert model.headline in text
    assert f"**{model.headline}**" in markdown


def test_the_numbers_are_the_models() -> None:
    model = build_chart(made_up())
    cell, row = model.cells[5], build_table(model).rows[5]
    summary, comparison = cell.summaries["tps"], cell.comparisons["tps"]
    assert summary.median is not None
    assert summary.interval is not None
    assert comparison.ratio is not None
    assert row.texts[:3] == ("Published port on 127.0.0.1", "on", "10")
    assert row.texts[3].startswith(f"{summary.median:,.0f} [{summary.interval.low:,.0f}, ")
    assert row.texts[4].startswith(f"{comparison.ratio:.3f} [")
    assert row.texts[6:12] == ("0.70", "1.00", "0.60", "0.10", "0.02", "0.01")
    assert row.texts[12:14] == ("1.52", "0.05")
    assert row.texts[14:] == ("0.617", "10/10", comparison.sentence)


def test_columns() -> None:
    table = build_table(build_chart(made_up()))
    assert len(table.columns) == len(table.aligned) == len(table.rows[0].texts) == 17
    plain = build_table(build_chart(made_up(study_experiment(study=None))))
    assert ("published", "ratio") in table.columns
    assert ("published", "ratio") not in plain.columns


def test_lines_of_the_terminal_stand_in_columns_and_fit() -> None:
    model = build_chart(made_up())
    lines = text_table(model).splitlines()
    compared, cpu = (n for n, line in enumerate(lines) if line.startswith("─"))
    names = [row.texts[0] for row in build_table(model).rows]
    for start, name in ((compared, "proven"), (cpu, "cores")):
        column = lines[start].rindex(" ─") + 1
        assert lines[start - 1][column:].strip() == name
        rows = [line for line in lines[start + 1 : lines.index("", start)] if not line.startswith(" ")]
        assert [row.split("  ")[0] for row in rows] == names
        assert [row[column - 1] for row in rows] == [" "] * len(model.cells)
        assert all(len(row) <= 120 for row in rows)
    verdicts = [line.strip() for line in lines[compared + 1 : lines.index("", compared)] if line[0] == " "]
    assert verdicts == [one for row in build_table(model).rows for one in (row.texts[-1], *row.others)]


def test_every_metrics_verdict_is_said_not_the_first_ones_alone() -> None:
    model = build_chart(made_up())
    row = build_table(model).rows[5]
    compared = model.cells[5].comparisons
    assert [
        compared[metric].sentence in text for metric, text in zip([*compared][1:], row.others, strict=True)
    ]
    assert row.others[1].startswith("CPU per transaction, proxy: ")
    assert "µs higher" in row.others[1]


def test_colour_changes_no_letter() -> None:
    model = build_chart(made_up())
    coloured = text_table(model, colour=True)
    assert "\x1b[31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text_table(model)
    assert "\x1b" not in text_table(model)


def test_missing_figures_are_dashes_and_states_are_named() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        wrong = is_cell(cell, "published_loopback", True)
        return replace(row, evidence="contradicted") if wrong else row

    row = build_table(build_chart(made_up(change=spoil))).rows[5]
    assert row.texts[2:14] == ("0", *("–",) * 11)
    assert row.texts[-2:] == ("0/10", "contradicted: 10 of 10 trials: the path of the label is contradicted")


def test_notes_follow_the_table() -> None:
    text = text_table(build_chart(made_up()))
    assert "A/A of Same container, userland-proxy on" in text
    assert "Tied for best in transactions per second: Same container, userland-proxy on and Same " in text
    assert "transactions per second moved by " in text
    claim = "Claim “docker-proxy slows the docker-host client by about 40 %”"
    assert f"{claim}: direction reproduced, size reproduced." in text
    assert "Study: F. Pachot" in text


def test_prices_and_thresholds_are_told() -> None:
    data = made_up(study_experiment(thresholds=["ratio(tps, baseline) >= 0.9"]))
    model = build_chart(replace(data, hops={cell.id: hops_of(cell.levels) for cell in data.plan.cells}))
    text, markdown = text_table(model), markdown_table(model)
    sentences = [step.sentence for step in model.ladders[0].rungs]
    assert sentences
    assert all(sentence in text and sentence in markdown for sentence in sentences)
    assert "Published port on 127.0.0.1, userland-proxy on against " in text
    assert model.gate is not None
    assert f"Threshold ratio(tps, baseline) >= 0.9: fail. {model.gate.rules[0].sentence}" in markdown


def test_numbers() -> None:
    assert number(17_512.434, 0) == "17,512"
    assert number(0.5, 2) == "0.50"
    assert number(None, 2) == "–"
