"""Settings of a joined host: its unit has what scripts/join was given, after a reboot and an update."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from scripts.joining import host_settings
from scripts.joining.enrolment import FOLDER

NAMES = ("PLIMSOLL_TIME_FACTOR", "PLIMSOLL_PROXY_PROGRAMS")


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in host_settings.KEPT:
        monkeypatch.delenv(f"PLIMSOLL_{name}", raising=False)


def known(var: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str | None, ...]:
    """What a process has after a reboot, which inherits nothing of scripts/join."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    host_settings.load(var)
    found = tuple(os.environ.get(name) for name in NAMES)
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    return found


def test_what_scripts_join_is_given_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert known(tmp_path, monkeypatch) == (None, None), "nothing is kept yet"
    monkeypatch.setenv("PLIMSOLL_TIME_FACTOR", "2")
    monkeypatch.setenv("PLIMSOLL_PROXY_PROGRAMS", "mine=/opt/mine")
    host_settings.keep(tmp_path)
    assert known(tmp_path, monkeypatch) == ("2", "mine=/opt/mine")
    assert stat.S_IMODE((tmp_path / FOLDER / host_settings.FILE).stat().st_mode) == 0o600
    host_settings.keep(tmp_path)
    assert known(tmp_path, monkeypatch) == ("2", "mine=/opt/mine"), "an update changes nothing"
    monkeypatch.setenv("PLIMSOLL_TIME_FACTOR", "")
    host_settings.keep(tmp_path)
    assert known(tmp_path, monkeypatch) == (None, "mine=/opt/mine"), "an empty one is removed"


def test_the_environment_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A drop-in of the unit, for example."""
    monkeypatch.setenv("PLIMSOLL_TIME_FACTOR", "2")
    host_settings.keep(tmp_path)
    monkeypatch.setenv("PLIMSOLL_TIME_FACTOR", "5")
    host_settings.load(tmp_path)
    assert os.environ["PLIMSOLL_TIME_FACTOR"] == "5"


def test_secrets_and_other_settings_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIMSOLL_JOIN_URL", "https://bench.example.org/join#secret")
    host_settings.keep(tmp_path)
    assert "secret" not in (tmp_path / FOLDER / host_settings.FILE).read_text()
