"""The first page: what runs and waits, results with their kept verdicts, changes since the last visit."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.histories import points, results
from backend.api.run_ends.job import RunEndJob
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, browser_headers
from tests.api.client import BASE, DOCUMENT, Worker, start_run
from tests.api.test_histories import measured
from tests.scripts.waiting import eventually
from tests.statements import statements

SIX = {**DOCUMENT, "rounds": 6}


def home(api: TestClient) -> dict[str, Any]:
    answer = api.get("/api/v1/home")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def make_verdicts(settings: Settings) -> None:
    asyncio.run(RunEndJob(settings).run_once())


def visit(api: TestClient, **body: Any) -> None:
    assert api.post("/api/v1/home/visits", json=body).status_code == 204


def earlier_visit(settings: Settings) -> None:
    """Move the last visit an hour into the past."""
    with session_scope(settings) as session:
        session.execute(
            text(
                "UPDATE home_visit SET seen_at = seen_at - interval '1 hour', since = since - interval '2 h'"
            )
        )


def test_an_empty_installation(api: TestClient) -> None:
    nothing = {"hosts": [], "active": [], "open_runs": 0, "recent": [], "host": None, "questions": []}
    assert home(api) == nothing | {"changes": None}


def test_what_runs_and_waits_with_the_time_left(api: TestClient, worker: Worker) -> None:
    first, second = start_run(api)["id"], start_run(api)["id"]
    worker.claim()
    found = home(api)
    assert [run["id"] for run in found["active"]] == [first, second]
    assert found["open_runs"] == 2 and all(run["author"] for run in found["active"])
    assert all(run["progress"]["eta_s"] > 0 for run in found["active"])
    (host,) = found["hosts"]
    assert (host["name"], host["online"], host["queued_trials"], host["running_trials"]) == (
        "bench-1",
        True,
        11,
        1,
    )
    assert found["recent"] == []


def test_a_result_has_the_verdict_that_was_kept_at_its_end(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = start_run(api, SIX)["id"]
    worker.finish()
    (before,) = home(api)["recent"]
    assert (before["verdict"], before["state"]) == (None, "done")
    make_verdicts(settings)
    (found,) = home(api)["recent"]
    assert (found["id"], found["verdict_due"], found["exclusions"]) == (run, False, [])
    verdict, chart = found["verdict"], api.get(f"/api/v1/runs/{run}/result").json()
    assert verdict["counts"] == chart["counts"]
    (cell,) = verdict["cells"]
    assert cell["path"] == "published_loopback" and cell["path_title"]
    compared = next(each for each in chart["cells"] if each["id"] == cell["cell_id"])
    assert cell["ratio"] == compared["comparisons"][verdict["metric"]]["ratio"]
    assert found["author"] and found["title"] == "Two cells"


def test_an_exclusion_shows_its_reason_and_renews_the_verdict(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = start_run(api, SIX)["id"]
    worker.finish()
    make_verdicts(settings)
    before = home(api)["recent"][0]["verdict"]
    trials = api.get(f"/api/v1/runs/{run}/trials").json()["data"]
    for trial in trials[:3]:
        url = f"/api/v1/trials/{trial['id']}/exclusion"
        api.put(url, json={"reason": "a cable was loose"}).raise_for_status()
    (found,) = home(api)["recent"]
    assert found["exclusions"] == [{"reason": "a cable was loose", "trials": 3}]
    assert found["verdict_due"] is True
    make_verdicts(settings)
    (found,) = home(api)["recent"]
    assert found["verdict_due"] is False and found["verdict"] != before
    api.delete(f"/api/v1/trials/{trials[0]['id']}/exclusion").raise_for_status()
    assert home(api)["recent"][0]["exclusions"] == [{"reason": "a cable was loose", "trials": 2}]


def test_a_run_whose_trials_are_all_excluded_is_nowhere_called_equal(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = start_run(api, SIX)["id"]
    worker.finish()
    for trial in api.get(f"/api/v1/runs/{run}/trials").json()["data"]:
        url = f"/api/v1/trials/{trial['id']}/exclusion"
        api.put(url, json={"reason": "a cable was loose"}).raise_for_status()
    make_verdicts(settings)
    verdict = home(api)["recent"][0]["verdict"]
    assert (verdict["kind"], verdict["compared"], verdict["without_ratio"]) == ("failed", 1, 1)
    assert verdict["reason"] == "the baseline: every trial was excluded by hand"
    assert verdict["reason_message"] == {
        "id": "ofTheBaseline",
        "figures": {"reason": {"id": "noTrialsExcluded", "figures": {}}},
    }
    assert api.get("/api/v1/library?q=verdict:equal").json()["data"] == []
    markdown = api.get(f"/api/v1/runs/{run}/exports/markdown").text
    assert f"trials are done; {verdict['reason']}." in markdown and "quivalent" not in markdown


def disturb(api: TestClient, worker: Worker, document: dict[str, Any]) -> str:
    """A run of which the host disturbed every trial, so that it has no answer."""
    run: str = start_run(api, document)["id"]
    while worker.open():
        worker.record(worker.claim(), quality={"contaminated": ["background load"]})
    return run


def test_a_run_without_an_answer_does_not_hide_the_answer(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    answer = start_run(api, SIX)["id"]
    worker.finish()
    first_lost = disturb(api, worker, SIX)
    make_verdicts(settings)
    make_verdicts(settings)
    lost = disturb(api, worker, SIX)
    make_verdicts(settings)
    newest, oldest = home(api)["recent"]
    assert (newest["id"], oldest["id"]) == (lost, answer) and first_lost not in (lost, answer)
    assert oldest["verdict"]["kind"] == "worse" and oldest["lost_trials"] == 0
    assert (newest["verdict"]["lost"], newest["verdict"]["compared"]) == (1, 1)
    assert newest["lost_trials"] >= 12
    again = start_run(api, SIX)["id"]
    worker.finish()
    make_verdicts(settings)
    assert [run["id"] for run in home(api)["recent"]] == [again]


def question(api: TestClient, name: str, host: str | None = None) -> dict[str, Any]:
    answer = api.get("/api/v1/home", params={} if host is None else {"host": host})
    assert answer.status_code == 200, answer.text
    (found,) = [each for each in answer.json()["questions"] if each["preset"] == name]
    return {key: each and (each if isinstance(each, str) else each["id"]) for key, each in found.items()}


def test_a_question_has_its_last_answer_on_a_host(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    presets = {each["name"]: each["definition"] for each in api.get("/api/v1/presets").json()["data"]}
    quick = presets["pachot-2019-quick"]
    empty = {"preset": "pachot-2019", "answer": None, "without_answer": None, "active": None}
    assert question(api, "pachot-2019") == empty
    answer = start_run(api, quick)["id"]
    assert question(api, "pachot-2019") == empty | {"active": answer}
    worker.finish()
    make_verdicts(settings)
    assert question(api, "pachot-2019") == empty | {"answer": answer}
    lost = disturb(api, worker, quick)
    make_verdicts(settings)
    assert question(api, "pachot-2019") == empty | {"answer": answer, "without_answer": lost}
    start_run(api, quick | {"margin": 0.2})  # under the same name it is another question
    worker.finish()
    make_verdicts(settings)
    assert question(api, "pachot-2019")["answer"] == answer

    Worker(settings).announce("bench-2")
    assert home(api)["host"] == "bench-1"
    assert question(api, "pachot-2019", "bench-2") == empty
    assert question(api, "pachot-2019", "a-host-that-went-away")["answer"] == answer
    assert api.get("/api/v1/home", params={"host": "x" * 65}).status_code == 422


def test_repeated_runs_of_an_experiment_take_one_place(api: TestClient, worker: Worker) -> None:
    visit(api)
    runs = []
    for document in (DOCUMENT, DOCUMENT, SIX, DOCUMENT):
        runs.append(start_run(api, document)["id"])
        worker.finish()
    _, second, six, newest = runs
    found = home(api)
    assert [run["id"] for run in found["recent"]] == [newest, six]
    changes = found["changes"]
    assert changes["done"] == 4
    assert [(run["id"], run["runs"]) for run in changes["runs"]] == [(newest, 3), (six, 1)]
    archive = {"runs": [newest], "archived": True}
    assert api.post("/api/v1/library/changes", json=archive).status_code == 200
    assert [run["id"] for run in home(api)["recent"]] == [six, second]


def test_changes_since_the_last_visit(api: TestClient, worker: Worker, settings: Settings) -> None:
    visit(api)
    assert home(api)["changes"]["runs"] == []
    run = start_run(api)["id"]
    worker.finish()
    trial = api.get(f"/api/v1/runs/{run}/trials").json()["data"][0]["id"]
    api.put(f"/api/v1/trials/{trial}/exclusion", json={"reason": "a backup ran"}).raise_for_status()
    api.patch(f"/api/v1/runs/{run}", json={"note": "night run"}).raise_for_status()
    Worker(settings).announce("bench-2")
    changes = home(api)["changes"]
    assert (changes["done"], changes["incomplete"], changes["cancelled"]) == (1, 0, 0)
    assert [each["id"] for each in changes["runs"]] == [run]
    assert [(each["trial_id"], each["reason"]) for each in changes["exclusions"]] == [(trial, "a backup ran")]
    assert [each["run_id"] for each in changes["notes"]] == [run]
    assert [each["name"] for each in changes["hosts_new"]] == ["bench-2"]
    visit(api)  # of the same visit: the changes remain
    assert home(api)["changes"]["done"] == 1
    visit(api, all_seen=True)
    assert home(api)["changes"]["done"] == 0


def test_a_later_visit_begins_where_the_last_one_was(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    visit(api)
    earlier_visit(settings)
    start_run(api)
    worker.finish()
    assert home(api)["changes"]["done"] == 1
    visit(api)
    assert home(api)["changes"]["done"] == 1
    earlier_visit(settings)
    with session_scope(settings) as session:
        session.execute(text("UPDATE run SET finished_at = finished_at - interval '2 hours'"))
        session.execute(text("UPDATE host SET last_seen_at = last_seen_at - interval '5 minutes'"))
    changes = home(api)["changes"]
    assert changes["done"] == 0
    assert [each["name"] for each in changes["hosts_gone"]] == ["bench-1"]


def test_another_team_sees_nothing_of_it(api: TestClient, worker: Worker, settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, "admin", add_team(settings)))
    other = TestClient(create_app(settings), base_url=BASE, headers=headers)
    visit(other)
    start_run(api)
    worker.finish()
    start_run(api)
    found = home(other)
    assert (found["active"], found["recent"], found["changes"]["runs"]) == ([], [], [])
    assert found["hosts"][0]["queued_trials"] == 6


def test_a_change_that_a_history_shows_is_a_change_since_the_last_visit(
    api: TestClient, worker: Worker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit(api)
    runs = [measured(api, worker, 1.0 if number < 6 else 0.7) for number in range(14)]
    assert home(api)["changes"]["histories"] == []
    experiment_id = runs[0]["experiment_id"]
    shown = api.get(f"/api/v1/histories/{experiment_id}").json()["changes"]
    assert eventually(lambda: home(api)["changes"]["histories"] != [])
    largest = max(shown, key=lambda one: abs(math.log(one["ratio"])))

    def compute(*_: Any) -> None:
        raise AssertionError("the first page computes no history")

    for module, name in ((results, "build_history"), (results, "read_history"), (points, "build_chart")):
        monkeypatch.setattr(module, name, compute)
    with statements() as sent:
        (found,) = home(api)["changes"]["histories"]
    assert sum("history_change" in statement for statement in sent) == 1
    assert not any("derived" in statement for statement in sent)
    assert {name: found[name] for name in ("experiment_id", "title", "host", "run_id")} == {
        "experiment_id": experiment_id,
        "title": "Two cells",
        "host": "bench-1",
        "run_id": runs[6]["id"],
    }
    for name in ("cell_id", "metric", "basis", "direction"):
        assert found[name] == largest[name]
    assert found["ratio"] == pytest.approx(largest["ratio"])
    assert found["label"] and found["metric_label"] and found["changes"] == len(shown)
    assert found["run_at"] == api.get(f"/api/v1/runs/{runs[6]['id']}").json()["started_at"]

    with session_scope(settings) as session:
        session.execute(text("UPDATE history_change SET withdrawn_at = clock_timestamp()"))
    assert home(api)["changes"]["histories"] == []
    with session_scope(settings) as session:
        session.execute(text("UPDATE history_change SET withdrawn_at = NULL"))
    assert home(api)["changes"]["histories"] == [found]
    assert api.post("/api/v1/histories:markSeen", json={}).status_code == 204
    assert home(api)["changes"]["histories"] == []
    with session_scope(settings) as session:
        session.execute(text("DELETE FROM history_seen"))
    assert home(api)["changes"]["histories"] == [found]
    visit(api, all_seen=True)
    assert home(api)["changes"]["histories"] == []


def test_the_history_of_another_team_is_no_change(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    headers = browser_headers(settings, add_account(settings, "admin", add_team(settings)))
    other = TestClient(create_app(settings), base_url=BASE, headers=headers)
    visit(other)
    visit(api)
    run = start_run(api)
    worker.finish()
    with session_scope(settings) as session:
        session.execute(
            text("""
                INSERT INTO history_change (team_id, experiment_id, host_id, cell_id, label, metric, basis,
                    direction, ratio, p_adjusted, after_time, until_time, run_id)
                SELECT team_id, experiment_id, host_id, 'c2', 'c2', 'a_metric_of_old', 'values', 'worse', 0.5,
                       0.001, started_at, finished_at, 'run_deleted' FROM run WHERE id = :run_id
            """),
            {"run_id": run["id"]},
        )
    (own,) = home(api)["changes"]["histories"]
    assert (own["metric_label"], own["changes"], own["run_id"]) == ("a_metric_of_old", 1, "run_deleted")
    assert own["run_at"] == api.get(f"/api/v1/runs/{run['id']}").json()["finished_at"]
    assert home(other)["changes"]["histories"] == []
