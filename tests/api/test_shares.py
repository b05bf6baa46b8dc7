"""What a link shows of a run: no id and nothing that names the host; and that it is computed once."""

from __future__ import annotations

import functools
import gzip
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.runs import results
from backend.api.shares import opening
from backend.api.shares.public import _ADDRESS, _MAC, _PATH, _hidden, public
from backend.core.chart.build import build_chart
from backend.core.chart.model.chart_model import ChartModel
from backend.settings import Settings
from backend.store.ids import ID_PATTERN
from backend.store.repositories import runs, trials
from backend.store.repositories.result_rows import HostTexts, host_texts
from backend.store.session import session_scope
from tests.api.client import Worker, problem_of, start_run
from tests.core.chart.runs import made_up, study_experiment
from tests.hostile import superlinear

DETAIL = "pgbench: could not open /home/alice/plimsoll/var/run/pg.sock as user alice on rack7.example"
OPEN = "/api/v1/shares:open"
ENVIRONMENT = {
    "host": "rack7.example.com",
    "user": "alice",
    "boot id": "9d2c7f0e-5b1a-4f6e-8f11-0a6a54c7b1ad",
    "container": "plimsoll-4f2-server-1",
    "docker-proxy sha256": "ab12",
    "os": "Debian 12 on rack7, built by root@RACK7.example.com",
    "kernel": "6.1.0-10 from 10.20.30.40",
    "engine on Name": "rack7.example.com",
    "engine host Root": "/home/alice/docker on fe80::42:acff:fe11:2 02:42:ac:11:00:02",
    "server listen_addresses": "127.0.0.1, ::1, 0.0.0.0, 198.18.1.2",
    "server data_directory": "/home/alice/pg",
}
PRIVATE = (
    "rack7",
    "alice",
    "9d2c7f0e",
    "plimsoll-4f2",
    "ab12",
    "10.20.30.40",
    "fe80",
    "02:42",
    "/home",
    "root@rack",
)


def ended(api: TestClient, worker: Worker, environment: dict[str, str] | None = None) -> str:
    """The id of a run that has ended."""
    run: str = start_run(api)["id"]
    worker.finish()
    if environment is not None:
        with session_scope(worker.settings) as session:
            session.execute(text("UPDATE run SET environment = NULL"))
            runs.set_environment(session, run, environment)
    return run


def share(api: TestClient, run: str, **body: Any) -> dict[str, Any]:
    made = api.post(f"/api/v1/runs/{run}/shares", json=body)
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


def test_a_link_carries_no_failure_details(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = start_run(api)["id"]
    claimed = worker.claim()
    with session_scope(settings) as session:
        trials.fail(session, claimed.trial_id, claimed.fence, "tool_failed", DETAIL)
    worker.finish()
    assert DETAIL in api.get(f"/api/v1/runs/{run}/result").text
    opened = api.post(OPEN, json={"token": share(api, run)["token"]})
    assert opened.status_code == 200
    assert "trials failed: tool_failed" in opened.text
    for word in ("alice", "/home", "pg.sock", "rack7", "could not open"):
        assert word not in opened.text


def test_a_link_shows_neither_ids_nor_what_names_the_host(api: TestClient, worker: Worker) -> None:
    run = ended(api, worker, ENVIRONMENT)
    opened = api.post(OPEN, json={"token": share(api, run)["token"]})
    assert re.findall(ID_PATTERN, opened.text) == []
    assert [word for word in PRIVATE if word in opened.text.lower()] == []
    chart = opened.json()["chart"]
    assert (chart["run_id"], chart["experiment_id"]) == ("", "")
    assert chart["environment"]["server listen_addresses"] == "127.0.0.1, ::1, 0.0.0.0, 198.18.1.2"
    assert chart["environment"]["kernel"] == "6.1.0-10 from (an address)"
    assert "host" not in chart["environment"] and "user" not in chart["environment"]


def test_a_title_that_names_the_host_or_another_run_does_not() -> None:
    title = "On Rack7 as run_3k9x3k9x3k9x3k9x, 12:30:45, version 1.2.3.4000"
    model = build_chart(made_up(study_experiment(title=title)))
    shown = ChartModel.model_validate_json(
        public(model.model_dump_json().encode(), HostTexts(("rack7.lan",), ()))
    )
    assert shown.title == "On (the host) as (an id), 12:30:45, version 1.2.3.4000"
    assert [cell.id for cell in shown.cells] == [cell.id for cell in model.cells]


def test_a_figure_of_a_sentence_that_names_the_host_does_not() -> None:
    hidden = _hidden(HostTexts(("bench-1.example.com",), ()), ())
    inner = {"id": "reasons:on", "figures": {"where": "on bench-1", "count": 3}}
    sentence = {"id": "reasons:first", "figures": {"host": "bench-1", "why": inner}}
    shown = hidden.value({"headline_message": sentence, "label": "bench-1"})
    expected = {"id": "reasons:on", "figures": {"where": "on (the host)", "count": 3}}
    figures = {"host": "(the host)", "why": expected}
    assert shown["headline_message"] == {"id": "reasons:first", "figures": figures}
    assert shown["label"] == "bench-1"  # refers to a level


def test_the_name_of_the_client_host_is_hidden_too(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = ended(api, worker)
    client = Worker(settings).announce("loadgen-7.example.com")
    with session_scope(settings) as session:
        values = {"client": client, "run": run}
        session.execute(text("UPDATE run SET client_host_id = :client WHERE id = :run"), values)
        assert set(host_texts(session, run).hosts) == {"bench-1", "loadgen-7.example.com"}
    hidden = _hidden(HostTexts(("bench-1", "loadgen-7.example.com"), ()), ())
    assert hidden.text("From loadgen-7 to bench-1", True) == "From (the host) to (the host)"


def test_the_result_is_computed_when_the_link_is_made_and_never_again(
    api: TestClient, worker: Worker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ended(api, worker)
    made = share(api, run)
    with session_scope(settings) as session:
        snapshot = session.execute(text("SELECT snapshot FROM share")).scalar_one()

    def never(*_: Any) -> bytes:
        raise AssertionError("computed again")

    monkeypatch.setattr(opening, "public", never)
    monkeypatch.setattr(results, "result_of_ended", never)
    opened = [api.post(OPEN, json={"token": made["token"]}) for _ in range(3)]
    assert {one.content for one in opened} == {gzip.decompress(snapshot)}
    plain = api.post(OPEN, json={"token": made["token"]}, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.content == opened[0].content


def test_a_link_of_an_earlier_release_is_frozen_when_it_is_opened(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    made = share(api, ended(api, worker))
    first = api.post(OPEN, json={"token": made["token"]})
    with session_scope(settings) as session:
        session.execute(text("UPDATE share SET snapshot = NULL"))
    assert api.post(OPEN, json={"token": made["token"]}).content == first.content
    with session_scope(settings) as session:
        assert session.execute(text("SELECT snapshot IS NOT NULL FROM share")).scalar_one()


def test_a_revoked_link_keeps_no_result(api: TestClient, worker: Worker, settings: Settings) -> None:
    made = share(api, ended(api, worker))
    assert api.delete(f"/api/v1/shares/{made['id']}").status_code == 204
    with session_scope(settings) as session:
        assert session.execute(text("SELECT snapshot IS NULL FROM share")).scalar_one()


def test_every_answer_about_a_link_is_kept_out_of_caches_indexes_and_referers(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = ended(api, worker)
    made, expired = share(api, run), share(api, run)
    settings.page_dir.mkdir()
    (settings.page_dir / "index.html").write_text("<title>Plimsoll</title>")
    answers = [
        api.get("/shared"),
        api.get("/shared/"),
        api.post(f"/api/v1/runs/{run}/shares"),
        api.get(f"/api/v1/runs/{run}/shares"),
        api.post(OPEN, json={"token": made["token"]}),
        api.delete(f"/api/v1/shares/{made['id']}"),
        api.post(OPEN, json={"token": made["token"]}),
    ]
    problem_of(answers[-1], 410, "share_revoked")
    with session_scope(settings) as session:
        session.execute(text("UPDATE share SET expires_at = clock_timestamp()"))
    answers += [
        api.post(OPEN, json={"token": expired["token"]}),
        api.post(OPEN, json={"token": "x"}),
        api.post(OPEN, json={"token": ""}),
        api.delete("/api/v1/shares/shr_0000000000000000"),
    ]
    assert [each.status_code for each in answers[-4:]] == [410, 404, 422, 404]
    for each in answers:
        assert each.headers["referrer-policy"] == "no-referrer"
        assert each.headers["x-robots-tag"] == "noindex, nofollow"
        assert each.headers["cache-control"] == "no-store"


def test_addresses_are_found_in_linear_time() -> None:
    for pattern in (_ADDRESS, _MAC):
        heads = ("", "1.", ":", "a:")
        assert superlinear(functools.partial(pattern.sub, "#"), 64 * 1024, heads) == []


def test_paths_are_found_in_texts_and_nothing_else() -> None:
    shown = _PATH.sub(
        "#", "at /var/lib/x.sock, (/run/user/1000/a) but 3 req/s, on/off, http://a.b/c/d and 1/2/3"
    )
    assert shown == "at #, (#) but 3 req/s, on/off, http://a.b/c/d and 1/2/3"
    assert superlinear(lambda text: _PATH.sub("#", text), 256 * 1024, heads=("", "/", "/a")) == []
