"""The structure of compose.yaml: services, dependencies, and no open port."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import make_url

from backend import worker_container
from backend.settings import Settings
from scripts.compose import joined, prepare
from scripts.starter import environment, postgres
from tests.scripts.shell import ROOT
from worker.host import time_limits

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
TIME_FACTOR = time_limits.SETTING


def test_the_services_are_those_of_the_starter_and_the_migration() -> None:
    always = {"prepare", "postgres", "redis", "roles", "migrate", "api", "worker"}
    assert {name for name, service in SERVICES.items() if "profiles" not in service} == always
    assert SERVICES["tls"]["profiles"] == ["tls"] and SERVICES["backup"]["profiles"] == ["backup"]
    assert set(SERVICES) == always | {"tls", "backup"}


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_dependency_has_a_healthcheck_or_completes(name: str) -> None:
    for needed, how in SERVICES[name].get("depends_on", {}).items():
        if how["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[needed]
        else:
            assert how["condition"] == "service_completed_successfully"


def test_the_reverse_proxy_waits_for_the_api_as_long_as_whoever_starts_it() -> None:
    """`up --wait` fails at once where a running service is unhealthy, as it was after a restore of 45 s."""

    def patience_s(service: str) -> int:
        check = SERVICES[service]["healthcheck"]
        return int(check["interval"].removesuffix("s")) * int(check["retries"])

    assert "/healthz" in SERVICES["tls"]["healthcheck"]["test"][1]
    assert patience_s("tls") >= patience_s("api") == 300


def test_the_api_has_every_limit_that_is_set_and_its_own_default_for_the_others() -> None:
    given = SERVICES["api"]["environment"]
    limits = {f"PLIMSOLL_{name}" for name in environment.OF_LIMITS}
    assert len(limits) == 13 and limits <= set(given)
    assert all(given[name] is None for name in limits)  # "" would be a value, and refused
    assert set(SERVICES["worker"]["environment"]) - {TIME_FACTOR} == set(given) - limits


def test_the_worker_has_the_time_factor_of_a_slow_host_and_no_other_service_reads_it() -> None:
    given = {name: service.get("environment", {}).get(TIME_FACTOR) for name, service in SERVICES.items()}
    assert {name: value for name, value in given.items() if value is not None} == {
        "worker": "${PLIMSOLL_TIME_FACTOR:-1}"
    }
    assert f"| `{TIME_FACTOR}` |" in (ROOT / "docs/server.md").read_text()
    assert ("--env", TIME_FACTOR) in list(itertools.pairwise(shlex.split(worker_container.run_command())))


def test_no_port_is_published_and_the_databases_have_no_network() -> None:
    assert all("ports" not in service for service in SERVICES.values())
    assert SERVICES["postgres"]["network_mode"] == SERVICES["redis"]["network_mode"] == "none"
    assert SERVICES["api"]["environment"]["PLIMSOLL_LISTEN_HOST"] == "127.0.0.1"


def test_the_environment_is_what_the_settings_accept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SERVICES["worker"]["environment"].items():
        if name.startswith("PLIMSOLL_"):
            assert name.removeprefix("PLIMSOLL_").lower() in Settings.model_fields
            if not value.startswith("${"):
                monkeypatch.setenv(name, value)
    assert Settings().listen_host == "127.0.0.1"


def test_a_worker_of_another_server_gets_from_its_host_what_the_servers_own_gets() -> None:
    given = shlex.split(worker_container.run_command())
    options = list(itertools.pairwise(given))
    own = SERVICES["worker"]
    assert [value for name, value in options if name == "--cap-add"] == own["cap_add"]
    assert [value for name, value in options if name == "--security-opt"] == own["security_opt"]
    assert {("--network", "host"), ("--pid", own["pid"]), ("--cgroupns", own["cgroup"])} < set(options)
    assert ("--tmpfs", own["tmpfs"][0]) in options and ("--restart", own["restart"]) in options
    assert ("--stop-timeout", own["stop_grace_period"].removesuffix("s")) in options
    folders = [volume for volume in own["volumes"] if volume.startswith("/")]
    assert [value for name, value in options if name == "--volume"][1:] == folders
    assert ("/var/lib/plimsoll", own["image"]) == (joined.VAR, worker_container.IMAGE)


def test_compose_1_shows_what_is_needed() -> None:
    """Compose 1.29 knows no project name in the file; it interpolates before it validates."""
    needed = "${COMPOSE_PROJECT_NAME:?this file needs Docker Compose 2.26 or newer; see docs/server.md}"
    assert next(iter(SERVICES)) == "prepare"
    assert SERVICES["prepare"]["labels"] == {"org.plimsoll.project": needed}
    assert "name" not in COMPOSE, "1.29 rejects it before that"


def test_one_service_builds_the_image_of_all_others() -> None:
    assert [name for name, service in SERVICES.items() if "build" in service] == ["prepare"]
    servers = {"postgres": "postgres:17", "redis": "redis:8"}
    for name, service in SERVICES.items():
        assert plain(service["image"]) == servers.get(name, "plimsoll") and "pull_policy" not in service
    dockerfile = (ROOT / "scripts/compose/Dockerfile").read_text()
    base_images = (ROOT / "scripts/compose/base-images").read_text()
    [base] = re.findall(r"^ARG DEBIAN_IMAGE=(\S+)$", dockerfile, re.M)
    assert re.findall(r"^FROM (\S+)", dockerfile, re.M)[0] == "${DEBIAN_IMAGE}"
    assert plain(SERVICES["prepare"]["build"]["args"]["DEBIAN_IMAGE"]) == base
    for image in (base, *servers.values()):
        assert f"\nimage {image} " in base_images
    for local in (ROOT / "scripts/compose/local").glob("*.Dockerfile"):
        assert f"FROM {base}\n" in local.read_text()
    assert set(SERVICES["prepare"]["build"]["secrets"]) == set(COMPOSE["secrets"])
    assert (ROOT / "scripts/compose/empty").read_bytes() == b""
    mounted_in_build = set(re.findall(r"--mount=type=secret,id=(\w+)", dockerfile))
    assert mounted_in_build == set(COMPOSE["secrets"])


def test_every_image_of_a_registry_can_be_named_by_its_digest(tmp_path: Path) -> None:
    """The default is a tag: scripts/compose/base-images makes the images where no registry answers."""
    named = {SERVICES[name]["image"] for name in ("postgres", "redis")}
    named.add(SERVICES["prepare"]["build"]["args"]["DEBIAN_IMAGE"])
    variables = dict(re.fullmatch(r"\$\{(\w+):-(\S+)\}", image).groups() for image in named)  # type: ignore[union-attr]
    docker = tmp_path / "docker"
    docker.write_text(
        "#!/bin/sh\n"
        '[ "$1" = pull ] && { echo "pulled $3" >&2; exit 0; }\n'
        "for tag; do :; done\n"
        "case $tag in redis:*) exit 0;; esac\n"
        'echo "${tag%%:*}@sha256:$(printf %064d 1)"\n'
    )
    docker.chmod(0o755)
    found = subprocess.run(
        [ROOT / "scripts/compose/pin"],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = dict(line.split("=", 1) for line in found.stdout.splitlines() if not line.startswith("#"))
    digest = f"@sha256:{1:064d}"
    without_redis = {name: tag for name, tag in variables.items() if not tag.startswith("redis:")}
    assert lines == {name: tag.partition(":")[0] + digest for name, tag in without_redis.items()}
    assert "# redis:8 has no digest" in found.stdout, "an image that was made here"


def test_every_volume_is_declared() -> None:
    named = {
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in map(plain, service["volumes"])
        if not volume.startswith(("/", "./"))
    }
    assert named == set(COMPOSE["volumes"])


def plain(value: str) -> str:
    """A value with the defaults of its variables."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


def mounted(volume: str) -> set[str]:
    """The services that have a volume."""
    return {
        name
        for name, service in SERVICES.items()
        if any(entry.split(":")[0] == volume for entry in service["volumes"])
    }


def test_the_api_has_no_privilege() -> None:
    api = SERVICES["api"]
    assert api["user"] == f"{prepare.API}:{prepare.API}"
    assert api["cap_drop"] == ["ALL"] and "cap_add" not in api
    assert api["security_opt"] == ["no-new-privileges:true"]
    assert api["read_only"] is True and api["tmpfs"] == ["/tmp"]
    assert {volume.split(":")[0] for volume in api["volumes"]} == {
        *("postgres-socket", "redis-socket", "api-settings", "front"),
    }
    assert "front:/front:ro" in api["volumes"], "the certificate of the TLS front, without its key"


def test_only_the_worker_may_change_the_host_and_nobody_has_a_docker_socket() -> None:
    for name, service in SERVICES.items():
        assert "docker.sock" not in str(service)
        assert "privileged" not in service and "devices" not in service
        if name != "worker":
            assert service["cap_drop"] == ["ALL"]
            assert service["security_opt"] == ["no-new-privileges:true"]
        if name not in ("worker", "api", "tls"):
            assert service["network_mode"] == "none"
        if name not in ("worker", "postgres", "redis"):
            assert service["read_only"] is True


def test_each_service_has_its_own_settings_and_no_password_is_in_the_file() -> None:
    for name in ("api", "worker", "postgres", "redis"):
        assert mounted(f"{name}-settings") == {"prepare", name}
    assert mounted("migrate-settings") == {"prepare", "migrate", "backup"}
    assert mounted("secrets") == {"prepare", "roles"}
    assert mounted("redis") == {"redis"}
    text = (ROOT / "compose.yaml").read_text()
    assert "trust" not in text and "DATABASE_URL" not in text


def test_postgresql_and_redis_are_the_user_that_reads_their_settings() -> None:
    for name in ("postgres", "redis"):
        assert SERVICES[name]["user"] == f"{prepare.SERVER}:{prepare.SERVER}"
    assert {"hba_file=/settings/pg_hba.conf", "ident_file=/settings/pg_ident.conf"} <= set(
        SERVICES["postgres"]["command"]
    )


def test_only_a_server_may_make_sockets() -> None:
    """A client that could make one would pose as the server, and get the others' passwords."""
    for socket, server in (("postgres-socket", "postgres"), ("redis-socket", "redis")):
        for name, service in SERVICES.items():
            for volume in service["volumes"]:
                source, target, *mode = volume.split(":")
                if source != socket or name == "prepare":
                    continue
                if name != server:
                    assert mode == ["ro"], (name, volume)
                elif server == "postgres":  # its image has this folder, open to everyone
                    assert mode == ["nocopy"] and target == "/var/run/postgresql"
    assert "cap_add" not in SERVICES["postgres"], "the entry point cannot change the mode of root's folder"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to other users")
def test_the_settings_are_made_once_and_each_for_its_own_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SECRETS", "SETTINGS", "SOCKETS"):
        monkeypatch.setattr(prepare, name, tmp_path / name.lower())
    (tmp_path / "settings").mkdir()
    for server in ("redis", "postgres"):
        (tmp_path / "sockets" / server).mkdir(parents=True)
    (tmp_path / "sockets/postgres").chmod(0o3777)  # as an earlier release left it
    monkeypatch.setenv("PLIMSOLL_HOST_NAME", "bench-1")
    prepare.main()
    made = {path.name: path.stat() for path in (tmp_path / "sockets").iterdir()}
    owners = {name: (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) for name, found in made.items()}
    assert owners == {"redis": (prepare.SERVER, prepare.API, 0o710), "postgres": (0, prepare.SERVER, 0o771)}
    found = {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    prepare.main()
    assert {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file()} == found
    for name, owner in (("api", prepare.API), ("worker", 0), ("migrate", 0)):
        file = tmp_path / "settings" / name / "environment"
        assert (file.stat().st_uid, stat.S_IMODE(file.stat().st_mode)) == (owner, 0o600)
        shell = f'. "{file}" && printf %s "$PLIMSOLL_DATABASE_URL"'
        url = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True).stdout
        assert make_url(url).username == f"plimsoll_{name}"
        assert make_url(url).query["require_auth"] == "scram-sha-256"
        assert "export PGREQUIREAUTH=scram-sha-256\n" in file.read_text()
        assert make_url(url).password == (tmp_path / "secrets" / f"plimsoll_{name}").read_text().strip()
    for server, files in (
        ("postgres", {"pg_hba.conf": postgres.HBA, "pg_ident.conf": postgres.IDENT}),
        ("redis", {}),
    ):
        folder = tmp_path / "settings" / server
        assert {path.stat().st_uid for path in (folder, *folder.iterdir())} == {prepare.SERVER}
        for file_name, text in files.items():
            assert (folder / file_name).read_text() == text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to other users")
def test_each_installation_has_an_id_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker and reaper find engines, namespaces and cgroups by it."""
    found = set()
    for name in ("first", "second"):
        monkeypatch.setattr(prepare, "SECRETS", tmp_path / name)
        prepare.secret(tmp_path / name, "any")
        settings = prepare._of_installation()
        assert prepare._of_installation() == settings
        assert settings["PLIMSOLL_RUNTIME_DIR"] == f"/run/plimsoll-{settings['PLIMSOLL_INSTALL_ID']}"
        found.add(settings["PLIMSOLL_INSTALL_ID"])
    assert len(found) == 2
