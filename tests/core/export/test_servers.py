"""Server starts in exports, and what was exported before there were any."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.servers import ONE_START
from backend.core.chart.text.table import text_table
from backend.core.export.csv_long import csv_long
from backend.core.export.document import document, read_document
from backend.core.export.go_benchmark import go_benchmark
from backend.core.export.html import report
from tests.core.chart.runs import made_up


def with_starts() -> ChartInput:
    data = made_up()
    rows = [replace(row, server=f"{row.cell_id}/{row.round}") for row in data.trials]
    return replace(data, trials=rows)


def test_every_row_of_the_long_form_names_its_start() -> None:
    text = csv_long(with_starts()).removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert all(row["server"] == f"{row['cell']}/{row['round']}" for row in rows)


def test_the_benchmark_text_says_how_often_servers_started() -> None:
    data = with_starts()
    assert f"# servers: {data.plan.restart_reason}\n" in go_benchmark(data)
    old = replace(data, plan=replace(data.plan, restart_every=None, restart_reason=""))
    assert f"# servers: {ONE_START}\n" in go_benchmark(old)


def test_terminal_and_page_to_print_say_it_too() -> None:
    model = build_chart(with_starts())
    assert model.servers is not None
    assert model.servers.sentence in text_table(model)
    assert model.servers.sentence in report(model, ())


def test_a_document_of_before_there_were_restarts_is_read() -> None:
    data = with_starts()
    found = json.loads(json.dumps(document(data, build_chart(data, complete=True))))
    for name in ("restart_every", "restart_reason"):
        del found["plan"][name]
    del found["plan"]["estimate"]["restart_seconds"]
    for row in found["trials"]:
        del row["server"]
    read = read_document(found)
    assert read.plan.restart_every is None
    model = build_chart(read)
    assert model.servers is not None and model.servers.sentence == ONE_START
    assert ONE_START in model.warnings
