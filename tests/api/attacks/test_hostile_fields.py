"""Fields and values by which a request could reach a host: commands, images, settings, addresses."""

from __future__ import annotations

import json
import re
from typing import Any, Final
from urllib.parse import urlencode

import pytest

from backend.api.webhooks.destination import MAX_URL
from backend.core.definition.factors import FACTORS, Factor
from backend.core.definition.submitted import validate_document
from backend.core.errors import Invalid
from tests.api.attacks.arena import Arena
from tests.api.client import DOCUMENT
from tests.api.test_authorisation import OPERATIONS
from tests.api.test_webhook_destinations import NO_RECEIVERS, PRIVATE_ADDRESSES
from tests.services import ROOT

DOCUMENTED: Final[dict[str, Any]] = json.loads((ROOT / "docs" / "openapi.json").read_text())
PATHS: Final[dict[str, Any]] = DOCUMENTED["paths"]
READING_A_BODY: Final = [
    one
    for one in OPERATIONS
    if "requestBody" in PATHS[one.path][one.method.lower()] and not one.path.startswith("/api/v1/worker/")
]
"""Without those of workers: a worker of a later release may send more fields, which are ignored."""
OWNERSHIP: Final = {
    "team_id": "tem_1111111111111111",
    "owner": "eve",
    "account_id": "acc_1111111111111111",
    "state": "done",
    "fence": 99,
    "id": "run_0000000000000000",
    "created_at": "2000-01-01T00:00:00Z",
}
COMMANDS: Final = {
    "image": "evil/image:latest",
    "image_digest": "debian@sha256:" + "0" * 64,
    "command": ["sh", "-c", "id"],
    "entrypoint": "sh",
    "extra_args": ["--file=/etc/passwd"],
    "lua": "os.execute('id')",
    "env": {"LD_PRELOAD": "/tmp/x.so"},
    "environment": {"DOCKER_HOST": "tcp://10.0.0.1:2375"},
    "LD_PRELOAD": "/tmp/x.so",
    "DOCKER_HOST": "unix:///run/docker.sock",
    "user": "root",
    "workload": {"tool": "pgbench", "script": "\\shell id"},
}
CONTAINER: Final = {
    "host_config": {"Privileged": True},
    "HostConfig": {"Binds": ["/:/h"]},
    "privileged": True,
    "binds": ["/:/h"],
    "volumes": {"/": "/h"},
    "mounts": [{"type": "bind", "source": "/", "target": "/h"}],
    "pid_mode": "host",
    "ipc_mode": "host",
    "network_mode": "container:0123456789ab",
    "network": "host",
    "cap_add": ["SYS_ADMIN"],
    "devices": ["/dev/sda"],
    "sysctls": {"kernel.core_pattern": "|/bin/sh"},
    "security_opt": ["seccomp=unconfined"],
    "userns_mode": "host",
    "runtime": "runc",
    "cgroup_parent": "/",
    "ports": {"22/tcp": 22},
}
ADDRESSES: Final = {
    "target": "127.0.0.1",
    "address": "169.254.169.254",
    "url": "http://localhost:2375/",
    "port": 2375,
    "hostname": "localhost.",
    "targets": ["::1"],
}
NUMBERS: Final[tuple[Any, ...]] = (
    "8", "8; id", "$(id)", "`id`", "8\n9", "--file=/etc/passwd", "8\u0000", 1e9, -1, 2**31, 2**63, 10**30,
    8.0, 8.5, True, None, [], {}, [[8]], {"from": 1}, {"from": 1, "to": 10**9, "step": 1},
)  # fmt: skip
TEXTS: Final[tuple[Any, ...]] = (
    "$(id)", "; id", "a b", "-c", "--help", "../../etc/passwd", "..", "/bin/sh", "a\nb", "a\u0000b", "A",
    "%2e%2e", "container:0123456789ab", "127.0.0.1", "2130706433", "http://localhost:2375/", "x" * 10_000,
    5, None, {},
)  # fmt: skip


@pytest.mark.parametrize(
    "fields", [OWNERSHIP, COMMANDS, CONTAINER, ADDRESSES], ids=["owner", "command", "container", "address"]
)
def test_every_body_refuses_fields_that_it_does_not_have(arena: Arena, fields: dict[str, Any]) -> None:
    before = arena.state()
    for operation in READING_A_BODY:
        described = PATHS[operation.path][operation.method.lower()]["requestBody"]["content"]
        own = properties_of(described["application/json"]["schema"])
        strange = {name: value for name, value in fields.items() if name not in own}
        url = operation.url(arena.own)
        answer = arena.api.request(operation.method, url, json=strange, headers=arena.callers["installation"])
        assert answer.status_code == 422, (operation.id, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"
        unknown = {p["pointer"] for p in answer.json()["errors"] if p["code"] == "unknown_field"}
        assert unknown == {f"/{name}" for name in strange}, (operation.id, answer.text)
        entry = (operation.id, 422, answer.json()["code"])
        assert arena.audited(answer.headers["x-request-id"]) == [entry]
    assert arena.state() == before


def properties_of(schema: dict[str, Any]) -> set[str]:
    """The names of a body's fields."""
    schemas = DOCUMENTED["components"]["schemas"]
    found: set[str] = set()
    for part in [schema, *schema.get("anyOf", ())]:
        name = part.get("$ref", "").rpartition("/")[2]
        found |= schemas.get(name, {}).get("properties", {}).keys()
    return found


def is_level(factor: Factor, value: Any) -> bool:
    """Whether the value is one that the factor may have, on a host where it is registered."""
    if factor.pattern and isinstance(value, str):
        return re.fullmatch(factor.pattern, value) is not None and len(value) <= 255
    return type(value) is type(factor.default) and value in factor.choices


def test_a_level_is_one_of_its_factor_and_nothing_else() -> None:
    for name, factor in FACTORS.items():
        for value in NUMBERS if factor.maximum else TEXTS:
            if not is_level(factor, value):
                with pytest.raises(Invalid) as refused:
                    validate_document(DOCUMENT | {"factors": DOCUMENT["factors"] | {name: value}})
                found = [problem.pointer for problem in refused.value.problems]
                assert any(pointer.startswith(f"/factors/{name}") for pointer in found), (name, value)


def test_a_hostile_number_of_clients(arena: Arena) -> None:
    for value in NUMBERS:
        document = DOCUMENT | {"factors": DOCUMENT["factors"] | {"clients": value}}
        before = arena.state()
        for url, action in (("plans", "previewPlan"), ("experiments", "createExperiment")):
            answer = arena.api.post(f"/api/v1/{url}", json=document, headers=arena.callers["admin"])
            assert answer.status_code == 422
            entry = (action, 422, answer.json()["code"])
            assert arena.audited(answer.headers["x-request-id"]) == [entry]
        assert arena.state() == before


def test_a_document_has_no_further_fields_anywhere(arena: Arena) -> None:
    strange = COMMANDS | CONTAINER | ADDRESSES
    for part, values in (
        ("", strange),
        ("factors", dict.fromkeys(strange, "x")),
        ("baseline", dict.fromkeys(strange, "x")),
        ("quality", strange),
        ("stopping", strange),
    ):
        given = DOCUMENT | ({part: dict(DOCUMENT.get(part, {})) | values} if part else values)
        answer = arena.api.post("/api/v1/experiments", json=given, headers=arena.callers["admin"])
        assert answer.status_code == 422
        found = {each["pointer"] for each in answer.json()["errors"]}
        where = f"/{part}" if part else ""
        assert {f"{where}/{name}" for name in values} <= found, (part, answer.text)


HOSTS: Final = (
    "127.0.0.1", "::1", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "0x7f000001", "169.254.169.254",
    "localhost.", "localhost:2375", "unix:///run/docker.sock", "tcp://10.0.0.1:2375", "../bench-1",
    "bench-1/../x", "-H", "bench-1;id",
)  # fmt: skip


def test_a_run_names_a_registered_host_and_no_address(arena: Arena) -> None:
    """A definition and a start contain no address; a host has the name that its worker announced."""
    runs = f"/api/v1/experiments/{arena.own['experiment_id']}/runs"
    with arena.unchanged():
        for host in HOSTS:
            answer = arena.refused("POST", runs, 422, "unknown_host", action="startRun", json={"host": host})
            assert answer.json()["errors"][0]["pointer"] == "/host"
            plans = f"/api/v1/plans?{urlencode({'host': host})}"
            arena.refused("POST", plans, 422, "unknown_host", action="previewPlan", json=DOCUMENT)


def test_a_receiver_of_webhooks_is_never_an_address_of_the_hosts(arena: Arena) -> None:
    with arena.unchanged():
        for url in (*PRIVATE_ADDRESSES, *(url for url in NO_RECEIVERS if 0 < len(url) <= MAX_URL)):
            arena.refused(
                "POST",
                "/api/v1/webhooks",
                422,
                "target_not_allowed",
                action="createWebhook",
                json={"url": url},
            )


def test_the_network_of_the_host_needs_its_own_scope_and_an_open_host(arena: Arena) -> None:
    factors = DOCUMENT["factors"] | {"path": ["same_container", "host_network"]}
    document = DOCUMENT | {"name": "host-network", "factors": factors}
    made = arena.api.post("/api/v1/experiments", json=document, headers=arena.callers["admin"])
    runs = f"/api/v1/experiments/{made.json()['id']}/runs"
    arena.refused(
        "POST", runs, 403, "insufficient_scope", caller="token run:write", action="startRun", json={}
    )
    above = arena.callers["installation"]
    host = "/api/v1/hosts/bench-1"
    assert arena.api.patch(host, json={"host_network": False}, headers=above).status_code == 200
    try:
        arena.refused("POST", runs, 422, "mode_not_enabled", action="startRun", json={})
    finally:
        arena.api.patch(host, json={"host_network": True}, headers=above)
