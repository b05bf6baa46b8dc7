"""Floods and guesses get 429; pages, pipelines and programs of the host never do."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.rate_limits.address import is_local, network_of
from backend.api.rate_limits.limiter import Limiter
from backend.rate import Rate, read_rate
from backend.settings import Settings
from backend.store.repositories import accounts
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope
from tests.accounts import add_account, signed_in, token_headers
from tests.api.client import BASE, Worker, problem_of, start_run

STRANGER = ("203.0.113.9", 50000)
DEFAULTS = {
    name: Settings.model_fields[name].default for name in Settings.model_fields if name.startswith("rate_")
}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """The settings with the product's rates."""
    return settings.model_copy(update=DEFAULTS)


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is refilled: a budget does not depend on the speed of the test."""
    monkeypatch.setattr("throttled.utils.now_mono_f", lambda: 1000.0)


def guess(client: TestClient, number: int, **headers: str) -> int:
    body = {"token": f"{number:043d}"}
    return client.post("/api/v1/shares:open", json=body, headers=headers).status_code


@pytest.mark.parametrize("client", [STRANGER, ("127.0.0.1", 50000)])
def test_a_thousand_guessed_share_tokens_meet_a_limit(
    settings: Settings, frozen: None, client: tuple[str, int]
) -> None:
    limited = settings.model_copy(update={"rate_address_writes": "off"})
    with TestClient(create_app(limited), base_url=BASE, client=client) as api:
        seen = Counter(guess(api, number) for number in range(1000))
        assert seen == {404: 30, 429: 970}
        answer = api.post("/api/v1/shares:open", json={"token": "x"})
        assert problem_of(answer, 429, "rate_limited")["detail"].startswith("too many failed attempts")
        assert 1 <= int(answer.headers["retry-after"]) <= 6
        assert api.get("/api/v1/presets").status_code == 401


def test_guesses_at_the_same_time_do_not_pass_together(settings: Settings) -> None:
    app = create_app(settings.model_copy(update={"rate_secret_guesses": "1/h burst 5"}))
    with (
        TestClient(app, base_url=BASE, client=STRANGER, headers=signed_in(settings)) as api,
        ThreadPoolExecutor(32) as pool,
    ):
        barrier = threading.Barrier(32)

        def together(number: int) -> int:
            barrier.wait(60)
            return guess(api, number)

        seen = Counter(pool.map(together, range(32)))
    assert seen == {404: 5, 429: 27}


def test_an_open_link_has_no_limit(settings: Settings, worker: Worker) -> None:
    app = create_app(settings.model_copy(update={"rate_secret_guesses": "1/h burst 2"}))
    with TestClient(app, base_url=BASE, client=STRANGER, headers=signed_in(settings)) as api:
        run = start_run(api)["id"]
        worker.finish()
        token = api.post(f"/api/v1/runs/{run}/shares", json={}).json()["token"]
        for _ in range(20):
            assert api.post("/api/v1/shares:open", json={"token": token}).status_code == 200


def test_wrong_secrets_of_this_host_do_not_refuse_right_ones(
    settings: Settings, frozen: None, worker: Worker
) -> None:
    """Behind an SSH tunnel or a proxy that is not configured, everybody has the address 127.0.0.1."""
    app = create_app(settings)
    with TestClient(app, base_url=BASE, client=("127.0.0.1", 50000)) as api:
        headers = signed_in(settings)
        run = start_run(TestClient(app, base_url=BASE, headers=headers))["id"]
        worker.finish()
        token = api.post(f"/api/v1/runs/{run}/shares", json={}, headers=headers).json()["token"]
        seen = Counter(guess(api, number) for number in range(40))
        assert seen == {404: 30, 429: 10}
        assert api.post("/api/v1/shares:open", json={"token": token}).status_code == 200
        links = [api.post("/api/v1/sessions", json={"link": f"{number:043d}"}) for number in range(31)]
        assert [links[0].status_code, links[-1].status_code] == [410, 429]
        account = add_account(settings)
        secret = new_secret()
        with session_scope(settings) as session:
            accounts.add_sign_in_link(session, account, digest(secret), timedelta(hours=1))
        assert api.post("/api/v1/sessions", json={"link": secret}).status_code == 204


def test_a_burst_of_posts_meets_a_limit_whatever_it_says_of_its_address(
    settings: Settings, frozen: None
) -> None:
    app = create_app(settings)
    stranger = TestClient(app, base_url=BASE, client=STRANGER)
    seen: Counter[int] = Counter()
    for number in range(300):
        spoofed = {"X-Forwarded-For": f"198.51.100.{number % 250}", "Forwarded": f"for=198.51.100.{number}"}
        answer = stranger.post("/api/v1/runs/x:cancel", json={}, headers=spoofed)
        seen[answer.status_code] += 1
    # A bucket is a sum of fractions of seconds.
    assert seen[401] in (99, 100) and seen[401] + seen[429] == 300
    refused = problem_of(answer, 429, "rate_limited")
    assert "changing requests from this address" in refused["detail"]
    assert answer.headers["retry-after"] == "1"
    assert answer.headers["ratelimit-policy"] == '"address-writes";q=100;w=10'
    assert answer.headers["ratelimit"].startswith('"address-writes";r=0;t=')
    assert stranger.get("/api/v1/presets").status_code == 401


def test_a_session_and_a_token_have_budgets_of_their_own(settings: Settings, frozen: None) -> None:
    limits = {"rate_caller_reads": "1/s burst 3", "rate_caller_writes": "1/min burst 2"}
    app = create_app(settings.model_copy(update=limits))
    local = TestClient(app, base_url=BASE, client=("127.0.0.1", 1), headers=signed_in(settings))
    script = TestClient(app, base_url=BASE, client=("127.0.0.1", 1), headers=token_headers(settings))
    for client in (local, script):
        assert [client.get("/api/v1/runs").status_code for _ in range(5)] == [200] * 3 + [429] * 2
        cancels = [client.post("/api/v1/runs/x:cancel", json={}) for _ in range(4)]
        assert [answer.status_code for answer in cancels] == [404] * 2 + [429] * 2
        refused = problem_of(cancels[-1], 429, "rate_limited")
        assert refused["detail"].startswith("too many changing requests with these credentials")
        assert cancels[-1].headers["retry-after"] == "60"
        assert cancels[0].headers.get("ratelimit") is None
        assert cancels[-1].headers["ratelimit-policy"] == '"caller-writes";q=2;w=120'
    with session_scope(settings) as session:
        refusals = text("SELECT count(*) FROM audit WHERE code = 'rate_limited'")
        assert session.execute(refusals).scalar_one() == 2  # one a minute for each caller


def test_the_headers_say_what_is_left(settings: Settings, frozen: None) -> None:
    client = TestClient(create_app(settings), base_url=BASE, client=STRANGER, headers=signed_in(settings))
    for left in (499, 498):
        answer = client.get("/api/v1/runs")
        assert answer.headers["ratelimit-policy"] == '"caller-reads";q=500;w=10'
        assert answer.headers["ratelimit"] == f'"caller-reads";r={left};t=1'


def test_another_address_has_a_budget_of_its_own(settings: Settings) -> None:
    app = create_app(settings.model_copy(update={"rate_address_reads": "1/h burst 2"}))
    first, second = (
        TestClient(app, base_url=BASE, client=(f"203.0.113.{n}", 1), headers=signed_in(settings))
        for n in (1, 2)
    )
    assert [first.get("/api/v1/presets").status_code for _ in range(3)] == [200, 200, 429]
    assert second.get("/api/v1/presets").status_code == 200
    assert first.get("/healthz").status_code == 200


def test_behind_a_named_proxy_the_forwarded_address_counts(settings: Settings) -> None:
    limits = {"rate_address_reads": "1/h burst 2", "trusted_proxy": "10.0.0.0/8"}
    app = create_app(settings.model_copy(update=limits))
    proxied = TestClient(app, base_url=BASE, client=("10.1.1.1", 1), headers=signed_in(settings))

    def statuses(address: str) -> list[int]:
        headers = {"X-Forwarded-For": address}
        return [proxied.get("/api/v1/presets", headers=headers).status_code for _ in range(3)]

    assert statuses("203.0.113.1") == [200, 200, 429]
    assert statuses("203.0.113.2") == [200, 200, 429]
    assert statuses("198.51.100.7, 203.0.113.2") == [429, 429, 429]


def test_a_program_of_the_host_has_no_limit_by_address(settings: Settings) -> None:
    app = create_app(settings.model_copy(update={"rate_address_reads": "1/h burst 1"}))
    for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        client = TestClient(app, base_url=BASE, client=(address, 1), headers=signed_in(settings))
        assert [client.get("/api/v1/presets").status_code for _ in range(3)] == [200, 200, 200]


def test_ten_open_pages_and_a_polling_pipeline_behind_one_address_have_room(settings: Settings) -> None:
    """Page and run list poll every second or more rarely, a stream of events is one request."""
    pages, requests_of_a_page, pipeline = 10, 3, 2
    sustained = read_rate(settings.rate_address_reads)
    assert sustained is not None and sustained.period_s == 1
    assert sustained.requests >= 2 * (pages * requests_of_a_page + pipeline)
    caller = read_rate(settings.rate_caller_reads)
    assert caller is not None and caller.period_s == 1
    assert caller.requests >= pages * requests_of_a_page + pipeline
    # All pages are opened at once: their files, and their first requests.
    assert caller.burst >= pages * 40


def test_a_bucket_refills(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("throttled.utils.now_mono_f", lambda: now)
    limiter = Limiter(settings.model_copy(update={"rate_caller_reads": "2/s burst 4"}))

    def take() -> bool:
        found = limiter.take("caller-reads", "token-1")
        assert found is not None
        return found.allowed

    assert [take() for _ in range(6)] == [True] * 4 + [False] * 2
    now += 1
    assert [take() for _ in range(3)] == [True, True, False]
    now += 3600
    assert [take() for _ in range(6)] == [True] * 4 + [False] * 2
    assert limiter.take("caller-writes", "token-1").allowed  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("address", "network", "local"),
    [
        ("203.0.113.9", "203.0.113.9", False),
        ("::ffff:203.0.113.9", "203.0.113.9", False),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", False),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64", False),
        ("127.0.0.1", "127.0.0.1", True),
        ("127.9.9.9", "127.9.9.9", True),
        ("::1", "::/64", True),
        ("::ffff:127.0.0.1", "127.0.0.1", True),
        ("unknown", "unknown", True),
        ("testclient", "testclient", False),
    ],
)
def test_addresses(address: str, network: str, local: bool) -> None:
    assert (network_of(address), is_local(address)) == (network, local)


def test_rates_are_read() -> None:
    assert read_rate("50/s burst 500") == Rate(50, 1, 500)
    assert read_rate("10/min") == Rate(10, 60, 10)
    assert read_rate("2/h burst 1") == Rate(2, 3600, 1)
    assert read_rate("off") is None
    for wrong in ("", "50", "0/s", "5/s burst 0", "5/day", "-1/s", "5 / s", "٥/s", "5/s burst 12345678"):
        with pytest.raises(ValueError, match="is not a rate"):
            read_rate(wrong)
        with pytest.raises(ValidationError, match="is not a rate"):
            Settings(rate_caller_reads=wrong)
