"""The time series of one cell: as JSON, as pictures, and behind share links."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from backend.core.chart.cell_series.series_models import CellSeries
from tests.api.client import DOCUMENT, Worker, problem_of, start_run

OPEN = "/api/v1/shares:open-series"
WARMED = DOCUMENT | {"factors": DOCUMENT["factors"] | {"warm_up_s": 2}}


def series_of(api: TestClient, run: str, cell: str = "c1") -> CellSeries:
    answer = api.get(f"/api/v1/runs/{run}/cells/{cell}/series")
    assert answer.status_code == 200, answer.text
    return CellSeries.model_validate(answer.json())


def share(api: TestClient, run: str, **body: Any) -> str:
    made = api.post(f"/api/v1/runs/{run}/shares", json=body)
    assert made.status_code == 201, made.text
    token: str = made.json()["token"]
    return token


def test_the_trials_of_a_cell_have_their_rate_after_the_warm_up(api: TestClient, worker: Worker) -> None:
    run = start_run(api, WARMED)["id"]
    assert series_of(api, run).trials == ()
    worker.finish()
    found = series_of(api, run)
    assert (found.warm_up_s, found.seconds, len(found.trials)) == (2.0, 3.0, 2)
    for trial in found.trials:
        assert (trial.rate.t, trial.rate.values, trial.used) == ((3.0,), (10_000.0,), True)
        assert trial.cpu.cores == {"all": (0.25,), "client": (0.25,)}
    assert series_of(api, run, "c2").trials[0].rate.values == (8_000.0,)
    answer = api.get(f"/api/v1/runs/{run}/cells/c1/series")
    again = api.get(f"/api/v1/runs/{run}/cells/c1/series", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_no_run_and_no_cell(api: TestClient, worker: Worker) -> None:
    run = start_run(api)["id"]
    problem_of(api.get(f"/api/v1/runs/{run}/cells/c99/series"), 404, "not_found")
    problem_of(api.get("/api/v1/runs/run_missing/cells/c1/series"), 404, "not_found")
    assert api.get(f"/api/v1/runs/{run}/result/cells/%2Fseries%2Fc1").status_code == 404


def test_the_picture_of_a_cell_over_time(api: TestClient, worker: Worker) -> None:
    run = start_run(api, WARMED)["id"]
    url = f"/api/v1/runs/{run}/exports/svg"
    problem_of(api.get(url, params={"kind": "series"}), 422, "no_series")
    worker.finish()
    drawn = api.get(url, params={"kind": "series", "cells": "c2", "role": "client"})
    assert drawn.status_code == 200 and "warm-up of 2 s" in drawn.text
    problem_of(api.get(url, params={"kind": "series", "role": "proxy"}), 422, "unknown_role")
    problem_of(api.get(url, params={"kind": "series", "role": "x"}), 422, "unknown_role")
    problem_of(api.get(url, params={"kind": "series", "cells": "c99"}), 404, "not_found")


def test_a_link_opens_the_series_without_ids(api: TestClient, anonymous: TestClient, worker: Worker) -> None:
    run = start_run(api, WARMED)["id"]
    worker.finish()
    token = share(api, run, mode="live")
    answer = anonymous.post(OPEN, json={"token": token, "cell_id": "c1"})
    assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store"
    found = CellSeries.model_validate(answer.json())
    assert (found.run_id, {trial.trial_id for trial in found.trials}) == ("", {""})
    known = series_of(api, run)
    assert [trial.rate for trial in found.trials] == [trial.rate for trial in known.trials]
    problem_of(anonymous.post(OPEN, json={"token": token, "cell_id": "c99"}), 404, "not_found")
    problem_of(anonymous.post(OPEN, json={"token": "x", "cell_id": "c1"}), 404, "not_found")
    for entry in api.get(f"/api/v1/runs/{run}/shares").json()["data"]:
        assert entry["opens"] == 0
        api.delete(f"/api/v1/shares/{entry['id']}")
    problem_of(anonymous.post(OPEN, json={"token": token, "cell_id": "c1"}), 410, "share_revoked")


def test_a_frozen_link_has_the_exclusions_and_panels_of_when_it_was_made(
    api: TestClient, worker: Worker
) -> None:
    run = start_run(api, WARMED)["id"]
    worker.finish()
    before = api.get(f"/api/v1/runs/{run}/panels").json()
    frozen, live = share(api, run), share(api, run, mode="live")
    trial = series_of(api, run).trials[0]
    url = f"/api/v1/trials/{trial.trial_id}/exclusion"
    assert api.put(url, json={"reason": "fan failure on bench-1"}).status_code == 200

    def excluded(token: str) -> list[str | None]:
        answer = api.post(OPEN, json={"token": token, "cell_id": "c1"})
        return [each["excluded"] for each in answer.json()["trials"]]

    assert excluded(frozen) == [None, None]
    assert excluded(live) == ["fan failure on (the host)", None]
    opened = api.post("/api/v1/shares:open", json={"token": frozen}).json()
    assert opened["panels"] == before | {"run_id": ""}
    assert api.post("/api/v1/shares:open", json={"token": live}).json()["panels"] != opened["panels"]
