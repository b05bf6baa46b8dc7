"""What a worker gets when the server cannot serve it: statuses that mean "try again"."""

from __future__ import annotations

from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.settings import Settings
from tests.api.client import BASE, problem_of, start_run
from tests.api.http_worker import SENT_AT, HttpWorker

SEEN = {"sent_at": SENT_AT}


def test_a_worker_that_sends_too_much_waits_and_no_other_does(
    settings: Settings, installation: dict[str, str]
) -> None:
    strict = settings.model_copy(update={"rate_worker_requests": "1/h burst 3"})
    with TestClient(create_app(strict), base_url=BASE, client=("127.0.0.1", 40000)) as api:
        busy, calm = (HttpWorker.joined(api, installation, name) for name in ("busy", "calm"))
        statuses = [busy.send("POST", "/seen", SEEN).status_code for _ in range(4)]
        assert statuses == [200, 200, 429, 429]  # its announcement was the first
        refused = busy.send("POST", "/seen", SEEN)
        assert int(problem_of(refused, 429, "rate_limited")["status"]) and refused.headers["retry-after"]
        assert calm.send("POST", "/seen", SEEN).status_code == 200


def test_many_workers_behind_one_address_share_a_budget_of_their_own(
    settings: Settings, installation: dict[str, str]
) -> None:
    rates = {"rate_worker_requests": "1/h burst 4", "rate_address_writes": "off", "rate_address_reads": "off"}
    app = create_app(settings.model_copy(update=rates))
    with TestClient(app, base_url=BASE) as here:
        far = HttpWorker.joined(here, installation)
    with TestClient(app, base_url=BASE, client=("203.0.113.7", 40000)) as there:
        far.api = there
        statuses = [far.send("POST", "/seen", SEEN).status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        assert there.get("/api/v1/sign-in-methods").status_code != 429


def test_without_the_database_a_worker_has_to_try_again(settings: Settings, far: HttpWorker) -> None:
    url = "postgresql+psycopg://nobody@/none?host=/nonexistent"
    away = settings.model_copy(update={"database_url": url})
    with TestClient(create_app(away), base_url=BASE) as api:
        far.api = api
        for method, path in (("POST", "/seen"), ("POST", "/claims"), ("POST", "/take-over")):
            answer = far.send(method, path, SEEN)
            problem_of(answer, 503, "unavailable")
            assert answer.headers["retry-after"]


def test_without_redis_nothing_is_lost(settings: Settings, api: TestClient, far: HttpWorker) -> None:
    start_run(api)
    away = settings.model_copy(update={"redis_url": "unix:///nonexistent/redis.sock"})
    with TestClient(create_app(away), base_url=BASE) as without:
        far.api = without
        trial = far.must_claim()
        assert far.outcome(trial) == "recorded"
