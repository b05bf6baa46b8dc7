"""Notes, tags and stars: kept beside what was measured, never in it."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE, Worker, problem_of, start_run

NOTE = "## Night run\n\n- the **backup** was off\n\t<script>alert(1)</script>"


def test_note_and_tags_are_replaced_field_by_field(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    worker.finish()
    urls = {"runs": f"/api/v1/runs/{run['id']}", "experiments": f"/api/v1/experiments/{run['experiment_id']}"}
    before = api.get(f"{urls['runs']}/result").content
    for kind, url in urls.items():
        assert (api.get(url).json()["note"], api.get(url).json()["tags"]) == ("", [])
        changed = api.patch(url, json={"note": NOTE, "tags": ["ci", "kernel-6.1", "ci"]})
        assert changed.status_code == 200, changed.text
        assert changed.json()["tags"] == ["ci", "kernel-6.1"]
        assert api.patch(url, json={"tags": ["other"]}).json() == {
            "id": url.rpartition("/")[2],
            "note": NOTE,
            "tags": ["other"],
        }
        assert api.patch(url, json={}).json()["note"] == NOTE
        found = api.get(url).json()
        assert (found["note"], found["tags"]) == (NOTE, ["other"])
        (listed,) = api.get(f"/api/v1/{kind}").json()["data"]
        assert (listed["note"], listed["tags"]) == (NOTE, ["other"])
        assert api.patch(url, json={"note": "a\r\nb", "tags": []}).json()["note"] == "a\nb"
    assert api.get(f"{urls['runs']}/result").content == before


def test_events_carry_no_note(api: TestClient, worker: Worker) -> None:
    run = start_run(api)["id"]
    api.patch(f"/api/v1/runs/{run}", json={"note": NOTE, "tags": ["ci"]})
    worker.finish()
    assert "Night run" not in api.get(f"/api/v1/runs/{run}/events").text


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"note": "x" * 10_001}, "string_too_long"),
        ({"note": "ä" * 5_001}, "too_long"),
        ({"note": "a\x1bb"}, "unprintable"),
        ({"note": "\u202e"}, "unprintable"),
        ({"note": 5}, "string_type"),
        ({"tags": ["a"] * 21}, "too_long"),
        ({"tags": ["Ä"]}, "string_pattern_mismatch"),
        ({"tags": [""]}, "string_pattern_mismatch"),
        ({"tags": ["a\n"]}, "string_pattern_mismatch"),
        ({"tags": ["a" * 41]}, "string_pattern_mismatch"),
        ({"tags": "a"}, "tuple_type"),
        ({"title": "x"}, "unknown_field"),
    ],
)
def test_bounds(api: TestClient, worker: Worker, body: dict[str, Any], code: str) -> None:
    run = start_run(api)
    for url in (f"/api/v1/runs/{run['id']}", f"/api/v1/experiments/{run['experiment_id']}"):
        problem_of(api.patch(url, json=body), 422, code)
        assert api.get(url).json()["note"] == ""


def test_a_refused_tag_names_the_form_and_not_a_regular_expression(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    answer = api.patch(f"/api/v1/runs/{run['id']}", json={"tags": ["Ä"]})
    (error,) = answer.json()["errors"]
    assert error["pointer"] == "/tags/0"
    assert error["detail"].startswith("a tag has 1 to 40 characters of a-z, 0-9")


def test_a_star_is_of_one_account(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = start_run(api)
    headers = browser_headers(settings, add_account(settings, "viewer", name="Bob"))
    bob = TestClient(create_app(settings), base_url=BASE, headers=headers)
    urls = [f"/api/v1/runs/{run['id']}/star", f"/api/v1/experiments/{run['experiment_id']}/star"]
    for _ in range(2):
        assert [api.put(url).status_code for url in urls] == [204, 204]
    assert api.get("/api/v1/stars").json() == {"runs": [run["id"]], "experiments": [run["experiment_id"]]}
    assert bob.get("/api/v1/stars").json() == {"runs": [], "experiments": []}
    assert bob.put(urls[0]).status_code == 204
    for _ in range(2):
        assert api.delete(urls[0]).status_code == 204
    assert api.get("/api/v1/stars").json()["runs"] == []
    assert bob.get("/api/v1/stars").json()["runs"] == [run["id"]]
    problem_of(bob.patch(f"/api/v1/runs/{run['id']}", json={"note": "x"}), 403, "forbidden")
    worker.finish()
    assert api.delete(f"/api/v1/experiments/{run['experiment_id']}").status_code == 204
    assert bob.get("/api/v1/stars").json() == {"runs": [], "experiments": []}


@pytest.mark.parametrize("method", ["put", "delete"])
def test_a_missing_object_has_no_star(api: TestClient, method: str) -> None:
    for url in ("runs/run_0000000000000000/star", "experiments/exp_0000000000000000/star"):
        problem_of(getattr(api, method)(f"/api/v1/{url}"), 404, "not_found")
    problem_of(api.patch("/api/v1/runs/run_0000000000000000", json={}), 404, "not_found")


def test_runs_are_listed_by_tag_and_by_own_star(api: TestClient, worker: Worker, settings: Settings) -> None:
    first, second, third = (start_run(api)["id"] for _ in range(3))
    worker.finish()
    for run, tags in ((first, ["ci"]), (second, ["ci", "kernel-6.1"]), (third, ["ci-night"])):
        api.patch(f"/api/v1/runs/{run}", json={"tags": tags})
    headers = browser_headers(settings, add_account(settings, "viewer", name="Bob"))
    bob = TestClient(create_app(settings), base_url=BASE, headers=headers)
    api.put(f"/api/v1/runs/{second}/star")
    bob.put(f"/api/v1/runs/{third}/star")

    def listed(client: TestClient, query: str) -> list[str]:
        return [run["id"] for run in client.get(f"/api/v1/runs?{query}").json()["data"]]

    assert listed(api, "tag=ci") == [second, first]
    assert listed(api, "starred=true") == [second]
    assert listed(bob, "starred=true") == [third]
    assert listed(bob, "tag=ci&starred=true") == []
    assert listed(api, "tag=none") == []
    assert listed(api, "starred=false") == [third, second, first]


def test_a_filter_holds_on_every_page(api: TestClient, worker: Worker) -> None:
    runs = [start_run(api)["id"] for _ in range(4)]
    worker.finish()
    for run in runs[::2]:
        api.patch(f"/api/v1/runs/{run}", json={"tags": ["ci"]})
    first = api.get("/api/v1/runs?tag=ci&limit=1")
    assert [run["id"] for run in first.json()["data"]] == [runs[2]]
    assert "tag=ci" in first.headers["Link"]
    older = api.get(first.links["next"]["url"]).json()
    assert ([run["id"] for run in older["data"]], older["next_cursor"]) == ([runs[0]], None)


@pytest.mark.parametrize("query", ["tag=", "tag=Ä", "tag=a%22]", "starred=maybe", "colour=red"])
def test_a_filter_that_no_run_can_match_is_refused(api: TestClient, query: str) -> None:
    assert api.get(f"/api/v1/runs?{query}").status_code == 422
