"""The privileges of the running product, started by scripts/up, and a run that works with them."""

from __future__ import annotations

import json
import re
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2

from backend.api.access.rules import OBJECTS, RULES
from backend.cli import local_access
from scripts.starter.layout import mount_points
from scripts.starter.postgres import binaries
from scripts.starter.sandbox import api_uid
from tests.live.engine_calls import EngineCalls, logging_calls
from tests.live.product.installation import Product, terminal
from tests.scripts.waiting import eventually

POST_LIMIT_S = 60.0
OF_THE_HOST = ("/run/docker.sock", "/run/containerd/containerd.sock")
NOT_PRIVATE = {"engines", "images", "postgres", "redis"}
"""Below these, closed themselves, are file systems of containers and the files of other users."""

PROBE = """
import errno, json, os, socket, sys
def outcome(action):
    try:
        action()
        return "done"
    except OSError as error:
        return errno.errorcode[error.errno]
def connect(path):
    socket.socket(socket.AF_UNIX).connect(path)
kinds = {"connect": connect, "read": lambda p: open(p).read(1), "list": os.listdir,
         "write": lambda p: open(p, "w")}
print(json.dumps([outcome(lambda: kinds[kind](path)) for kind, path in json.loads(sys.argv[1])]))
"""


def runtime(product: Product) -> Path:
    return Path("/run", f"plimsoll-{product.install_id}")


def api_pid(product: Product) -> int:
    return int((runtime(product) / "api.pid").read_text().split()[0])


def status(product: Product) -> dict[str, str]:
    lines = Path(f"/proc/{api_pid(product)}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def as_api(product: Product, *attempts: tuple[str, str]) -> list[str]:
    """What a process with the API's user, privileges and mounts gets for each attempt."""
    uid = str(api_uid(product.install_id))
    inside = ["nsenter", "--target", str(api_pid(product)), "--mount", "--"]
    limited = ["setpriv", "--reuid", uid, "--regid", uid, "--clear-groups", "--bounding-set=-all"]
    argv = [*inside, *limited, "--no-new-privs", "--", "/usr/bin/python3", "-c", PROBE, json.dumps(attempts)]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=30, cwd="/")
    found: list[str] = json.loads(done.stdout)
    return found


def test_the_api_is_its_own_user_without_capabilities(product: Product) -> None:
    found = status(product)
    assert set(found["Uid"].split()) == set(found["Gid"].split()) == {str(api_uid(product.install_id))}
    assert found["Groups"] == ""
    assert {found[f"Cap{kind}"] for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert found["NoNewPrivs"] == "1"


def test_no_engine_answers_the_api(product: Product) -> None:
    sockets = sorted(map(str, (runtime(product) / "engines").glob("*/*.sock")))
    assert len(sockets) >= 4, "two engines, each with a containerd"
    sockets += [
        path for path in ("/run/docker.sock", "/run/containerd/containerd.sock") if Path(path).exists()
    ]
    assert as_api(product, *(("connect", path) for path in sockets)) == ["EACCES"] * len(sockets)


def test_the_api_reads_no_file_of_the_installation(product: Product) -> None:
    for kind, path in (
        *(("list", product.var / name) for name in (".", "secrets", "spool", "log", "postgres", "redis")),
        *(("read", product.var / name) for name in ("secrets/plimsoll_worker", "ledger.jsonl", "install-id")),
        ("read", runtime(product) / "worker.lock"),
        ("list", runtime(product)),
        ("read", Path(f"/proc/{product.worker_pid()}/environ")),
    ):
        assert Path(path).exists()
        assert as_api(product, (kind, str(path))) == ["EACCES"], path


def test_the_api_cannot_change_the_code(product: Product) -> None:
    code = runtime(product) / "code"
    paths = [code / "backend/settings.py", code / "backend/more.py", code / ".venv/pyvenv.cfg", code / "more"]
    assert as_api(product, *(("write", str(path)) for path in paths)) == ["EROFS"] * 4
    assert not [point for point in mount_points() if point.startswith(str(code))], "mounted on the host"


def test_each_process_knows_its_own_passwords_only(product: Product) -> None:
    secrets = {path.name: path.read_text().strip() for path in (product.var / "secrets").iterdir()}
    for pid, own in (
        (api_pid(product), {"plimsoll_api", "redis_api"}),
        (product.worker_pid(), {"plimsoll_worker", "redis_worker"}),
    ):
        environment = Path(f"/proc/{pid}/environ").read_text()
        assert {name for name, secret in secrets.items() if secret in environment} == own
        command = Path(f"/proc/{pid}/cmdline").read_text()
        assert not [name for name, secret in secrets.items() if secret in command]
    assert "SECRET_OF_ROOT" not in Path(f"/proc/{api_pid(product)}/environ").read_text()


def test_a_run_works_to_a_proven_result(product: Product, study: dict[str, Any]) -> None:
    assert study["state"] == "done"
    trials = product.get(f"/runs/{study['id']}/trials")["data"]
    assert {trial["evidence_verdict"] for trial in trials} == {"proven"}


def refused_requests(product: Product) -> Iterator[httpx2.Response]:
    """Every operation without credentials, with wrong ones, from another site, and with hostile bodies."""
    document = httpx2.get(f"{product.url}/api/v1/openapi.json", timeout=30).json()
    hostile = {"host_config": {"Privileged": True}, "image": "evil", "command": "id", "host": "127.0.0.1"}
    foreign = product.headers() | {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    strangers = ({}, {"Authorization": f"Bearer plm_{'0' * 36}"}, {"Cookie": "plimsoll=x"}, foreign)
    with httpx2.Client(base_url=product.url, timeout=30) as client:
        for path, operations in document["paths"].items():
            url = re.sub(r"\{(\w+)\}", lambda name: f"{OBJECTS.get(name[1], 'x')}_{'0' * 16}", path)
            for method, described in operations.items():
                public = RULES[described["operationId"]].permission == "public"
                body = {"json": hostile} if "requestBody" in described else {}
                for headers in strangers if not public or body else ():
                    if headers is not foreign or method != "get":
                        yield client.request(method, url, headers=headers, **body)
                if body or ("{" in path and method != "get"):
                    yield client.request(method, url, headers=product.headers(), **body)
            yield client.request("BREW", url, headers=product.headers())


def test_no_refused_request_reaches_an_engine_or_the_queue(product: Product) -> None:
    with logging_calls(runtime(product), product.var):
        calls = EngineCalls(runtime(product), product.var)
        assert len(calls.settings) >= 2
        before = product.get("/runs"), product.get("/experiments")
        for answer in (found := list(refused_requests(product))):
            assert 400 <= answer.status_code < 500, (answer.request.url, answer.text)
            assert answer.status_code != 429, "refused by a limit, not for what it is"
            assert answer.headers["content-type"] == "application/problem+json"
        assert len(found) > 250
        assert (product.get("/runs"), product.get("/experiments")) == before
        assert calls.seen() == []
        counted = product.run("counted", rounds=1)
        posted = eventually(lambda: any(call.startswith("POST ") for call in calls.seen()), POST_LIMIT_S)
        assert posted, "what is admitted is counted"
    product.post(f"/runs/{counted}:cancel", {})
    product.await_run(counted, terminal)


def test_no_issued_token_is_in_dumps_or_logs(product: Product, study: dict[str, Any]) -> None:
    """Not the one in use, not that of a session, not those of links: only their hashes are stored."""
    access = local_access.read(product.var / local_access.FILE)
    assert access is not None
    link = access.sign_in_link.partition("#")[2]
    signed_in = httpx2.post(f"{product.url}/api/v1/sessions", json={"link": link}, timeout=30)
    assert signed_in.status_code == 204, signed_in.text
    shares = [product.post(f"/runs/{study['id']}/shares", {"kind": kind}) for kind in ("private", "unfurl")]
    for share in shares:
        page = share["absolute_url"].replace("/shared#", "/api/v1/public/").partition("#")[0]
        httpx2.get(page, timeout=30)
    issued = [access.token, link, *signed_in.cookies.values(), *(share["token"] for share in shares)]
    assert len(issued) >= 5 and all(len(token) >= 20 for token in issued)
    places = {
        "the database": _dump(product),
        "Redis": b"".join(p.read_bytes() for p in (product.var / "redis").rglob("*") if p.is_file()),
        "the logs": b"".join(log.read_bytes() for log in (product.var / "log").rglob("*.log*")),
    }
    for place, content in places.items():
        assert len(content) > 1000, place
        assert not [token for token in issued if token.encode() in content], place


def _dump(product: Product) -> bytes:
    programs = binaries(product.var / "postgres")
    options = ["--host", str(runtime(product) / "postgres"), "--username", "postgres", "plimsoll"]
    return subprocess.run([programs / "pg_dump", *options], capture_output=True, check=True, cwd="/").stdout


def test_files_are_closed_and_logs_contain_no_password(product: Product) -> None:
    secrets = [path.read_text().strip() for path in (product.var / "secrets").iterdir()]
    assert len(secrets) >= 7
    for path in product.var.rglob("*"):
        top, *below = path.relative_to(product.var).parts
        if top not in NOT_PRIVATE or not below:
            assert path.is_symlink() or not stat.S_IMODE(path.stat().st_mode) & 0o077, path
    for log in (product.var / "log").glob("*.log"):
        text = log.read_text()
        assert not [secret for secret in secrets if secret in text], log
    assert not [secret for secret in secrets if secret in (product.var / "redis/users.acl").read_text()]
