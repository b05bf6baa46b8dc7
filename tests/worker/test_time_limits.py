"""The factor for time limits of slow hosts."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from backend.core.errors import EngineUnavailable
from backend.settings import Settings
from worker.engine import lab
from worker.engine.lab import LabEngine
from worker.host import commands, reaper, time_limits
from worker.images import early


@pytest.fixture(autouse=True)
def usual_speed() -> Iterator[None]:
    yield
    time_limits.set_factor(1.0)


def test_every_limit_is_multiplied() -> None:
    assert time_limits.limit(60.0) == 60.0
    assert time_limits.late(60.0) == "within 60 s; on a slow host, set PLIMSOLL_TIME_FACTOR to 2"
    time_limits.set_factor(2.5)
    assert time_limits.limit(60.0) == 150.0
    assert time_limits.late(60.0) == "within 150 s; on a slow host, set PLIMSOLL_TIME_FACTOR to 5"


USE = re.compile(r"\b[A-Z_]*LIMIT_S\b")
MULTIPLIED = re.compile(r"\blimit\(|\blate\(|timeout_s=|session\.wait\(|_session\.wait\(")
"""Where the factor is applied: `commands.run` and `SessionSide.wait` multiply what they are given."""
APART = {
    "worker/topology/deployment.py": "a server that does not listen yet gets a request all the same",
    "worker/sample/sock_diag.py": "the kernel answers a netlink request at once, or not at all",
    "worker/trial/server_side.py": "the sum with the wait for a quiet host goes to SessionSide.wait",
}


def test_no_limit_is_fixed_for_hosts_of_every_speed() -> None:
    root = Path(commands.__file__).parents[1]
    fixed = [
        f"{path.relative_to(root.parent)}: {line.strip()}"
        for path in sorted(root.rglob("*.py"))
        for line in path.read_text().splitlines()
        if USE.search(line) and not re.match(r"\w+(: Final)? = |from |.*\"\"\"|#", line.strip())
        and not MULTIPLIED.search(line)
    ]  # fmt: skip
    assert [line for line in fixed if line.partition(":")[0] not in APART] == []


def test_a_command_of_the_host_has_more_time_on_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def run(argv: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        given.append(more["timeout"])
        return subprocess.CompletedProcess(argv, 0, "", "")

    monkeypatch.setattr(commands.subprocess, "run", run)
    time_limits.set_factor(3.0)
    commands.run(["ip", "link"])
    commands.run(["ip", "link"], timeout_s=10.0)
    assert given == [90.0, 30.0]


def test_the_reaper_and_an_early_build_of_the_image_read_the_factor(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They are processes of their own."""
    monkeypatch.setattr(reaper, "Settings", lambda: settings.model_copy(update={"time_factor": 2.0}))
    monkeypatch.setattr(reaper, "sweep", lambda _ledger: [])
    monkeypatch.setattr(sys, "argv", ["reaper", "--all"])
    reaper.main()
    assert time_limits.limit(1.0) == 2.0
    monkeypatch.setenv(time_limits.SETTING, "4")
    monkeypatch.setattr(early, "build_of_debian", lambda *_: None)
    assert early.main(["--var", str(tmp_path)]) == 0
    assert time_limits.limit(1.0) == 4.0
    for text in ("", "nonsense", "0.5"):
        monkeypatch.setenv(time_limits.SETTING, text)
        time_limits.read_factor()
        assert time_limits.limit(1.0) == 1.0, "the starter refuses it later, with a sentence"


@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        (True, "dockerd of engine plm-on did not start: failed: no space left"),
        (
            False,
            "dockerd of engine plm-on did not answer within 0 s; on a slow host, set PLIMSOLL_TIME_FACTOR",
        ),
    ],
)
def test_a_daemon_that_is_late_is_not_given_its_last_line_as_the_reason(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, ends: bool, reason: str
) -> None:
    """A slow one prints "Daemon has completed initialization" just then."""
    monkeypatch.setattr(lab, "START_LIMIT_S", 60.0 if ends else 0.0)
    (tmp_path / "dockerd.log").write_text("starting\nfailed: no space left\n")
    process = subprocess.Popen(["sleep", "0" if ends else "60"])
    engine: Any = SimpleNamespace(
        names=SimpleNamespace(key="plm-on", data=tmp_path), _processes={"dockerd": process}
    )
    try:
        with pytest.raises(EngineUnavailable) as late:
            LabEngine._await(engine, "dockerd", lambda: False)
    finally:
        process.kill()
        process.wait()
    assert str(late.value).startswith(reason)
