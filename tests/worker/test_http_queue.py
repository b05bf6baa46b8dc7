"""What the worker of an enrolled host makes of its server's answers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from backend.core.errors import NotFound, PlimsollError, Refused, Unavailable, WorkerRejected
from backend.settings import Settings
from backend.worker_protocol import PROTOCOL
from scripts.starter.certificate import Pair, make
from tests.records import trial_record
from tests.worker.conftest import FakeTrial
from tests.worker.scripted_server import PROBLEM, Reply, ScriptedServer, problem, scripted
from worker.host.spool import Spool, digest
from worker.http_queue.clock import Exchange
from worker.http_queue.connection import ServerConnection
from worker.http_queue.queue import LONGEST_DETAIL, HttpTrialQueue
from worker.trial.recording import drain

TOKEN = "plmh_" + "a" * 32
HOST = {"host_id": "hst_0123456789abcdef", "drained": False, "policy": {}, "release": "0.1.0"}
SEEN = HOST | {"received_at": "2026-11-23T05:00:00Z"}
CLAIMED = dict(vars(FakeTrial()))
Make = Callable[..., Settings]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted() as found:
        yield found


@pytest.fixture
def make_settings(tmp_path: Path) -> Make:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)

    def of(url: str, **more: Any) -> Settings:
        folders = {"var_dir": tmp_path / "var", "runtime_dir": tmp_path / "run"}
        return Settings(server_url=url, host_token_file=file, **{**folders, **more})

    return of


@pytest.fixture
def queue(server: ScriptedServer, make_settings: Make) -> Iterator[HttpTrialQueue]:
    found = HttpTrialQueue(make_settings(server.url))
    yield found
    found.close()


def test_every_request_names_release_protocol_and_token(
    queue: HttpTrialQueue, server: ScriptedServer
) -> None:
    server.replies = [Reply(content=HOST)]
    queue.announce({"cores": 4}, {"kernel": "6.1"})
    (sent,) = server.sent
    assert (sent.method, sent.path) == ("PUT", "/api/v1/worker/host")
    assert sent.headers["Authorization"] == f"Bearer {TOKEN}"
    assert sent.headers["Plimsoll-Worker"].endswith(f"/{PROTOCOL}")
    assert sent.body == {
        "capabilities": {"cores": 4},
        "environment": {"kernel": "6.1"},
        "install_id": "plimsoll",
    }


def test_requests_share_a_connection(queue: HttpTrialQueue, server: ScriptedServer) -> None:
    server.replies = [Reply(content={"beat": "ok"})]
    assert [queue.heartbeat(FakeTrial()) for _ in range(5)] == ["ok"] * 5
    assert server.connections == 1


ANSWERS: dict[str, tuple[Reply, type[PlimsollError], str]] = {
    "revoked": (problem(401, "unauthenticated"), WorkerRejected, "does not accept this host's token"),
    "outdated": (problem(426, "worker_outdated", "run scripts/join"), WorkerRejected, "run scripts/join"),
    "too_new": (problem(426, "worker_too_new", "update the server"), WorkerRejected, "update the server"),
    "no_trial": (problem(404, "not_found"), NotFound, "so it is"),
    "refused": (problem(422, "invalid"), Refused, "so it is"),
    "too_large": (problem(413, "body_too_large"), Refused, "so it is"),
    "limited": (problem(429, "rate_limited"), Unavailable, "429"),
    "failing": (problem(500, "internal"), Unavailable, "500"),
    "busy": (problem(503, "unavailable"), Unavailable, "503"),
    "in_use": (problem(409, "in_use"), Unavailable, "409"),
    "forbidden": (problem(403, "forbidden"), Unavailable, "403"),
    "proxy_without_server": (Reply(502, "Bad Gateway", "text/html"), Unavailable, "502"),
    "proxy_s_own_401": (Reply(401, "<h1>Sign in</h1>", "text/html"), Unavailable, "401"),
    "proxy_s_own_404": (Reply(404, "<h1>Not found</h1>", "text/html"), Unavailable, "404"),
    "proxy_s_own_413": (Reply(413, "too large", "text/plain"), Unavailable, "413"),
    "another_program": (Reply(200, "<h1>Welcome</h1>", "text/html"), Unavailable, "is not Plimsoll's"),
    "a_list": (Reply(200, []), Unavailable, "is not Plimsoll's"),
    "another_answer": (Reply(200, {"beat": "maybe"}), Unavailable, "cannot be read (beat:"),
    "redirect": (Reply(302, "", "text/html", location="https://elsewhere/"), Unavailable, "redirects to"),
    "problem_of_others": (Reply(400, {"title": "no code"}, PROBLEM), Unavailable, "400"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_each_answer_means_one_error(queue: HttpTrialQueue, server: ScriptedServer, name: str) -> None:
    reply, kind, text = ANSWERS[name]
    server.replies = [reply]
    server.by_path["/seen"] = Reply(content=SEEN)
    with pytest.raises(PlimsollError) as found:
        queue.heartbeat(FakeTrial())
    assert type(found.value) is kind and text in str(found.value)


def test_a_broken_connection_is_tried_once_more_at_once(
    queue: HttpTrialQueue, server: ScriptedServer
) -> None:
    server.replies = [Reply(cut=True), Reply(content={"beat": "cancel"})]
    assert queue.heartbeat(FakeTrial()) == "cancel"
    server.replies = [Reply(cut=True)]
    server.sent.clear()
    with pytest.raises(Unavailable, match="does not answer"):
        queue.heartbeat(FakeTrial())
    assert len(server.sent) == 2


def test_a_claim_without_an_answer_repeats_its_key(queue: HttpTrialQueue, server: ScriptedServer) -> None:
    server.replies = [problem(503, "unavailable"), Reply(content={"trial": CLAIMED}), Reply(content={})]
    with pytest.raises(Unavailable):
        queue.claim({})
    trial = queue.claim({})
    assert trial is not None and (trial.trial_id, trial.fence) == (FakeTrial().trial_id, 1)
    assert queue.claim({}) is None
    first, again, next_ = (sent.body["key"] for sent in server.sent)
    assert first == again != next_


def test_an_old_key_is_not_repeated(
    queue: HttpTrialQueue, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("worker.http_queue.queue.time.monotonic", lambda: now[0])
    server.replies = [problem(503, "unavailable")]
    for _ in range(3):
        with pytest.raises(Unavailable):
            queue.claim({})
        now[0] += 45
    first, second, third = (sent.body["key"] for sent in server.sent)
    assert first == second != third


def test_the_facts_of_a_run_s_start_are_sent_once(queue: HttpTrialQueue, server: ScriptedServer) -> None:
    server.by_path["/claims"] = Reply(content={"trial": CLAIMED, "first_of_run": True})
    assert queue.claim({"kernel": "6.1"}, lambda: {"containers": "2"}) is not None
    claimed, changed = server.sent
    assert claimed.body["environment"] == {"kernel": "6.1"}
    assert (changed.method, changed.body) == ("PATCH", {"environment": {"containers": "2"}})


def test_an_ending_waits_for_the_server_and_comes_before_the_next_claim(
    queue: HttpTrialQueue, server: ScriptedServer
) -> None:
    server.replies = [problem(503, "unavailable")]
    queue.fail(FakeTrial(), "tool_failed", "x" * 30_000)
    with pytest.raises(Unavailable):
        queue.claim({})
    server.replies = [Reply(content={"ended": True}), Reply(content={"trial": None})]
    server.sent.clear()
    assert queue.claim({}) is None
    ending, claim = server.sent
    assert ending.path.endswith("/ending") and claim.path.endswith("/claims")
    assert ending.body["fence"] == 1 and ending.body["kind"] == "fail"
    assert len(ending.body["detail"]) == LONGEST_DETAIL


@pytest.mark.parametrize("code", ["not_found", "invalid"])
def test_an_ending_that_is_refused_blocks_no_claim(
    queue: HttpTrialQueue, server: ScriptedServer, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.by_path |= {"/seen": Reply(content=SEEN), "/claims": Reply(content={"trial": None})}
    server.replies = [problem(404 if code == "not_found" else 422, code)]
    queue.cancelled(FakeTrial())
    assert queue.claim({}) is None
    assert "is not written" in caplog.text


def test_records_wait_while_the_server_is_one_without_an_interface_for_workers(
    queue: HttpTrialQueue, server: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its 404 is the same as of a trial that it does not know; but nothing else is there either."""
    server.replies = [problem(404, "not_found", "no resource has this URL")]
    spool = filled(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert drain(spool, queue) == 1
    assert not spool.quarantined() and "has no interface for workers" in caplog.text
    server.by_path["/seen"] = Reply(content=SEEN)
    assert drain(spool, queue) == 0
    assert [kept.reason for kept in spool.quarantined()] == ["NotFound: no resource has this URL"]


def test_a_large_record_is_packed(queue: HttpTrialQueue, server: ScriptedServer, tmp_path: Path) -> None:
    server.replies = [Reply(content={"outcome": "recorded"})]
    spool = Spool(tmp_path / "spool")
    payload = trial_record(FakeTrial())
    payload["commands"][0]["stdout"] = "progress: 1.0 s, é\n" * 20_000
    spool.write(FakeTrial().trial_id, 1, payload, None)
    assert drain(spool, queue) == 0
    (sent,) = server.sent
    assert sent.headers["Content-Encoding"] == "gzip" and int(sent.headers["Content-Length"]) < 40_000
    assert sent.body["payload"] == payload and digest(sent.body["payload"]) == sent.body["sha256"]


def test_a_revoked_token_keeps_the_spool(
    queue: HttpTrialQueue, server: ScriptedServer, tmp_path: Path
) -> None:
    server.replies = [problem(401, "unauthenticated")]
    spool = filled(tmp_path)
    assert drain(spool, queue) == 1
    assert len(list(spool.waiting())) == 1 and not spool.quarantined()


def filled(folder: Path) -> Spool:
    """A spool with one record."""
    spool, trial = Spool(folder / "spool"), FakeTrial()
    spool.write(trial.trial_id, trial.fence, trial_record(trial), ("path_contradicted", "no"))
    return spool


# --- clocks, orders, unknown fields --------------------------------------------------------------


def test_the_clocks_are_compared_at_every_report_and_sent_with_the_next(
    queue: HttpTrialQueue, server: ScriptedServer
) -> None:
    server.replies = [Reply(content=SEEN)]
    queue.seen([], {"free_bytes": 1, "total_bytes": 2})
    queue.seen([])
    first, second = (sent.body for sent in server.sent)
    assert first["clock"] is None and first["disk"] == {"free_bytes": 1, "total_bytes": 2}
    sent = datetime.fromisoformat(first["sent_at"])
    ahead = (datetime.fromisoformat(SEEN["received_at"]) - sent).total_seconds()
    found = second["clock"]
    assert found["uncertainty_s"] > 0 and abs(found["offset_s"] - ahead) <= 2 * found["uncertainty_s"] + 1e-5


@pytest.mark.parametrize("ahead", [-86_400.0, -0.25, 0.0, 3.5, 1e8])
def test_the_offset_is_within_half_of_the_round_trip(ahead: float) -> None:
    """The server reads its clock 0.1 s after a round trip of 0.4 s began."""
    steady = iter([50.0, 50.4])
    exchange = Exchange(lambda: 1_700_000_000.0, lambda: next(steady))
    server = datetime.fromtimestamp(1_700_000_000.1 + ahead, UTC).isoformat()
    found = exchange.answered(server)
    assert found.uncertainty_s == pytest.approx(0.2, abs=1e-6)
    assert abs(found.offset_s - ahead) <= found.uncertainty_s


@pytest.mark.parametrize("time", ["", "yesterday", "2026-11-23T05:00:00"])
def test_a_time_that_cannot_be_read_is_logged(
    queue: HttpTrialQueue, server: ScriptedServer, time: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.replies = [Reply(content=SEEN | {"received_at": time})]
    queue.seen([])
    assert queue.clock is None and "time cannot be read" in caplog.text


def test_orders_are_those_of_the_last_report(queue: HttpTrialQueue, server: ScriptedServer) -> None:
    policy = {"engines": ["on"], "host_network": False, "of_a_newer_server": 1}
    server.replies = [Reply(content=SEEN | {"drained": True, "policy": policy, "also_new": {}})]
    queue.seen([])
    assert queue.drained and queue.orders.release == "0.1.0"
    assert queue.orders.policy.engines == ("on",) and not queue.orders.policy.host_network


def test_a_policy_that_cannot_be_read_stops_claims(queue: HttpTrialQueue, server: ScriptedServer) -> None:
    server.replies = [Reply(content=HOST | {"policy": {"engines": ["wasm"]}})]
    with pytest.raises(Unavailable, match="cannot be read"):
        queue.announce({}, {})


def test_a_claim_of_a_newer_server_has_fields_that_are_ignored(
    queue: HttpTrialQueue, server: ScriptedServer
) -> None:
    answer = {"trial": CLAIMED | {"colour": "green"}, "first_of_run": False, "why": "first in line"}
    server.replies = [Reply(content=answer)]
    trial = queue.claim({})
    assert trial is not None and trial.levels == FakeTrial().levels


# --- TLS and the token ---------------------------------------------------------------------------


def files(folder: Path, pair: Pair) -> tuple[Path, Path]:
    folder.mkdir()
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(pair.chain)
    key.write_bytes(pair.key)
    return certificate, key


def beat(settings: Settings) -> str:
    """The answer to one request by these settings."""
    server = ServerConnection(settings)
    try:
        return str(server.call("POST", "/x", {})["beat"])
    finally:
        server.close()


@pytest.mark.parametrize("names", [("127.0.0.1",), ("elsewhere.example.org",)])
def test_only_the_certificate_of_the_enrolment_is_trusted(
    tmp_path: Path, make_settings: Make, names: tuple[str, ...]
) -> None:
    """By its fingerprint, whatever name it has; as the only one to trust, for its own names."""
    ours, other = make(names, datetime.now(UTC)), make(names, datetime.now(UTC))
    certificate, key = files(tmp_path / "ours", ours)
    wrong, _ = files(tmp_path / "other", other)
    with scripted((certificate, key)) as server:
        server.replies = [Reply(content={"beat": "ok"})]
        assert beat(make_settings(server.url, server_fingerprint=ours.fingerprint)) == "ok"
        if "127.0.0.1" in names:
            assert beat(make_settings(server.url, server_ca_file=certificate)) == "ok"
        else:
            with pytest.raises(Unavailable, match="the certificate of"):
                beat(make_settings(server.url, server_ca_file=certificate))
        server.sent.clear()
        with pytest.raises(Refused, match="another certificate"):
            beat(make_settings(server.url, server_fingerprint=other.fingerprint))
        for given in ({"server_ca_file": wrong}, {}):
            with pytest.raises(Unavailable, match="the certificate of"):
                beat(make_settings(server.url, **given))
        assert server.sent == [], "no token goes to a server that is not trusted"


def test_a_fingerprint_waits_for_a_server_that_does_not_answer(make_settings: Make) -> None:
    with pytest.raises(Unavailable, match="does not answer"):
        beat(make_settings("https://127.0.0.1:1", server_fingerprint="AB:" * 31 + "CD"))


@pytest.mark.parametrize(
    ("content", "mode", "why"),
    [("", 0o600, "is empty"), ("two words", 0o600, "no token has"), (TOKEN, 0o644, "chmod 600")],
)
def test_a_token_that_cannot_be_used_is_refused(
    make_settings: Make, content: str, mode: int, why: str
) -> None:
    settings = make_settings("http://127.0.0.1:1")
    assert settings.host_token_file is not None
    settings.host_token_file.write_text(content)
    settings.host_token_file.chmod(mode)
    with pytest.raises(Refused, match=why):
        ServerConnection(settings)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"server_url": "https://x"}, "needs PLIMSOLL_HOST_TOKEN_FILE"),
        ({"server_url": "http://192.0.2.1", "host_token_file": "/t"}, "unencrypted"),
        ({"server_url": "ftp://x", "host_token_file": "/t"}, "PLIMSOLL_SERVER_URL"),
        (
            {"server_url": "https://x", "host_token_file": "/t", "server_ca_file": "/c"}
            | {"server_fingerprint": "AB" * 32},
            "choose one",
        ),
    ],
)
def test_settings_that_are_unsafe_or_incomplete_are_refused(given: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Settings.model_validate(given)


def test_http_beyond_this_host_needs_consent(make_settings: Make) -> None:
    assert make_settings("http://192.0.2.1", allow_http=True).server_url == "http://192.0.2.1"
