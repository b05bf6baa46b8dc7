"""The systemd unit of a joined host's worker."""

from __future__ import annotations

import configparser
import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from backend.worker_protocol import EXIT_REJECTED
from scripts.joining import unit
from scripts.joining.notify import notify
from scripts.joining.unit import Unit, unit_text
from scripts.starter.terminal import Refusal
from tests.scripts.shell import ROOT

NOT_RATED = ("CAP_AUDIT_CONTROL",)
"""Capabilities that `systemd-analyze security` rates only together with others that the worker needs."""
PYTHON = ROOT / ".venv/bin/python"


def read(text: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return parser


def text(root: Path = ROOT) -> str:
    return unit_text(
        root, root / "var", root / ".venv/bin/python", "bench-2", "https://bench.example.org:8420"
    )


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed; the other tests read the unit's file")
    if not PYTHON.exists():
        pytest.skip(f"systemd-analyze wants the program, and there is no {PYTHON}")
    file = tmp_path / "plimsoll-worker-abc123.service"
    file.write_text(text())
    result = subprocess.run(
        ["systemd-analyze", "verify", str(file)], check=False, capture_output=True, text=True, timeout=60
    )
    own = [line for line in result.stderr.splitlines() if file.name in line]
    assert result.returncode == 0 and not own, result.stderr


def test_systemd_sees_what_is_dropped_and_nothing_that_would_change_what_is_measured(tmp_path: Path) -> None:
    """`systemd-analyze security` reads the unit as systemd does, with its defaults."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed; the other tests read the unit's file")
    file = tmp_path / "plimsoll-worker-abc123.service"
    file.write_text(text())
    argv = ["systemd-analyze", "security", "--offline=true", "--no-pager", "--json=short", str(file)]
    result = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=60)
    if "unrecognized option" in result.stderr:
        pytest.skip("this systemd-analyze reads no units outside a running systemd: 250 and newer do")
    is_set = {row["json_field"] for row in json.loads(result.stdout) if row["set"]}
    dropped = {f"CapabilityBoundingSet_{name}" for name in unit.DROPPED if name not in NOT_RATED}
    assert is_set >= dropped | {"KeyringMode", "UMask"}
    assert not {name for name in is_set if name.startswith(("Protect", "Private", "Restrict", "SystemCall"))}
    assert not is_set & {"NoNewPrivileges", "LockPersonality", "MemoryDenyWriteExecute", "RootDirectory"}


def test_the_unit_survives_a_boot_and_stops_in_order() -> None:
    found = read(text())
    assert found["Install"]["WantedBy"] == "multi-user.target"
    service = found["Service"]
    assert service["KillMode"] == "mixed" and service["Restart"] == "on-failure"
    assert service["RestartPreventExitStatus"] == str(EXIT_REJECTED)
    assert service["ExecStart"].endswith(f"-m scripts.joining run --root {ROOT} --var {ROOT}/var")
    assert " reap " in service["ExecStopPost"]


def test_the_unit_has_nothing_that_would_change_what_is_measured() -> None:
    """Filters of system calls and mount namespaces are inherited by engines and measured containers."""
    names = set(read(text())["Service"])
    inherited = {"NoNewPrivileges", "SystemCallFilter", "RestrictNamespaces", "LockPersonality", "PrivateTmp"}
    assert not inherited & names
    assert not {name for name in names if name.startswith(("Protect", "Private", "Restrict"))} - {
        "RestartPreventExitStatus"
    }


def test_no_secret_is_in_the_unit() -> None:
    assert "TOKEN" not in text().upper() and "#" not in text().replace("# ", "")


def test_a_percent_sign_is_no_specifier() -> None:
    assert "Plimsoll worker bench-2 of" in text()
    assert "--root /srv/100%%/plimsoll " in text(Path("/srv/100%/plimsoll"))


@pytest.mark.parametrize("folder", ["/srv/with space", '/srv/"quoted"', "/srv/$HOME", "/srv/back\\slash"])
def test_a_path_that_systemd_would_read_otherwise_is_refused(folder: str) -> None:
    with pytest.raises(Refusal, match="clone the repository into a folder without spaces"):
        text(Path(folder))


@pytest.fixture
def systemctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A systemctl that writes its arguments to the file; the test's host counts as one with systemd."""
    calls = tmp_path / "calls"
    calls.touch()
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "systemctl"
    program.write_text(f'#!/bin/sh\necho "$@" >>{calls}\ncase $1 in show) echo active ;; esac\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr(unit, "SYSTEMD_RUNS", tmp_path)
    return calls


def test_a_unit_is_enabled_before_it_is_started_and_removed_after_it_has_stopped(
    systemctl: Path, tmp_path: Path
) -> None:
    found = Unit("abc123", tmp_path)
    found.install(text())
    found.start()
    assert found.file.read_text() == text() and found.file.stat().st_mode & 0o777 == 0o644
    assert found.is_active()
    found.stop()
    assert found.remove()
    assert not found.remove() and not found.file.exists()
    name = "plimsoll-worker-abc123.service"
    assert systemctl.read_text().splitlines() == [
        "daemon-reload",
        f"enable --quiet {name}",
        f"restart --no-block {name}",
        f"show --property=ActiveState --value {name}",
        f"stop {name}",
        f"disable --quiet {name}",
        "daemon-reload",
        f"reset-failed {name}",
    ]


def test_a_failure_of_systemctl_is_a_sentence(systemctl: Path, tmp_path: Path) -> None:
    program = tmp_path / "bin/systemctl"
    program.write_text("#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n")
    with pytest.raises(Refusal, match="systemctl daemon-reload failed: Failed to connect to bus"):
        Unit("abc123", tmp_path).install(text())


def test_systemd_is_notified_about_the_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify("READY=1")  # nobody listens: no error
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        notify("READY=1")
        assert manager.recv(100) == b"READY=1"
        manager.close()
        notify("STOPPING=1")
