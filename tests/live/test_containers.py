"""What Docker itself reports of each container, against the checked-in settings: closed by default."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.live.conftest import ROOT
from worker.engine import templates
from worker.host.environment import memory_of_host
from worker.trial.bench import Bench

GOLDEN = ROOT / "tests" / "golden" / "container_settings.json"
KEYS = (
    "Binds",
    "CapAdd",
    "CapDrop",
    "CgroupnsMode",
    "DeviceCgroupRules",
    "Devices",
    "IpcMode",
    "LogConfig",
    "NetworkMode",
    "PidMode",
    "PidsLimit",
    "PortBindings",
    "Privileged",
    "ReadonlyRootfs",
    "RestartPolicy",
    "SecurityOpt",
    "Sysctls",
    "UTSMode",
    "UsernsMode",
    "VolumesFrom",
)


@pytest.mark.parametrize("name", [templates.SERVER, templates.SIBLING, templates.ON_HOST])
@pytest.mark.parametrize("userland_proxy", [True, False])
def test_settings_are_the_golden_ones(bench: Bench, name: str, userland_proxy: bool) -> None:
    found: dict[str, Any] = bench.inspect(userland_proxy, name)
    settings = {key: found["HostConfig"].get(key) or None for key in KEYS} | {"User": found["Config"]["User"]}
    assert settings == json.loads(GOLDEN.read_text())[name]
    assert 0 < found["HostConfig"]["Memory"] <= memory_of_host() // 2
    assert not found["Mounts"] or {mount["Type"] for mount in found["Mounts"]} == {"tmpfs"}
