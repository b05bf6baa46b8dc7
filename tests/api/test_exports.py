"""Exports and the script of a cell over HTTP: media types, names, caching, refusals."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess

import pytest
from fastapi.testclient import TestClient

from backend.api.exports.formats import FORMATS
from backend.core.chart.build import build_chart
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.document import read_document
from backend.render import images
from tests.api.client import DOCUMENT, Worker, problem_of, start_run


@pytest.fixture
def run(api: TestClient, worker: Worker) -> str:
    """A run that has ended."""
    id_ = str(start_run(api)["id"])
    worker.finish()
    return id_


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_answered_with_its_type_name_and_tag(api: TestClient, run: str, name: str) -> None:
    url = f"/api/v1/runs/{run}/exports/{name}"
    answer = api.get(url)
    assert answer.status_code == 200, answer.text
    form = FORMATS[name]
    assert answer.headers["content-type"] == form.media
    kind, _, file = answer.headers["content-disposition"].partition("; ")
    assert kind == ("inline" if form.inline else "attachment")
    assert file.startswith(f'filename="plimsoll-two-cells-{run}') and file.endswith(f'.{form.extension}"')
    assert file.endswith(f'{run}-dots.{form.extension}"') == form.is_picture
    assert answer.headers["cache-control"] == "private, no-cache"
    again = api.get(url, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", answer.headers["etag"])
    assert answer.content


def test_the_formats_hold_the_run(api: TestClient, run: str) -> None:
    url = f"/api/v1/runs/{run}/exports"
    lines = api.get(f"{url}/benchstat").text.splitlines()
    assert len([line for line in lines if line.startswith("Benchmark")]) == 6
    assert api.get(f"{url}/csv-long").content.startswith(b"\xef\xbb\xbfrun,cell,")
    assert len(api.get(f"{url}/csv-wide").text.splitlines()) == 4
    assert "| Same container |" in api.get(f"{url}/markdown").text
    assert "Content-Security-Policy" in api.get(f"{url}/html").text
    document = json.loads(api.get(f"{url}/json").text)
    model = ChartModel.model_validate(api.get(f"/api/v1/runs/{run}/result").json())
    assert build_chart(read_document(document)) == model
    svg = api.get(f"{url}/svg", params={"metric": "cpu_us_per_txn", "theme": "dark"}).text
    assert "CPU per transaction" in svg and "#151a20" in svg
    assert "CPU of the host in cores" in api.get(f"{url}/svg", params={"kind": "roles"}).text


SWEEP = DOCUMENT | {
    "name": "sweep",
    "title": "Sweep",
    "factors": {
        "path": "same_container",
        "clients": [1, 2, 4],
        "reconnect": True,
        "duration_s": 1,
        "warm_up_s": 0,
    },
    "baseline": {"clients": 1},
}


def finish_sweep(worker: Worker) -> None:
    """Two clients are the fastest."""
    while worker.open():
        claimed = worker.claim()
        worker.record(claimed, {1: 5_000.0, 2: 9_000.0, 4: 4_000.0}[int(claimed.levels["clients"])])


def test_ladder_and_knee_are_pictures_of_the_runs_that_have_them(
    api: TestClient, run: str, worker: Worker
) -> None:
    sweep = str(start_run(api, SWEEP)["id"])
    finish_sweep(worker)
    for id_, kind, other, expected in (
        (run, "ladder", "knee", "more than from the path before"),
        (sweep, "knee", "ladder", "clients, n = 2 each"),
    ):
        url = f"/api/v1/runs/{id_}/exports"
        answer = api.get(f"{url}/svg", params={"kind": kind, "theme": "dark"})
        assert answer.status_code == 200, answer.text
        assert expected in answer.text and "#151a20" in answer.text
        assert expected in api.get(f"{url}/html").text
        found = problem_of(api.get(f"{url}/png", params={"kind": other}), 422, f"no_{other}")
        assert [error["pointer"] for error in found["errors"]] == ["/kind"]
        assert f"this run has no {other}; " in found["detail"] and "kind=dots" in found["detail"]


TWO_LADDERS = DOCUMENT | {
    "name": "two-ladders",
    "title": "Two ladders",
    "factors": {
        "path": ["same_container", "published_loopback"],
        "clients": [2, 4],
        "duration_s": 1,
        "warm_up_s": 0,
    },
    "baseline": {"path": "same_container"},
}


def test_a_picture_of_one_ladder_holds_no_other(api: TestClient, worker: Worker) -> None:
    id_ = str(start_run(api, TWO_LADDERS)["id"])
    while worker.open():
        worker.record(worker.claim(), 1_000.0)
    ladders = api.get(f"/api/v1/runs/{id_}/result").json()["ladders"]
    assert len(ladders) == 2
    url = f"/api/v1/runs/{id_}/exports"
    for shown, other in (ladders, ladders[::-1]):
        one = api.get(f"{url}/svg", params={"kind": "ladder", "ladder": shown["base_id"]}).text
        assert shown["title"] in one and other["title"] not in one
    every = api.get(f"{url}/svg", params={"kind": "ladder"}).text
    assert all(each["title"] in every for each in ladders)
    for params, code in (
        ({"kind": "ladder", "ladder": "c99"}, "unknown_ladder"),
        ({"ladder": ladders[0]["base_id"]}, "no_ladder"),
    ):
        found = problem_of(api.get(f"{url}/svg", params=params), 422, code)
        assert [error["pointer"] for error in found["errors"]] == ["/ladder"]


PIVOT = DOCUMENT | {
    "name": "pivot",
    "title": "Pivot",
    "factors": {
        "path": ["same_container", "published_loopback"],
        "clients": [2, 4],
        "duration_s": 1,
        "warm_up_s": 0,
    },
    "baseline": {"path": "same_container"},
}


def test_the_pivot_is_a_picture_by_any_factors(api: TestClient, run: str, worker: Worker) -> None:
    id_ = str(start_run(api, PIVOT)["id"])
    while worker.open():
        claimed = worker.claim()
        worker.record(claimed, 1_000.0 * int(claimed.levels["clients"]))
    url = f"/api/v1/runs/{id_}/exports"
    parameters = {"kind": "heatmap", "rows": "clients", "columns": "path"}
    turned = api.get(f"{url}/svg", params=parameters).text
    assert ">path<" in turned and ">Same container<" in turned and ">4<" in turned
    usual = api.get(f"{url}/svg", params={"kind": "facets", "scale": "own", "theme": "dark"}).text
    assert "clients 4" in usual and "#151a20" in usual and "Each chart has its own scale." in usual
    assert api.get(f"{url}/png", params=parameters).content.startswith(b"\x89PNG")
    for params, pointer, code in (
        ({"kind": "heatmap", "rows": "rate"}, "/rows", "unknown_factor"),
        ({"kind": "facets", "rows": "path", "color": "path"}, "/color", "factor_twice"),
        ({"rows": "path"}, "/rows", "no_place"),
        ({"cells": "c1,nosuch"}, "/cells", "unknown_cell"),
        ({"kind": "ladder", "cells": "c1"}, "/cells", "no_lanes"),
    ):
        found = problem_of(api.get(f"{url}/svg", params=params), 422, code)
        assert [error["pointer"] for error in found["errors"]] == [pointer]
    none = api.get(f"/api/v1/runs/{run}/exports/svg", params={"kind": "heatmap"})
    assert "use kind=dots" in problem_of(none, 422, "no_pivot")["detail"]


def test_the_report_names_the_run_its_address_and_the_digest_of_its_export(api: TestClient, run: str) -> None:
    url = f"/api/v1/runs/{run}/exports"
    text = api.get(f"{url}/report").text
    assert f"/runs/{run}</dd>" in text
    assert hashlib.sha256(api.get(f"{url}/json").content).hexdigest() in text
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC to ", text)
    assert "prefers-color-scheme" not in text and "<svg" in text


def test_files_for_readers_are_in_the_language_that_is_named(api: TestClient, run: str) -> None:
    url = f"/api/v1/runs/{run}/exports"
    found = {name: api.get(f"{url}/{name}", params={"language": "zh"}) for name in ("report", "html", "svg")}
    assert all(answer.status_code == 200 for answer in found.values())
    for name in ("report", "html"):
        assert '<html lang="zh-Hans">' in found[name].text and "<h2>环境</h2>" in found[name].text
        assert '<html lang="en">' in api.get(f"{url}/{name}").text
    assert "每秒事务数" in found["svg"].text and "每秒事务数" not in api.get(f"{url}/svg").text
    assert found["svg"].headers["etag"] != api.get(f"{url}/svg").headers["etag"]
    json_ = api.get(f"{url}/json", params={"language": "zh"})
    assert json_.content == api.get(f"{url}/json").content
    assert hashlib.sha256(json_.content).hexdigest() in found["report"].text


def test_a_page_of_its_own_may_not_run_anything(api: TestClient, run: str) -> None:
    for name in ("html", "report", "svg"):
        policy = api.get(f"/api/v1/runs/{run}/exports/{name}").headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'") and "script" not in policy
    answer = api.get(f"/api/v1/runs/{run}/exports/csv-long")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_run_that_goes_on_is_exported_as_provisional(api: TestClient, worker: Worker) -> None:
    id_ = start_run(api)["id"]
    worker.record(worker.claim())
    for name, expected in (
        ("benchstat", "provisional"),
        ("json", '"provisional": true'),
        ("markdown", "Provisional"),
        ("html", "Provisional"),
    ):
        answer = api.get(f"/api/v1/runs/{id_}/exports/{name}")
        assert answer.status_code == 200 and expected in answer.text
        assert "etag" not in answer.headers and answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "pointer", "named"),
    [
        ("pdf", "/format", "benchstat"),
        ("svg?metric=rps", "/metric", "tps"),
        ("png?kind=pie", "/kind", "dots, roles, ladder, knee, heatmap, facets"),
        ("svg?theme=sepia", "/theme", "light"),
        ("report?language=de", "/language", "en, zh"),
        ("png?language=zh-CN", "/language", "en, zh"),
        ("svg?kind=facets&scale=log", "/scale", "same, own"),
        ("svg?kind=roles&unit=percent", "/unit", "cores, us_per_txn"),
    ],
)
def test_what_is_unknown_is_refused_with_what_is_possible(
    api: TestClient, run: str, address: str, pointer: str, named: str
) -> None:
    found = problem_of(api.get(f"/api/v1/runs/{run}/exports/{address}"), 422, f"unknown_{pointer[1:]}")
    assert [error["pointer"] for error in found["errors"]] == [pointer]
    assert named in found["detail"]


def test_an_unknown_run_or_cell_is_not_found(api: TestClient, run: str) -> None:
    problem_of(api.get("/api/v1/runs/run_0000000000000000/exports/json"), 404, "not_found")
    problem_of(api.get("/api/v1/runs/..%2f/exports/json"), 404, "not_found")
    problem_of(api.get(f"/api/v1/runs/{run}/cells/c99/commands"), 404, "not_found")
    problem_of(api.get("/api/v1/runs/run_0000000000000000/cells/c1/commands"), 404, "not_found")


def test_without_a_renderer_the_figures_are_still_there(
    api: TestClient, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "COMMAND", ("/nonexistent",))
    found = problem_of(api.get(f"/api/v1/runs/{run}/exports/png"), 503, "unavailable")
    assert "nonexistent" not in str(found)
    assert api.get(f"/api/v1/runs/{run}/exports/csv-wide").status_code == 200


def test_the_script_of_a_cell(api: TestClient, run: str) -> None:
    answer = api.get(f"/api/v1/runs/{run}/cells/c2/commands")
    assert answer.headers["content-type"] == "text/x-shellscript; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="plimsoll-{run}-c2.sh"'
    assert answer.headers["etag"]
    assert subprocess.run(["sh", "-n"], input=answer.text, text=True, check=False).returncode == 0
    assert "expected on bench-1: 8,000 tps" in answer.text
