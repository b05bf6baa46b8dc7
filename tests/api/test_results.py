"""The result, its trials and their raw output, and share links."""

from __future__ import annotations

import hashlib

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.runs import results
from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.panels.panel_models import ResultPanels
from backend.settings import Settings
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, Worker, problem_of, start_run


def test_a_result_is_there_in_any_state(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    url = f"/api/v1/runs/{run['id']}/result"
    waiting = api.get(url)
    assert waiting.headers["cache-control"] == "private, no-cache"
    again = api.get(url, headers={"If-None-Match": waiting.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    model = ChartModel.model_validate(waiting.json())
    assert {cell.state for cell in model.cells} == {"waiting"}
    worker.record(worker.claim())
    assert {c["state"] for c in api.get(url).json()["cells"]} >= {"partial"}
    worker.finish()
    model = ChartModel.model_validate(api.get(url).json())
    assert {cell.state for cell in model.cells} == {"measured"}
    assert model.cores == 2 and model.environment["kernel"] == "6.1"
    ratio = next(cell for cell in model.cells if cell.id == "c2").comparisons["tps"].ratio
    assert ratio is not None and abs(ratio - 0.8) < 1e-9


def test_docker_that_changes_in_mid_run_is_a_warning_of_the_result(api: TestClient, worker: Worker) -> None:
    url = f"/api/v1/runs/{start_run(api)['id']}/result"
    while worker.open():
        claimed = worker.claim()
        worker.record(claimed, docker="27.1.1" if claimed.round == 1 else "27.2.0")
    warnings = [text for text in api.get(url).json()["warnings"] if text.startswith("docker ")]
    assert len(warnings) == 1
    assert warnings[0].startswith("docker changed during the run (27.1.1, then 27.2.0): the figures of ")


def test_the_panels_of_a_result_have_its_figures_in_any_state(api: TestClient, worker: Worker) -> None:
    url = f"/api/v1/runs/{start_run(api)['id']}"
    assert ResultPanels.model_validate(api.get(f"{url}/panels").json()).trade_offs == ()
    worker.finish()
    answer = api.get(f"{url}/panels")
    panels = ResultPanels.model_validate(answer.json())
    medians = {
        cell["id"]: cell["summaries"]["tps"]["median"] for cell in api.get(f"{url}/result").json()["cells"]
    }
    (found,) = panels.trade_offs
    assert {point.cell_id: point.rate.median for point in found.points}.items() <= medians.items()
    again = api.get(f"{url}/panels", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_no_run_and_no_cell_has_panels_as_its_id(api: TestClient, worker: Worker) -> None:
    url = f"/api/v1/runs/{start_run(api)['id']}"
    assert api.get(f"{url}/panels").status_code == 200
    for path in ("/result/cells/panels", "/result/cells/%2Fpanels"):
        assert api.get(url + path).status_code == 404
    assert api.get("/api/v1/runs/run_missing/panels").status_code == 404


def test_a_finished_result_has_a_strong_etag(api: TestClient, worker: Worker) -> None:
    url = f"/api/v1/runs/{start_run(api)['id']}/result"
    worker.finish()
    first = api.get(url)
    etag = first.headers["etag"]
    assert etag == f'"{hashlib.sha256(first.content).hexdigest()[:32]}"'
    again = api.get(url, headers={"If-None-Match": f'"other", {etag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    assert api.get(url, headers={"If-None-Match": '"other"'}).status_code == 200


def test_trials_are_listed_and_filtered(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    first = worker.claim()
    worker.record(first, 123.0)
    worker.fail(worker.claim())
    found = api.get(f"/api/v1/runs/{run['id']}/trials").json()["data"]
    assert [trial["seq"] for trial in found] == [1, 2, 3, 4, 5, 6]
    assert (found[0]["state"], found[0]["metrics"]["tps"], found[0]["evidence_verdict"]) == (
        "done",
        123.0,
        "proven",
    )
    assert (found[1]["state"], found[1]["failure_code"], found[1]["metrics"]) == (
        "failed",
        "tool_failed",
        None,
    )
    of_cell = api.get(f"/api/v1/runs/{run['id']}/trials?cell=c1").json()["data"]
    assert [trial["round"] for trial in of_cell] == [1, 2]
    assert api.get(f"/api/v1/runs/{run['id']}/trials?cell=c99").json() == {"data": []}


def test_a_trial_has_its_record_and_its_history(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    claimed = worker.claim()
    url = f"/api/v1/trials/{claimed.trial_id}"
    named = api.get(url).json()
    assert named["run_title"] == run["title"] and named["cell_levels"] == dict(claimed.levels)
    cells = api.get(f"/api/v1/runs/{run['id']}/result").json()["cells"]
    assert named["cell_label"] == {cell["id"]: cell["label"] for cell in cells}[named["cell_id"]]
    running = api.get(url).json()
    assert (running["state"], running["record"]) == ("running", None)
    assert [(a["fence"], a["worker"], a["outcome"]) for a in running["history"]] == [(1, "w1", None)]
    problem_of(api.get(f"{url}/raw"), 404, "not_found")
    worker.record(claimed)
    done = api.get(url).json()
    assert done["record"]["evidence"]["verdict"] == "proven"
    assert done["history"][0]["outcome"] == "recorded" and done["history"][0]["ended_at"]


def test_raw_output_is_text_that_no_browser_runs(api: TestClient, worker: Worker) -> None:
    start_run(api)
    claimed = worker.claim()
    worker.record(claimed)
    answer = api.get(f"/api/v1/trials/{claimed.trial_id}/raw")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "$ pgbench -c 5 'a b'" in answer.text
    assert "# exit code 0\n# stdout\ntps = 10000.0\n# stderr\nprogress\n" in answer.text


def test_a_trials_charts_are_pictures(api: TestClient, worker: Worker) -> None:
    start_run(api)
    claimed = worker.claim()
    url = f"/api/v1/trials/{claimed.trial_id}/exports"
    problem_of(api.get(f"{url}/svg"), 404, "not_found")
    worker.record(claimed)
    for kind, expected in (
        ("rate", "transactions per second"),
        ("cpu", "cores"),
        ("capacity", "idle 55.0 %"),
    ):
        answer = api.get(f"{url}/svg", params={"kind": kind, "theme": "dark"})
        assert answer.status_code == 200, answer.text
        assert "Two cells" in answer.text and expected in answer.text and "#151a20" in answer.text
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert api.get(f"{url}/png", params={"kind": "cpu"}).content.startswith(b"\x89PNG")
    chinese = api.get(f"{url}/svg", params={"kind": "capacity", "language": "zh"}).text
    assert "空闲 55.0 %" in chinese and "核·秒" in chinese and "Two cells" in chinese
    for path, params, code, pointer in (
        ("pdf", {}, "unknown_format", "/format"),
        ("svg", {"language": "de"}, "unknown_language", "/language"),
        ("svg", {"kind": "pie"}, "unknown_kind", "/kind"),
        ("svg", {"theme": "sepia"}, "unknown_theme", "/theme"),
        ("svg", {"kind": "percentiles"}, "no_picture", "/kind"),
    ):
        found = problem_of(api.get(f"{url}/{path}", params=params), 422, code)
        assert [error["pointer"] for error in found["errors"]] == [pointer]
    problem_of(api.get("/api/v1/trials/trl_0000000000000000/exports/svg"), 404, "not_found")


def test_a_share_link_opens_the_finished_result(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = start_run(api)
    url = f"/api/v1/runs/{run['id']}/shares"
    problem_of(api.post(url), 409, "conflict")
    worker.finish()
    answer = api.post(url, json={"expires_in_days": 7})
    share = answer.json()
    assert answer.status_code == 201 and share["url"] == f"/shared#{share['token']}"
    assert len(share["token"]) >= 43, "256 bits"
    with session_scope(settings) as session:
        kept = session.execute(text("SELECT share::text FROM share")).scalar_one()
    assert share["token"] not in kept
    opened = api.post("/api/v1/shares:open", json={"token": share["token"]})
    assert opened.headers["referrer-policy"] == "no-referrer"
    assert opened.headers["x-robots-tag"] == "noindex, nofollow"
    assert opened.headers["cache-control"] == "no-store"
    assert opened.json()["chart"]["environment"] == {"kernel": "6.1", "cores": "2"}
    assert "bench-1" not in opened.text
    assert opened.json()["expires_at"] == share["expires_at"]


def test_a_share_link_is_revoked_or_expires(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = start_run(api)
    worker.finish()
    shares = [api.post(f"/api/v1/runs/{run['id']}/shares").json() for _ in range(2)]
    revoke = f"/api/v1/shares/{shares[0]['id']}"
    assert [api.delete(revoke).status_code for _ in range(2)] == [204, 204]
    problem_of(api.post("/api/v1/shares:open", json={"token": shares[0]["token"]}), 410, "share_revoked")
    assert api.post("/api/v1/shares:open", json={"token": shares[1]["token"]}).status_code == 200
    with session_scope(settings) as session:
        session.execute(text("UPDATE share SET expires_at = clock_timestamp()"))
    problem_of(api.post("/api/v1/shares:open", json={"token": shares[1]["token"]}), 410, "share_expired")
    problem_of(api.post("/api/v1/shares:open", json={"token": "x"}), 404, "not_found")


def test_the_shares_of_a_run_are_listed_without_their_tokens(api: TestClient, worker: Worker) -> None:
    run, other = start_run(api), start_run(api, DOCUMENT | {"title": "Another"})
    worker.finish()
    made = [api.post(f"/api/v1/runs/{run['id']}/shares").json() for _ in range(2)]
    api.post(f"/api/v1/runs/{other['id']}/shares")
    api.delete(f"/api/v1/shares/{made[0]['id']}")
    answer = api.get(f"/api/v1/runs/{run['id']}/shares")
    listed = answer.json()["data"]
    assert [each["id"] for each in listed] == [made[1]["id"], made[0]["id"]], "newest first"
    assert [each["state"] for each in listed] == ["open", "revoked"]
    assert listed[0]["expires_at"] == made[1]["expires_at"] and listed[0]["created_at"]
    assert not any(share["token"] in answer.text for share in made)
    assert answer.headers["cache-control"] == "no-store"
    problem_of(api.get("/api/v1/runs/run_0000000000000000/shares"), 404, "not_found")


def test_a_share_has_bounds(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    for days in (0, -1, 366, 1.5, "30", True, None):
        found = problem_of(
            api.post(f"/api/v1/runs/{run['id']}/shares", json={"expires_in_days": days}), 422, "invalid"
        )
        assert found["errors"][0]["pointer"] == "/expires_in_days"
    found = problem_of(api.post("/api/v1/shares:open", json={"token": "x", "run": "y"}), 422, "invalid")
    assert {name: found["errors"][0][name] for name in ("pointer", "code")} == {
        "pointer": "/run",
        "code": "unknown_field",
    }


def test_an_ended_run_is_reckoned_once_for_all_who_open_its_links(
    api: TestClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start_run(api)
    worker.finish()
    built: list[str] = []

    def counted(data: ChartInput) -> ChartModel:
        built.append(data.run_id)
        return build_chart(data)

    monkeypatch.setattr(results, "build_chart", counted)
    share = api.post(f"/api/v1/runs/{run['id']}/shares", json={}).json()
    opened = [api.post("/api/v1/shares:open", json={"token": share["token"]}) for _ in range(3)]
    assert {one.status_code for one in opened} == {200}
    assert opened[0].content == opened[2].content
    assert opened[0].json()["expires_at"] == share["expires_at"]
    api.get(f"/api/v1/runs/{run['id']}/result")
    assert built == [run["id"]]
    assert api.delete(f"/api/v1/shares/{share['id']}").status_code == 204
    problem_of(api.post("/api/v1/shares:open", json={"token": share["token"]}), 410, "share_revoked")
