"""The factor for time limits of slow hosts."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from backend.core.errors import EngineUnavailable
from worker.engine import lab
from worker.engine.lab import LabEngine
from worker.host import time_limits


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
