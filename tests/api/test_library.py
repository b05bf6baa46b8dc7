"""The library: searches of every kind, pages, completions, changes of several runs, saved searches."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import pytest
from alembic.script import ScriptDirectory
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.run_ends.job import RunEndJob
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, browser_headers
from tests.api.client import BASE, DOCUMENT, Worker, problem_of, start_run
from tests.services import alembic_config

CHATTY = {**DOCUMENT, "name": "chatty", "title": "A chatty 数据库 100 % over_loopback", "rounds": 6}
CLIENTS = {**DOCUMENT, "name": "clients", "title": "By load", "seed": 9}
CLIENTS["factors"] = {**DOCUMENT["factors"], "path": "published_loopback", "clients": [1, 16]}
CLIENTS["baseline"] = {"clients": 1}


@pytest.fixture
def runs(api: TestClient, worker: Worker, settings: Settings) -> dict[str, str]:
    """Three runs by name; the first two have ended, with their verdicts."""
    chatty = start_run(api, CHATTY)["id"]
    plain = start_run(api)["id"]
    worker.finish()
    asyncio.run(RunEndJob(settings).run_once())
    return {"chatty": chatty, "plain": plain, "clients": start_run(api, CLIENTS)["id"]}


def search(api: TestClient, q: str = "", **query: Any) -> dict[str, Any]:
    answer = api.get("/api/v1/library", params={"q": q, **query})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def names(api: TestClient, runs: dict[str, str], q: str) -> list[str]:
    found = search(api, q)
    assert found["problems"] == [] and found["total"] == len(found["data"])
    by_id = {run_id: name for name, run_id in runs.items()}
    return [by_id[run["id"]] for run in found["data"]]


SEARCHES: Final[dict[str, list[str]]] = {
    "": ["clients", "plain", "chatty"],
    "chatty": ["chatty"],
    "HATT": ["chatty"],
    "数据": ["chatty"],
    "%": ["chatty"],
    "over_loop": ["chatty"],
    '"two cells"': ["plain"],
    "two load": [],
    "-chatty": ["clients", "plain"],
    "clients:16": ["clients"],
    "path:same_container": ["plain", "chatty"],
    "path:same_*": ["plain", "chatty"],
    "path:same_container path:published_loopback": ["plain", "chatty"],
    "-path:same_container": ["clients"],
    "host:bench-1": ["clients", "plain", "chatty"],
    "host:bench-2": [],
    "author:me": ["clients", "plain", "chatty"],
    "-author:me": [],
    "author:nobody": [],
    "state:done": ["plain", "chatty"],
    "state:queued,running": ["clients"],
    "is:active": ["clients"],
    "is:ended -chatty": ["plain"],
    "is:imported": [],
    "is:grouped": [],
    "is:archived": [],
    "has:verdict": ["plain", "chatty"],
    "has:note": [],
    "has:tag": [],
    "verdict:worse": ["chatty"],
    "verdict:no-answer": ["plain"],
    "verdict:unclear": ["plain"],
    "verdict:worse,no-answer": ["plain", "chatty"],
    "after:1h": ["clients", "plain", "chatty"],
    "before:1h": [],
    "after:2026-01-01 before:2099-01-01": ["clients", "plain", "chatty"],
}


def test_search(api: TestClient, runs: dict[str, str]) -> None:
    assert {q: names(api, runs, q) for q in SEARCHES} == SEARCHES


def test_a_run_is_found_by_its_id(api: TestClient, runs: dict[str, str]) -> None:
    plain = runs["plain"]
    assert names(api, runs, plain) == ["plain"]
    assert names(api, runs, f'"{plain.upper()}"') == ["plain"]
    assert names(api, runs, f"-{plain}") == ["clients", "chatty"]
    assert names(api, runs, plain[:-1]) == []


def test_notes_tags_stars_and_groups_are_found_at_once(api: TestClient, runs: dict[str, str]) -> None:
    url = f"/api/v1/runs/{runs['plain']}"
    api.patch(url, json={"note": "The *backup* was off", "tags": ["ci", "kernel-6.1"]}).raise_for_status()
    assert (
        names(api, runs, "backup") == names(api, runs, "tag:ci") == names(api, runs, "has:note") == ["plain"]
    )
    assert names(api, runs, "kernel-6") == ["plain"]
    api.patch(url, json={"note": "", "tags": []}).raise_for_status()
    assert names(api, runs, "backup") == names(api, runs, "tag:ci") == []
    assert names(api, runs, "verdict:no-answer") == ["plain"]
    api.put(f"{url}/star").raise_for_status()
    assert names(api, runs, "is:starred") == ["plain"]
    assert search(api, "is:starred")["data"][0]["starred"] is True
    experiment = api.get(url).json()["experiment_id"]
    group = api.post(f"/api/v1/experiments/{experiment}/run-groups", json={"hosts": ["bench-1"]}).json()
    (member,) = search(api, f"group:{group['id']}")["data"]
    assert (member["group_id"], member["id"]) == (group["id"], group["members"][0]["run_id"])


def test_a_term_that_is_not_understood_does_not_stop_the_rest(api: TestClient, runs: dict[str, str]) -> None:
    found = search(api, "chatty verdict:slower")
    assert [run["id"] for run in found["data"]] == [runs["chatty"]]
    (problem,) = found["problems"]
    assert (problem["term"], problem["code"]) == ("verdict:slower", "unknown_value")
    assert "worse" in problem["choices"]


def test_pages_and_their_cursor(api: TestClient, runs: dict[str, str]) -> None:
    first = search(api, limit=2)
    assert [run["id"] for run in first["data"]] == [runs["clients"], runs["plain"]]
    assert first["total"] == 3
    second = search(api, limit=2, cursor=first["next_cursor"])
    assert [run["id"] for run in second["data"]] == [runs["chatty"]]
    assert (second["next_cursor"], second["total"]) == (None, None)
    problem_of(api.get("/api/v1/library?cursor=!"), 422, "bad_cursor")
    problem_of(api.get("/api/v1/library", params={"q": "x" * 501}), 422, "string_too_long")


def test_completion(api: TestClient, runs: dict[str, str]) -> None:
    def terms(part: str) -> list[tuple[str, int | None]]:
        found = api.get("/api/v1/library/terms", params={"part": part}).json()["data"]
        return [(one["term"], one["runs"]) for one in found]

    assert ("path:", None) in terms("pa")
    assert terms("path:pub") == [("path:published_loopback", 3)]
    assert terms("verdict:wo") == [("verdict:worse", 1)]
    assert ("is:starred", None) in terms("is:s")
    assert ("path:published_loopback", 3) in terms("loopb")
    assert ("clients:16", 1) in terms("-clients:")
    assert terms("")[0] == ("is:", None)


def test_several_runs_are_changed_at_once_or_not_at_all(api: TestClient, runs: dict[str, str]) -> None:
    both = [runs["plain"], runs["chatty"]]

    def change(**body: Any) -> Any:
        return api.post("/api/v1/library/changes", json=body)

    assert change(runs=both, archived=True, starred=True, add_tags=["ci", "old"]).json() == {"runs": 2}
    assert names(api, runs, "") == ["clients"]
    assert names(api, runs, "is:archived tag:ci is:starred") == ["plain", "chatty"]
    assert (
        change(runs=both[:1], archived=False, starred=False, remove_tags=["old", "none"]).status_code == 200
    )
    assert names(api, runs, "tag:ci") == ["plain"]
    assert names(api, runs, "tag:old") == []
    assert api.get(f"/api/v1/runs/{runs['plain']}").json()["tags"] == ["ci"]
    problem_of(change(runs=[runs["plain"], runs["clients"]], archived=True), 409, "conflict")
    problem_of(change(runs=[runs["plain"], "run_0000000000000000"], starred=True), 404, "not_found")
    problem_of(change(runs=both, add_tags=[f"t{number}" for number in range(20)]), 422, "too_long")
    assert names(api, runs, "tag:t1") == names(api, runs, "is:starred") == []
    problem_of(change(runs=[]), 422, "too_short")
    problem_of(change(runs=both, add_tags=["Ä"]), 422, "string_pattern_mismatch")


def test_a_deleted_run_is_gone(api: TestClient, runs: dict[str, str]) -> None:
    assert api.delete(f"/api/v1/runs/{runs['plain']}").status_code == 204
    assert [run["id"] for run in search(api)["data"]] == [runs["clients"], runs["chatty"]]


def test_saved_searches(api: TestClient, settings: Settings) -> None:
    url = "/api/v1/library/views"
    made = api.post(url, json={"name": " Slower ", "query": "verdict:worse"})
    assert made.status_code == 201, made.text
    view = made.json()
    assert (view["name"], view["shared"], view["own"]) == ("Slower", False, True)
    bob = TestClient(
        create_app(settings),
        base_url=BASE,
        headers=browser_headers(settings, add_account(settings, "viewer", name="Bob")),
    )
    own = f"{url}/{view['id']}"
    assert bob.get(url).json()["data"] == []
    problem_of(bob.patch(own, json={"name": "x"}), 404, "not_found")
    problem_of(bob.delete(own), 404, "not_found")
    assert api.patch(own, json={"shared": True}).json()["shared"] is True
    (seen,) = bob.get(url).json()["data"]
    assert (seen["own"], seen["shared"], seen["query"]) == (False, True, "verdict:worse")
    problem_of(bob.patch(own, json={"name": "x"}), 403, "forbidden")
    problem_of(bob.delete(own), 403, "forbidden")
    problem_of(bob.post(url, json={"name": "x", "query": "y", "shared": True}), 403, "forbidden")
    mine = bob.post(url, json={"name": "mine", "query": "is:starred"}).json()
    problem_of(bob.patch(f"{url}/{mine['id']}", json={"shared": True}), 403, "forbidden")
    assert [each["name"] for each in bob.get(url).json()["data"]] == ["mine", "Slower"]
    assert api.delete(own).status_code == 204
    assert api.get(url).json()["data"] == []
    problem_of(api.post(url, json={"name": " ", "query": "x"}), 422, "empty")
    problem_of(api.post(url, json={"name": "a\u202eb", "query": "x"}), 422, "unprintable")


def test_runs_of_other_teams_are_not_found(api: TestClient, runs: dict[str, str], settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, "admin", add_team(settings)))
    other = TestClient(create_app(settings), base_url=BASE, headers=headers)
    assert search(other)["data"] == []
    assert search(other, "host:bench-1")["total"] == 0
    assert other.get("/api/v1/library/terms?part=path:").json()["data"] == []
    body = {"runs": [runs["plain"]], "starred": True}
    problem_of(other.post("/api/v1/library/changes", json=body), 404, "not_found")


def test_the_entry_is_what_the_migration_would_write(
    api: TestClient, runs: dict[str, str], settings: Settings
) -> None:
    migration = ScriptDirectory.from_config(alembic_config()).get_revision("c2e71a90d4b3").module
    columns = "run_id, team_id, author_id, author, searchable, excluded, verdict_due"
    query = text(
        f"SELECT {columns}, ARRAY(SELECT t FROM unnest(terms) t WHERE t NOT LIKE 'verdict:%' ORDER BY t)"
        " FROM run_entry ORDER BY run_id"
    )
    with session_scope(settings) as session:
        session.execute(text("UPDATE run_entry SET verdict_due = (verdict IS NOT NULL)"))
        before = [tuple(row) for row in session.execute(query)]
        session.execute(text("DELETE FROM run_entry"))
        session.execute(text(migration.ENTRIES.replace("':'", "'\\:'")))
        assert [tuple(row) for row in session.execute(query)] == before
