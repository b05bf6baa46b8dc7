"""A database of the release before is migrated, and everything in it is readable and unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.settings import Settings
from backend.store import invariants, migrations
from backend.store.models import Base
from backend.store.session import dispose, session_scope
from tests.accounts import signed_in
from tests.api.client import BASE, Worker, problem_of
from tests.services import ROOT, PostgresServer

pytestmark = pytest.mark.new_database  # it migrates

RELEASE = ROOT / "tests/fixtures/upgrade"
# That release wrote another sign, and the plural of one round; it found the best with a one-sided test, and
# had other words for verdicts. It did not count a comparison without an answer whose trials were all lost.
BEST = "Not enough rounds to find the best of 2 cells in transactions per second (needs n ≥ {})"
WORDS = (
    ("n >= ", "n ≥ "),
    ("1 rounds)", "1 round)"),
    (BEST.format(5), BEST.format(6)),
    ("Not enough rounds: no result could be significant", "No answer: too few rounds"),
    ("No difference shown; differences between", "No answer: differences between"),
    ("Equivalent within", "Equal within"),
    ('"? (', '"No answer ('),
    (": ? (", ": No answer ("),
)


def _in_words_of_today(text: str) -> str:
    for old, new in WORDS:
        text = text.replace(old, new)
    return text


BEFORE: dict[str, Any] = json.loads(_in_words_of_today((RELEASE / "answers.json").read_text()))
MADE: dict[str, str] = BEFORE["made"]
BEFORE["results"]["cancelled"]["counts"]["undecided"] = 1
ENDED = ("done", "incomplete", "cancelled", "imported")
FRESH = "UPDATE share SET expires_at = clock_timestamp() + interval '1 day' WHERE expires_at > created_at"


@pytest.fixture
def upgraded(settings: Settings, postgres: PostgresServer) -> Iterator[Settings]:
    """The settings of an installation whose database the release before made, after the migration."""
    name = "plimsoll_upgraded"
    with postgres.connect("postgres") as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    with postgres.connect(name) as connection:
        connection.execute((RELEASE / "database.sql").read_bytes())
        connection.execute("SET search_path TO public")
        connection.execute(FRESH.encode())  # the fixture is older than the lifetime of its links
    migrations.upgrade(postgres.url(name))
    found = settings.model_copy(update={"database_url": postgres.url(name)})
    yield found
    dispose(found)
    with postgres.connect("postgres") as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def served(upgraded: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(upgraded), base_url=BASE, headers=signed_in(upgraded)) as client:
        yield client


def differences(before: Any, after: Any, path: str = "") -> list[str]:
    """Where `after` lacks something of `before`, or has another value; additions are no difference."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            d for key, value in before.items() for d in differences(value, after.get(key), f"{path}/{key}")
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [d for number, (a, b) in pairs for d in differences(a, b, f"{path}/{number}")]
    return [] if before == after else [f"{path}: {before!r} is {after!r}"]


def test_the_release_before_had_rows_in_every_table_of_its_own() -> None:
    sql = (RELEASE / "database.sql").read_text()
    tables = {
        line.split()[2].removeprefix("public.")
        for line in sql.splitlines()
        if line.startswith("CREATE TABLE")
    }
    assert {table for table in tables if f"INSERT INTO public.{table} " not in sql} == set()


def test_the_schema_is_complete_and_nothing_is_lost(upgraded: Settings) -> None:
    with session_scope(upgraded) as session:
        assert migrations.difference(migrations.applied(session)) is None
        for table in Base.metadata.sorted_tables:
            session.execute(table.select().limit(0))
        assert invariants.violations(session) == []


def test_the_runs_are_listed_as_before(served: TestClient) -> None:
    after = {run["id"]: run for run in served.get("/api/v1/runs?limit=50").json()["data"]}
    before = {run["id"]: run for run in BEFORE["runs"]["data"]}
    assert set(after) == set(before)
    assert differences(before, after) == []


@pytest.mark.parametrize("name", ENDED)
def test_a_result_is_as_before(served: TestClient, name: str) -> None:
    after = served.get(f"/api/v1/runs/{MADE[name]}/result").json()
    assert differences(BEFORE["results"][name], after) == []
    trials = served.get(f"/api/v1/runs/{MADE[name]}/trials").json()
    assert differences(BEFORE["trials"][name], trials) == []


def test_an_export_is_equal_byte_for_byte(served: TestClient) -> None:
    assert served.get(f"/api/v1/runs/{MADE['done']}/exports/csv-long").text == BEFORE["csv"]


def test_links_open_or_are_refused_as_before(served: TestClient) -> None:
    opened = served.post("/api/v1/shares:open", json={"token": MADE["open"]})
    assert opened.status_code == 200, opened.text
    chart = opened.json()["chart"]
    before = BEFORE["opened"]["chart"]
    assert differences({name: before[name] for name in ("cells", "title")}, chart) == []
    problem_of(served.post("/api/v1/shares:open", json={"token": MADE["revoked"]}), 410, "share_revoked")
    problem_of(served.post("/api/v1/shares:open", json={"token": MADE["expired"]}), 410, "share_expired")


def test_the_running_run_is_continued_to_its_end(upgraded: Settings, served: TestClient) -> None:
    with session_scope(upgraded) as session:
        session.execute(text("UPDATE trial SET lease_until = clock_timestamp() WHERE state = 'running'"))
    worker = Worker(upgraded)
    worker.announce()
    worker.finish()
    assert served.get(f"/api/v1/runs/{MADE['running']}").json()["state"] == "done"
    with session_scope(upgraded) as session:
        assert invariants.violations(session) == []


def test_a_key_brings_its_first_answer_back(served: TestClient) -> None:
    again = served.post(
        f"/api/v1/experiments/{MADE['experiment']}/runs", json={}, headers={"Idempotency-Key": "pipeline-7"}
    )
    assert (again.status_code, again.headers["idempotent-replayed"]) == (202, "true")
    assert again.json()["id"] == MADE["running"]


def test_the_way_back_keeps_the_data(upgraded: Settings, postgres: PostgresServer) -> None:
    """A downgrade to the revision of that release has its tables and rows."""
    with postgres.connect("plimsoll_upgraded") as connection:
        before = connection.execute("SELECT count(*), sum(fence) FROM result").fetchone()
    revision = (
        (RELEASE / "database.sql").read_text().split("INTO public.alembic_version (version_num) VALUES ('")[1]
    )
    migrations.downgrade(upgraded.database_url, revision[:12])
    with postgres.connect("plimsoll_upgraded") as connection:
        assert connection.execute("SELECT count(*), sum(fence) FROM result").fetchone() == before
