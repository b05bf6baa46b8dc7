"""How fast the library answers over 10,000 runs: milliseconds of each kind of query, on services of its own.

Runs are rows without trials: a search reads none. Needs no root.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.settings import Settings
from backend.store import grants
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import run_entries
from backend.store.session import dispose, session_scope
from tests.accounts import add_account, browser_headers
from tests.services import PostgresServer, RedisServer, migrate

RUNS: Final = 10_000
EXPERIMENTS: Final = 100
REPEATS: Final = 30
QUERIES: Final = {
    "all": "",
    "text": "chatty",
    "two_words": "proxy study 42",
    "text_without_match": "no such text",
    "path": "path:nginx_stream",
    "pattern": "path:nginx_*",
    "levels": "clients:16 path:published_loopback",
    "host_and_verdict": "host:bench-3 verdict:worse",
    "rare_tag": "tag:rare",
    "negated": "-path:bridge_ip -tag:ci",
    "state": "state:incomplete",
    "starred": "is:starred",
    "author": "author:ada",
    "dates": "after:2026-01-01 before:2026-02-01",
    "many": 'is:ended host:bench-1,bench-2 verdict:worse after:30w "chatty" -tag:rare',
}
_EXPERIMENTS: Final = text("""
    INSERT INTO experiment (id, team_id, digest, name, title, definition)
    SELECT 'exp_' || lpad(i::text, 16, '0'), :team, 'digest ' || i, 'study-' || i,
           CASE WHEN i % 10 = 0 THEN 'A chatty database over proxy study ' ELSE 'Proxy study ' END || i, '{}'
      FROM generate_series(1, :experiments) i
""")
_HOSTS: Final = text("""
    INSERT INTO host (id, name, capabilities, environment, last_seen_at)
    SELECT 'hst_' || lpad(i::text, 16, '0'), 'bench-' || i, '{}', '{}', clock_timestamp()
      FROM generate_series(1, 5) i
""")
# A plan of 12 cells: three paths of several, four numbers of clients.
_RUNS: Final = text("""
    INSERT INTO run (id, team_id, experiment_id, host_id, state, plan, tags, note, created_at, finished_at)
    SELECT 'run_' || lpad(i::text, 16, '0'), :team, 'exp_' || lpad((i % :experiments + 1)::text, 16, '0'),
           'hst_' || lpad((i % 5 + 1)::text, 16, '0'), CASE WHEN i % 50 = 0 THEN 'incomplete' ELSE 'done' END,
           jsonb_build_object('cells', (
             SELECT jsonb_agg(jsonb_build_object('id', 'c' || c, 'label', 'cell ' || c, 'levels',
                      jsonb_build_object('clients', 4 ^ (c % 4), 'tool', 'pgbench',
                        'userland_proxy', c % 2 = 0,
                        'path', (ARRAY['same_container', 'published_loopback', 'nginx_stream', 'socat_tcp',
                                       'host_network', 'overlay'])[(i + c / 4) % 6 + 1])))
               FROM generate_series(0, 11) c)),
           CAST(CASE WHEN i % 500 = 0 THEN '["rare"]' WHEN i % 3 = 0 THEN '["ci", "kernel-6.1"]' ELSE '[]' END
                AS jsonb),
           CASE WHEN i % 7 = 0 THEN repeat('A note about the host and its kernel. ', 10) ELSE '' END,
           clock_timestamp() - (:runs - i) * interval '72 minutes',
           clock_timestamp() - (:runs - i) * interval '72 minutes' + interval '20 minutes'
      FROM generate_series(1, :runs) i
""")
_STARS: Final = text("""
    INSERT INTO run_star (account_id, run_id)
    SELECT :account, id FROM run WHERE right(id, 3) = '007'
""")
_VERDICTS: Final = text("""
    UPDATE run_entry SET verdict_due = false,
           terms = terms || ('verdict:' || (ARRAY['worse', 'better', 'equivalent', 'unclear'])[
             right(run_id, 4)::int % 4 + 1])
""")


def measure(runs: int = RUNS) -> dict[str, Any]:
    """Milliseconds of each kind of query (median, 95th percentile), of completions, and of the first page."""
    with _services() as settings:
        account = add_account(settings, name="Ada")
        fill(settings, account, runs)
        headers = browser_headers(settings, account)
        with TestClient(create_app(settings), base_url="http://127.0.0.1:8420", headers=headers) as api:
            return {"runs": runs, "milliseconds": _figures(api)}


@contextmanager
def _services() -> Iterator[Settings]:
    """The settings of an empty, migrated database and a Redis of their own."""
    home = Path(tempfile.mkdtemp(prefix="plimsoll-library-"))
    home.chmod(0o755)
    for part in ("pg", "redis"):
        (home / part).mkdir()
    postgres, redis = PostgresServer(home / "pg"), RedisServer(home / "redis")
    try:
        postgres.start()
        redis.start()
        postgres.create_roles()
        with postgres.connect("postgres") as connection:
            connection.execute(f'CREATE DATABASE "bench" OWNER {grants.MIGRATE}')
        migrate(postgres.url("bench", grants.MIGRATE))
        settings = Settings(
            database_url=postgres.url("bench"),
            redis_socket=redis.socket,
            var_dir=home / "var",
            runtime_dir=home / "run",
            page_dir=home / "page",
            run_ends_every_s=0,
            webhook_every_s=0,
            rate_address_reads="off",
            rate_address_writes="off",
            rate_caller_reads="off",
            rate_caller_writes="off",
        )
        yield settings
        dispose(settings)
    finally:
        redis.stop()
        postgres.stop()
        shutil.rmtree(home, ignore_errors=True)


def fill(settings: Settings, account: str, runs: int) -> None:
    """Write ended runs without trials, with their entries, as the owner of the tables or a superuser."""
    with session_scope(settings) as session:
        values = {"team": DEFAULT_TEAM, "experiments": EXPERIMENTS, "runs": runs}
        session.execute(_EXPERIMENTS, values)
        session.execute(_HOSTS)
        session.execute(_RUNS, values)
        for run_id in session.scalars(text("SELECT id FROM run")).all():
            run_entries.add(session, run_id, account)
        session.execute(_VERDICTS)
        session.execute(_STARS, {"account": account})
    with session_scope(settings) as session:
        session.execute(text("ANALYZE"))


def _figures(api: TestClient) -> dict[str, dict[str, float]]:
    requests: dict[str, tuple[str, dict[str, str]]] = {
        name: ("/library", {"q": query}) for name, query in QUERIES.items()
    }
    requests["completion_of_a_key"] = ("/library/terms", {"part": "pa"})
    requests["completion_of_a_value"] = ("/library/terms", {"part": "path:n"})
    requests["first_page"] = ("/home", {})
    return {name: _of(api, *request) for name, request in requests.items()}


def _of(api: TestClient, path: str, query: dict[str, str]) -> dict[str, float]:
    taken = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        answer = api.get(f"/api/v1{path}", params=query)
        taken.append(1000 * (time.perf_counter() - began))
        if answer.status_code != 200:
            raise SystemExit(f"{path} {query}: {answer.text}")
    return {"p50": round(statistics.median(taken), 1), "p95": round(statistics.quantiles(taken, n=20)[-1], 1)}
