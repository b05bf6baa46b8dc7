"""Enrolments: made once, used once, by one host of a name; guessing them is hopeless."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.enrolments.command import join_commands, self_signed
from backend.api.worker.redis_address import redis_address
from backend.queue import host_user
from backend.settings import Settings
from backend.store.repositories import hosts
from backend.store.secrets import ENROLMENT, SHOWN, digest, is_token, new_token
from backend.store.session import session_scope
from backend.worker_container import run_command
from scripts.starter.certificate import make
from tests.api.client import BASE, DOCUMENT, Worker, problem_of
from tests.api.http_worker import WORKER, HttpWorker, enrolment, join
from tests.api.test_run_groups import change_host

ENROLMENTS = "/api/v1/hosts/enrolments"


def sql(settings: Settings, statement: str, **values: Any) -> list[Any]:
    with session_scope(settings) as session:
        found = session.execute(text(statement), values)
        return [tuple(row) for row in found] if found.returns_rows else []


def names(api: TestClient) -> list[str]:
    return [host["name"] for host in api.get("/api/v1/hosts").json()["data"]]


def test_the_command_names_what_the_host_needs(
    anonymous: TestClient, installation: dict[str, str], tmp_path: Path
) -> None:
    pair = make(["127.0.0.1"], datetime.now(UTC))
    file = tmp_path / "certificate.pem"
    file.write_bytes(pair.chain)
    made = enrolment(anonymous, installation, host_name="metal-1")
    assert made["command"] == f"./scripts/join - --name metal-1 <<< '{made['url']}'"
    assert made["container_command"] == run_command(made["url"], "--name", "metal-1")
    known = join_commands("u", None, file)
    assert known.clone == f"./scripts/join - --fingerprint {pair.fingerprint} <<< u"
    assert known.container.endswith(f" plimsoll plimsoll join u --fingerprint {pair.fingerprint}")
    assert join_commands("u", None, tmp_path / "none").clone == "./scripts/join - <<< u"


def test_no_list_of_processes_shows_the_secret_of_the_command(tmp_path: Path) -> None:
    script = tmp_path / "scripts" / "join"
    script.parent.mkdir()
    script.write_text("#!/bin/bash\ntr '\\0' ' ' < /proc/$$/cmdline\necho\nIFS= read -r url\necho \"$url\"\n")
    script.chmod(0o755)
    url = "https://plimsoll.example.org/join#ple_secret"
    command = join_commands(url, "metal-1", None).clone
    done = subprocess.run(
        ["bash", "-c", f"exec {command}"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    shown, read = done.stdout.splitlines()
    assert "--name metal-1" in shown and "ple_secret" not in shown
    assert read == url


def test_the_command_names_the_certificate_of_the_reverse_proxy(
    settings: Settings, installation: dict[str, str], tmp_path: Path
) -> None:
    """As that of compose.yaml, which makes one where none was given."""
    behind = settings.model_copy(update={"proxy_cert": tmp_path / "certificate.pem"})
    with TestClient(create_app(behind), base_url=BASE) as api:
        assert "--fingerprint" not in enrolment(api, installation)["command"]
        pair = make(["127.0.0.1"], datetime.now(UTC))
        (tmp_path / "certificate.pem").write_bytes(pair.chain)
        made = enrolment(api, installation)
        assert made["command"] == f"./scripts/join - --fingerprint {pair.fingerprint} <<< '{made['url']}'"


def test_a_certificate_of_an_authority_needs_no_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "certificate.pem").write_bytes(signed_by_an_authority())
    assert self_signed(tmp_path / "certificate.pem") is None


def signed_by_an_authority() -> bytes:
    """A certificate in PEM whose issuer is another."""
    key, authority = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    named = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in ("server", "authority")]
    builder = x509.CertificateBuilder().subject_name(named[0]).issuer_name(named[1])
    builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now).not_valid_after(now + timedelta(days=1))
    return builder.sign(authority, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def test_an_enrolment_is_shown_once_and_lets_a_host_join(
    api: TestClient, anonymous: TestClient, installation: dict[str, str], settings: Settings
) -> None:
    made = enrolment(anonymous, installation, note="the metal in the lab", expires_in_hours=2)
    assert is_token(made["secret"], ENROLMENT)
    assert made["url"] == f"{settings.base_url}/join#{made['secret']}"
    (entry,) = anonymous.get(ENROLMENTS, headers=installation).json()["data"]
    assert (entry["state"], entry["prefix"], entry["note"]) == (
        "open",
        made["secret"][:SHOWN],
        "the metal in the lab",
    )
    answer = join(anonymous, made["secret"])
    assert answer.status_code == 201 and answer.headers["cache-control"] == "no-store"
    found = answer.json()
    assert (found["host_name"], found["redis"]) == ("far-1", None)
    assert names(api) == []  # until its worker says what it can run
    worker = HttpWorker(anonymous, found["token"], "far-1", found["host_id"])
    assert worker.announce().json()["host_id"] == found["host_id"]
    assert names(api) == ["far-1"]
    (entry,) = anonymous.get(ENROLMENTS, headers=installation).json()["data"]
    assert (entry["state"], entry["used_by"], entry["created_by"]) == ("used", "far-1", "Ada")
    stored = str(sql(settings, "SELECT * FROM enrolment")) + str(sql(settings, "SELECT * FROM host_token"))
    assert made["secret"] not in stored and found["token"] not in stored
    lines = sql(
        settings, "SELECT action, created, actor FROM audit WHERE action IN ('createEnrolment', 'enrolHost')"
    )
    assert lines == [("createEnrolment", made["id"], "Ada"), ("enrolHost", found["host_id"], "anonymous")]


def test_a_host_is_given_its_user_of_redis(
    settings: Settings, installation: dict[str, str], tmp_path: Path
) -> None:
    made = make(("127.0.0.1",), datetime.now(UTC))
    file = tmp_path / "server.pem"
    file.write_bytes(made.key + made.chain)
    own = {"tls_cert": file, "tls_key": file, "tls_self_made": True, "worker_redis_port": 8421}
    found = settings.model_copy(update=own)
    with TestClient(create_app(settings), base_url=BASE) as api:
        secret = enrolment(api, installation)["secret"]
    with TestClient(create_app(found), base_url=f"https://{BASE.removeprefix('http://')}") as api:
        redis = join(api, secret).json()["redis"]
    ((token_id,),) = sql(settings, "SELECT id FROM host_token")
    assert redis["url"] == f"rediss://{host_user(token_id)}@127.0.0.1:8421/0"
    assert redis["ca"].encode() == made.chain and "PRIVATE" not in redis["ca"]
    by_authority = found.model_copy(update={"tls_self_made": False})
    address = redis_address(by_authority, token_id)
    assert address is not None and address.ca == ""


def test_an_enrolment_works_once(anonymous: TestClient, installation: dict[str, str]) -> None:
    secret = enrolment(anonymous, installation)["secret"]
    assert join(anonymous, secret).status_code == 201
    problem_of(join(anonymous, secret), 409, "enrolment_used")
    problem_of(join(anonymous, secret, "far-2"), 409, "enrolment_used")


def test_two_hosts_with_one_enrolment_at_once(anonymous: TestClient, installation: dict[str, str]) -> None:
    secret = enrolment(anonymous, installation)["secret"]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: join(anonymous, secret, f"far-{number}"), range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


def test_a_lost_answer_is_repeated_with_a_new_token(
    anonymous: TestClient, installation: dict[str, str], settings: Settings
) -> None:
    secret, nonce = enrolment(anonymous, installation)["secret"], "n" * 32
    first = join(anonymous, secret, nonce=nonce).json()
    again = join(anonymous, secret, nonce=nonce).json()
    assert again["host_id"] == first["host_id"] and again["token"] != first["token"]
    lost = HttpWorker(anonymous, first["token"], "far-1", first["host_id"])
    problem_of(lost.announce(), 401, "unauthenticated")
    assert HttpWorker(anonymous, again["token"], "far-1", first["host_id"]).announce().status_code == 200
    problem_of(join(anonymous, secret, "far-2", nonce=nonce), 409, "enrolment_used")
    sql(settings, "UPDATE enrolment SET used_at = used_at - interval '11 min'")
    problem_of(join(anonymous, secret, nonce=nonce), 409, "enrolment_used")


def test_a_revoked_host_does_not_come_back_by_repeating(
    anonymous: TestClient, installation: dict[str, str]
) -> None:
    secret, nonce = enrolment(anonymous, installation)["secret"], "n" * 32
    assert join(anonymous, secret, nonce=nonce).status_code == 201
    assert anonymous.post("/api/v1/hosts/far-1:revoke", headers=installation).status_code == 204
    problem_of(join(anonymous, secret, nonce=nonce), 409, "enrolment_used")


def test_an_unknown_a_revoked_and_an_expired_enrolment_look_the_same(
    anonymous: TestClient, installation: dict[str, str], settings: Settings
) -> None:
    revoked, expired = enrolment(anonymous, installation), enrolment(anonymous, installation)
    for _ in range(2):
        path = f"{ENROLMENTS}/{revoked['id']}"
        assert anonymous.delete(path, headers=installation).status_code == 204
    sql(settings, "UPDATE enrolment SET expires_at = clock_timestamp() WHERE id = :id", id=expired["id"])
    answers = [
        problem_of(join(anonymous, secret), 410, "gone")
        for secret in (new_token(ENROLMENT), revoked["secret"], expired["secret"])
    ]
    assert answers[0]["detail"] == answers[1]["detail"] == answers[2]["detail"]
    states = [entry["state"] for entry in anonymous.get(ENROLMENTS, headers=installation).json()["data"]]
    assert states == ["expired", "revoked"]


def test_a_used_enrolment_is_no_longer_revoked(anonymous: TestClient, installation: dict[str, str]) -> None:
    made = enrolment(anonymous, installation)
    join(anonymous, made["secret"])
    answer = anonymous.delete(f"{ENROLMENTS}/{made['id']}", headers=installation)
    problem_of(answer, 404, "not_found")


@pytest.mark.parametrize("name", ["far-1", "FAR-1"])
def test_two_hosts_of_one_name(anonymous: TestClient, installation: dict[str, str], name: str) -> None:
    HttpWorker.joined(anonymous, installation, "far-1")
    secret = enrolment(anonymous, installation)["secret"]
    problem_of(join(anonymous, secret, name), 409, "host_name_taken")
    assert join(anonymous, secret, "far-2").status_code == 201  # the refusal has not used it up


def test_two_hosts_of_one_name_join_at_once(anonymous: TestClient, installation: dict[str, str]) -> None:
    secrets_ = [enrolment(anonymous, installation)["secret"] for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda secret: join(anonymous, secret), secrets_))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5


def test_the_name_of_the_servers_own_worker_is_taken_and_the_other_way_round(
    anonymous: TestClient, installation: dict[str, str], worker: Worker, settings: Settings
) -> None:
    secret = enrolment(anonymous, installation)["secret"]
    problem_of(join(anonymous, secret, "bench-1"), 409, "host_name_taken")
    HttpWorker.joined(anonymous, installation, "far-1")
    with (
        pytest.raises(Exception, match="an enrolled host has the name far-1"),
        session_scope(settings) as session,
    ):
        hosts.announce(session, "far-1", {}, {})


def test_the_host_of_imported_logs_may_join(
    anonymous: TestClient, installation: dict[str, str], settings: Settings
) -> None:
    with session_scope(settings) as session:
        imported = hosts.imported_host(session, "far-1")
    assert HttpWorker.joined(anonymous, installation, "far-1").host_id == imported


def test_a_host_that_left_joins_again_and_keeps_its_runs(
    anonymous: TestClient, installation: dict[str, str], far: HttpWorker
) -> None:
    assert far.send("DELETE", "/host").status_code == 204
    problem_of(far.send("DELETE", "/host"), 401, "unauthenticated")
    again = HttpWorker.joined(anonymous, installation, "far-1")
    assert again.host_id == far.host_id and again.token != far.token
    problem_of(far.announce(), 401, "unauthenticated")


def test_a_host_that_left_is_given_no_work_and_is_not_counted(
    api: TestClient,
    worker: Worker,
    anonymous: TestClient,
    installation: dict[str, str],
    owner_settings: Settings,
) -> None:
    """A run on it would wait for ever; with one host left, none needs to be named."""
    far = HttpWorker.joined(anonymous, installation, "far-1")
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url = f"/api/v1/experiments/{experiment}"
    change_host(owner_settings, "far-1", labels="'[\"metal\"]'")
    problem_of(api.post(f"{url}/runs"), 422, "missing")
    assert far.send("DELETE", "/host").status_code == 204
    labelled = {"host_label": "metal"}
    for operation, body, pointer in (
        ("runs", {"host": "far-1"}, "/host"),
        ("runs", {"host": "bench-1", "client_host": "far-1"}, "/client_host"),
        ("run-groups", {"hosts": ["bench-1", "far-1"]}, "/hosts/1"),
    ):
        [error] = problem_of(api.post(f"{url}/{operation}", json=body), 422, "host_left")["errors"]
        assert error["pointer"] == pointer and "let it join again" in error["detail"]
    problem_of(api.post(f"{url}/run-groups", json=labelled), 422, "unknown_label")
    change_host(owner_settings, "bench-1", labels="'[\"metal\"]'")
    group = api.post(f"{url}/run-groups", json=labelled).json()
    assert [member["host"] for member in group["members"]] == ["bench-1"]
    change_host(owner_settings, "far-1", drained_at="clock_timestamp()")
    left = next(host for host in api.get("/api/v1/hosts").json()["data"] if host["name"] == "far-1")
    assert (left["access"], left["pause"]) == ("revoked", None), "it does not wait to be resumed"
    assert api.post(f"{url}/runs").json()["host"] == "bench-1"


def test_where_every_host_has_left_the_named_one_is_the_reason(
    api: TestClient, anonymous: TestClient, installation: dict[str, str]
) -> None:
    far = HttpWorker.joined(anonymous, installation, "far-1")
    url = f"/api/v1/experiments/{api.post('/api/v1/experiments', json=DOCUMENT).json()['id']}/runs"
    assert far.send("DELETE", "/host").status_code == 204
    problem_of(api.post(url, json={"host": "far-1"}), 422, "host_left")
    assert "start a worker" in problem_of(api.post(url), 409, "conflict")["detail"]


def test_an_enrolment_for_one_name(anonymous: TestClient, installation: dict[str, str]) -> None:
    secret = enrolment(anonymous, installation, host_name="metal")["secret"]
    problem_of(join(anonymous, secret, "far-1"), 409, "enrolment_of_another_name")
    assert join(anonymous, secret, "metal").status_code == 201


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "-a",
        "a b",
        "a/b",
        "../x",
        "a" * 64,
        "häuschen",
        "a\n",
        "a\x00",
        "x;reboot",
        "enrolments",
        "Enrolments",
        "${HOME}",
        7,
        None,
    ],
)
def test_a_name_with_bad_characters(
    anonymous: TestClient, installation: dict[str, str], settings: Settings, name: Any
) -> None:
    secret = enrolment(anonymous, installation)["secret"]
    assert join(anonymous, secret, name).status_code == 422
    assert sql(settings, "SELECT count(*) FROM host") == [(0,)]
    assert join(anonymous, secret).status_code == 201


def test_a_worker_of_another_protocol_does_not_join(
    anonymous: TestClient, installation: dict[str, str]
) -> None:
    secret = enrolment(anonymous, installation)["secret"]
    old = problem_of(join(anonymous, secret, protocol=0), 426, "worker_outdated")
    assert "./scripts/join" in old["detail"]
    problem_of(join(anonymous, secret, protocol=2), 426, "worker_too_new")
    assert join(anonymous, secret).status_code == 201


def test_a_thousand_guesses(settings: Settings, installation: dict[str, str]) -> None:
    """A few are answered, the rest refused; an enrolled host at the same address works on."""
    strict = settings.model_copy(update={"rate_secret_guesses": "1/h burst 30"})
    with TestClient(create_app(strict), base_url=BASE) as api:
        secret = enrolment(api, installation)["secret"]
        far = HttpWorker.joined(api, installation)
        statuses = [join(api, new_token(ENROLMENT)).status_code for _ in range(1000)]
        assert statuses.count(410) == 30 and statuses.count(429) == 970
        problem_of(join(api, secret, "far-2"), 429, "rate_limited")
        assert far.announce().status_code == 200
    assert sql(settings, "SELECT count(*) FROM host_token") == [(1,)]


def test_what_is_no_secret_costs_a_guess_too(anonymous: TestClient) -> None:
    for secret in ("", "x" * 129):
        assert join(anonymous, secret).status_code == 422
    problem_of(join(anonymous, digest("x")), 410, "gone")
    problem_of(anonymous.post(f"{WORKER}/enrolment", json={"secret": "x", "name": "a"}), 422, "invalid")
