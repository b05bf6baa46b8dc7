"""The structure of compose.yaml: services, dependencies, and no open port."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from backend.settings import Settings
from tests.scripts.shell import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def test_the_services_are_those_of_the_starter_and_the_migration() -> None:
    assert set(SERVICES) == {"postgres", "redis", "migrate", "api", "worker"}
    assert "name" not in COMPOSE


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_dependency_has_a_healthcheck_or_completes(name: str) -> None:
    for needed, how in SERVICES[name].get("depends_on", {}).items():
        if how["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[needed]
        else:
            assert how["condition"] == "service_completed_successfully"


def test_no_port_is_published_and_the_databases_have_no_network() -> None:
    assert all("ports" not in service for service in SERVICES.values())
    assert SERVICES["postgres"]["network_mode"] == SERVICES["redis"]["network_mode"] == "none"
    assert SERVICES["api"]["environment"]["PLIMSOLL_LISTEN_HOST"] == "127.0.0.1"


def test_the_environment_is_what_the_settings_accept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SERVICES["worker"]["environment"].items():
        assert name.removeprefix("PLIMSOLL_").lower() in Settings.model_fields
        if not value.startswith("${"):
            monkeypatch.setenv(name, value)
    assert Settings().install_id in str(Settings().runtime_dir)


def test_every_volume_is_declared() -> None:
    named = {
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in service["volumes"]
        if not volume.startswith("/")
    }
    assert named == set(COMPOSE["volumes"])
