"""What each process is given: its own settings and its own passwords."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest
from sqlalchemy import make_url

from scripts.starter import environment, time_limits
from scripts.starter.layout import Layout
from scripts.starter.once import run_once
from scripts.starter.secret_files import secret
from scripts.starter.terminal import Refusal
from tests.scripts.shell import ROOT


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    found = Layout(tmp_path, tmp_path / "var", tmp_path / "run", "0a1b2c", 8420)
    found.var.mkdir()
    return found


def test_children_get_their_paths_and_no_setting_of_an_outer_installation(
    place: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIMSOLL_DATABASE_URL", "postgresql://elsewhere")
    monkeypatch.setenv("PLIMSOLL_SOMETHING", "x")
    found = environment.of_api(place)
    assert found["PLIMSOLL_PORT"] == "8420"
    assert found["PLIMSOLL_LISTEN_HOST"] == "127.0.0.1"
    url = make_url(found["PLIMSOLL_DATABASE_URL"])
    assert url.query["host"] == str(place.postgres_socket)
    assert "PLIMSOLL_SOMETHING" not in found


def test_each_process_has_a_role_and_a_password_of_its_own(place: Layout) -> None:
    found = {
        make_url(variables(place)["PLIMSOLL_DATABASE_URL"]).username: variables(place)
        for variables in (environment.of_api, environment.of_worker, environment.of_migration)
    }
    assert set(found) == {"plimsoll_api", "plimsoll_worker", "plimsoll_migrate"}
    secrets = {path.name: path.read_text().strip() for path in place.secrets.iterdir()}
    assert len(set(secrets.values())) == len(secrets)
    for role, variables in found.items():
        text = "\n".join(variables.values())
        for name, password in secrets.items():
            own = name in (role, role.replace("plimsoll_", "redis_"))
            assert (password in text) is own, f"{role} and the secret {name}"


def test_the_api_knows_no_folder_of_the_worker(place: Layout) -> None:
    found = environment.of_api(place)
    assert not {"PLIMSOLL_VAR_DIR", "PLIMSOLL_RUNTIME_DIR", "PLIMSOLL_PROXY_PROGRAMS"} & set(found)


def test_what_the_host_has_is_passed_on_to_the_worker(place: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLIMSOLL_HOST_DOCKER_SOCKET", raising=False)
    monkeypatch.setenv("PLIMSOLL_PROXY_PROGRAMS", "mine=/opt/mine")
    found = environment.of_worker(place)
    assert found["PLIMSOLL_PROXY_PROGRAMS"] == "mine=/opt/mine"
    assert "PLIMSOLL_HOST_DOCKER_SOCKET" not in found


def test_a_secret_is_random_made_once_and_private(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    first = secret(folder, "one")
    assert len(first) >= 43 and secret(folder, "one") == first != secret(folder, "two")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "one")] == [0o700, 0o600]
    assert sorted(path.name for path in folder.iterdir()) == ["one", "two"]


def test_an_empty_secret_of_a_full_disk_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "one").touch()
    assert secret(tmp_path, "one")


def test_settings_of_logs_and_metrics_reach_both_services(
    place: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in environment.OF_THE_OPERATOR:
        monkeypatch.setenv(f"PLIMSOLL_{name}", f"my-{name}")
    for found in (environment.of_api(place), environment.of_worker(place)):
        assert all(found[f"PLIMSOLL_{name}"] == f"my-{name}" for name in environment.OF_THE_OPERATOR)


def test_every_limit_of_the_documentation_reaches_the_api(
    place: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    documented = set(re.findall(r"PLIMSOLL_RATE_[A-Z_]+", (ROOT / "docs/limits.md").read_text()))
    assert len(documented) == 6
    documented |= {"PLIMSOLL_QUOTA_STORED_BYTES", "PLIMSOLL_QUOTA_OPEN_STREAMS"}
    for name in documented:
        monkeypatch.setenv(name, "off")
    assert environment.of_api(place).items() >= dict.fromkeys(documented, "off").items()
    assert not documented & set(environment.of_worker(place))


@pytest.mark.parametrize(("text", "factor"), [("", 1.0), ("1", 1.0), ("2.5", 2.5), ("20", 20.0)])
def test_the_time_factor_is_read(monkeypatch: pytest.MonkeyPatch, text: str, factor: float) -> None:
    monkeypatch.setenv("PLIMSOLL_TIME_FACTOR", text)
    assert time_limits.time_factor() == factor


def test_a_command_of_the_start_has_more_time_on_a_slow_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    argv, given = ("sh", "-c", "sleep 0.5; echo done"), {"PATH": os.environ["PATH"]}
    monkeypatch.setenv("PLIMSOLL_TIME_FACTOR", "1.5")
    with pytest.raises(
        Refusal, match=r"^initdb took longer than 0.15 s; .*, and on a slow host, set .* to 3$"
    ):
        run_once("initdb", argv, given, tmp_path / "log", 0.1)
    monkeypatch.setenv("PLIMSOLL_TIME_FACTOR", "20")
    assert run_once("initdb", argv, given, tmp_path / "log", 1.0) == "done\n"


@pytest.mark.parametrize("text", ["0.5", "21", "two", "-1", "nan", "1e1", "1" * 100])
def test_another_time_factor_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PLIMSOLL_TIME_FACTOR", text)
    with pytest.raises(Refusal, match=r"PLIMSOLL_TIME_FACTOR is a number from 1 to 20, and not"):
        time_limits.time_factor()
