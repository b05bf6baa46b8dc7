"""Results and exports of groups of runs: computed once, never of another state; and their deletion."""

from __future__ import annotations

import asyncio
import csv
import io
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api import compared_runs
from backend.api.run_ends.job import RunEndJob
from backend.api.run_groups import exports, results
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.client import Worker, problem_of
from tests.api.test_derived import Counted, exclude, wait_for
from tests.api.test_run_groups import HOSTS, announced, start

URL = "/api/v1/run-groups"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    restart()


@pytest.fixture
def workers(settings: Settings) -> dict[str, Worker]:
    """The workers of three hosts."""
    return announced(settings, *HOSTS)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """How often a result is computed."""
    return Counted(monkeypatch, results, "build_hosts_result")


@pytest.fixture
def group(api: TestClient, workers: dict[str, Worker]) -> dict[str, Any]:
    """A group of two hosts that has ended."""
    found: dict[str, Any] = start(api, hosts=HOSTS[:2]).json()
    for name in HOSTS[:2]:
        workers[name].finish()
    return found


def restart() -> None:
    """Forget what is in memory, as a restart does."""
    results._cache.cache_clear()
    exports._final.cache_clear()


def kept(settings: Settings) -> dict[tuple[str, str], str]:
    with session_scope(settings) as session:
        query = text("SELECT group_id, metric, made_from FROM derived_of_group")
        return {(row.group_id, row.metric): row.made_from for row in session.execute(query)}


def kept_beside(settings: Settings, before: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """What is kept once it is something else than before: it is stored after the answer."""
    wait_for(lambda: kept(settings) not in ({}, before))
    return kept(settings)


def test_the_result_of_an_ended_group_is_computed_once_also_over_a_restart(
    api: TestClient, settings: Settings, group: dict[str, Any], computed: Counted
) -> None:
    url = f"{URL}/{group['id']}/result"
    first = api.get(url)
    wait_for(lambda: (group["id"], "") in kept(settings))
    restart()
    second = api.get(url)
    assert (second.content, second.headers["etag"]) == (first.content, first.headers["etag"])
    assert api.get(url, headers={"If-None-Match": first.headers["etag"]}).status_code == 304
    assert computed.calls == 1
    assert api.get(f"{url}?metric=cpu_us_per_txn").json()["table"]["metric"] == "cpu_us_per_txn"
    assert computed.calls == 2


def test_it_is_computed_when_the_last_run_ends(
    api: TestClient, settings: Settings, workers: dict[str, Worker], computed: Counted
) -> None:
    found = start(api, hosts=HOSTS[:2]).json()
    job = RunEndJob(settings)
    workers["bench-a"].finish()
    asyncio.run(job.run_once())
    assert computed.calls == 0 and kept(settings) == {}
    workers["bench-b"].finish()
    asyncio.run(job.run_once())
    wait_for(lambda: (found["id"], "") in kept(settings))
    restart()
    assert api.get(f"{URL}/{found['id']}/result").json()["ended"]
    assert computed.calls == 1


def test_an_exclusion_a_deleted_run_and_another_program_have_it_computed_again(
    api: TestClient,
    settings: Settings,
    group: dict[str, Any],
    computed: Counted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = f"{URL}/{group['id']}/result"
    first = api.get(url).json()
    of_first = kept_beside(settings, {})
    first_run, second_run = (member["run_id"] for member in group["members"])
    exclude(api, api.get(f"/api/v1/runs/{first_run}/trials").json()["data"][0]["id"])
    second = api.get(url).json()
    assert second != first and computed.calls == 2
    of_second = kept_beside(settings, of_first)
    assert api.delete(f"/api/v1/runs/{second_run}").status_code == 204
    third = api.get(url).json()
    assert third["members"][1]["state"] == "deleted" and computed.calls == 3
    kept_beside(settings, of_second)  # stored by this program, not by the other one below
    restart()
    monkeypatch.setattr(results, "program_revision", lambda: "another")
    api.get(url)
    assert computed.calls == 4


def test_nothing_is_kept_while_a_run_is_in_progress(
    api: TestClient, settings: Settings, workers: dict[str, Worker]
) -> None:
    found = start(api, hosts=HOSTS[:2]).json()
    workers["bench-a"].finish()
    answer = api.get(f"{URL}/{found['id']}/result")
    assert not answer.json()["ended"] and answer.json()["headline"].startswith("So far: ")
    assert "age" in answer.headers
    exported = api.get(f"{URL}/{found['id']}/exports/markdown")
    assert "*Provisional: not all runs have ended.*" in exported.text
    assert "etag" not in exported.headers and exported.headers["cache-control"] == "no-store"
    assert kept(settings) == {}


def test_exports_have_the_results_own_figures(api: TestClient, group: dict[str, Any]) -> None:
    url = f"{URL}/{group['id']}"
    result = api.get(f"{url}/result").json()
    document = api.get(f"{url}/exports/json").json()
    assert document["results"][0] == result and len(document["results"]) == len(result["metrics"])
    assert [run["host"] for run in document["runs"]] == list(HOSTS[:2])
    rows = list(csv.DictReader(io.StringIO(api.get(f"{url}/exports/csv").text.removeprefix("\ufeff"))))
    assert {row["metric"] for row in rows} == set(result["metrics"])
    own = [row for row in rows if row["metric"] == result["table"]["metric"]]
    shown = [figure for row in result["table"]["rows"] for figure in row["figures"]]
    assert [row["host"] for row in own] == [figure["host"] for figure in shown]
    assert [float(row["ratio"] or "nan") for row in own] == pytest.approx(
        [figure["ratio"] if figure["ratio"] is not None else float("nan") for figure in shown], nan_ok=True
    )
    one = api.get(f"{url}/exports/csv?metric=cpu_us_per_txn")
    assert {row["metric"] for row in csv.DictReader(io.StringIO(one.text))} == {"cpu_us_per_txn"}
    text_ = api.get(f"{url}/exports/markdown")
    assert text_.headers["content-type"].startswith("text/markdown") and result["headline"] in text_.text
    again = api.get(f"{url}/exports/markdown", headers={"If-None-Match": text_.headers["etag"]})
    assert again.status_code == 304
    name = f'attachment; filename="plimsoll-{result["name"]}-{group["id"]}.json"'
    assert api.get(f"{url}/exports/json").headers["content-disposition"] == name


def test_pictures_of_a_group(api: TestClient, group: dict[str, Any]) -> None:
    url = f"{URL}/{group['id']}/exports"
    assert api.get(f"{url}/png?theme=dark").content.startswith(b"\x89PNG")
    svg = api.get(f"{url}/svg")
    assert "bench-b" in svg.text and "default-src 'none'" in svg.headers["content-security-policy"]
    chinese = api.get(f"{url}/svg?language=zh").text
    assert "相对自身基线的比值" in chinese and "ratio to own baseline" not in chinese
    assert api.get(f"{url}/svg").text == svg.text
    problem_of(api.get(f"{url}/svg?theme=red"), 422, "unknown_theme")
    problem_of(api.get(f"{url}/svg?language=red"), 422, "unknown_language")
    problem_of(api.get(f"{url}/svg?metric=nonsense"), 422, "unknown_metric")
    problem_of(api.get(f"{url}/html"), 422, "unknown_format")


def test_a_deleted_group_takes_its_runs_along(
    api: TestClient, settings: Settings, group: dict[str, Any], workers: dict[str, Worker]
) -> None:
    url = f"{URL}/{group['id']}"
    api.get(f"{url}/result")
    assert api.delete(url).status_code == 204
    for gone in (url, f"{url}/result", f"{url}/exports/csv"):
        problem_of(api.get(gone), 404, "not_found")
    assert api.get("/api/v1/runs").json()["data"] == [] and kept(settings) == {}
    assert api.get(f"/api/v1/experiments/{group['experiment_id']}").status_code == 200
    problem_of(api.delete(url), 404, "not_found")
    with session_scope(settings) as session:
        query = text("SELECT action, object, status FROM audit WHERE action LIKE 'delete%' ORDER BY id")
        found = [tuple(row) for row in session.execute(query)]
    assert found == [("deleteRunGroup", group["id"], 204), ("deleteRunGroup", group["id"], 404)]


def test_a_group_in_progress_or_of_somebody_who_may_only_read_is_not_deleted(
    api: TestClient, settings: Settings, workers: dict[str, Worker]
) -> None:
    found = start(api, hosts=HOSTS[:2]).json()
    url = f"{URL}/{found['id']}"
    workers["bench-a"].finish()
    assert "1 runs of the group have not ended" in problem_of(api.delete(url), 409, "conflict")["detail"]
    viewer = browser_headers(settings, add_account(settings, "viewer"))
    problem_of(api.delete(url, headers=viewer), 403, "forbidden")
    assert len(api.get("/api/v1/runs").json()["data"]) == 2


def test_a_deletion_that_was_interrupted_is_finished_by_another(
    api: TestClient, settings: Settings, group: dict[str, Any]
) -> None:
    assert api.delete(f"/api/v1/runs/{group['members'][0]['run_id']}").status_code == 204
    assert api.delete(f"{URL}/{group['id']}").status_code == 204
    problem_of(api.get(f"{URL}/{group['id']}"), 404, "not_found")


def test_figures_of_ended_runs_are_read_once_for_all_metrics(
    api: TestClient, group: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    api.get(f"{URL}/{group['id']}/result")
    reads = Counted(monkeypatch, compared_runs, "read_compared")
    restart()
    api.get(f"{URL}/{group['id']}/exports/json")
    assert reads.calls == 0
