"""The logs of a real Celery worker and a real uvicorn are JSON lines, from the first line to the last."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from backend.settings import Settings
from tests.scripts.waiting import eventually
from tests.services import ROOT
from worker.host.locks import InstanceLock


def environment(settings: Settings) -> dict[str, str]:
    values = settings.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    return os.environ | {f"PLIMSOLL_{name.upper()}": str(value) for name, value in values.items()}


def entries(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_worker_that_does_not_start_says_why(settings: Settings) -> None:
    settings.runtime_dir.mkdir(parents=True)
    held = InstanceLock(settings.runtime_dir)
    held.acquire()
    argv = [sys.executable, "-m", "celery", "-A", "worker.app", "--quiet", "worker", "-P", "solo", "-c", "1"]
    try:
        ended = subprocess.run(
            argv, cwd=ROOT, env=environment(settings), capture_output=True, text=True, timeout=120
        )
    finally:
        held.release()
    assert ended.returncode == 1
    (problem,) = [entry for entry in entries(ended.stdout + ended.stderr) if entry["level"] == "critical"]
    assert problem["logger"] == "worker.app"
    assert problem["event"].startswith("another worker of this installation runs")


def test_the_api_logs_its_start_and_end(settings: Settings, tmp_path: Path) -> None:
    output = tmp_path / "api.log"
    options = ["--factory", "backend.api.app:app_factory", "--port", "0", "--no-access-log"]
    with output.open("w") as file:
        child = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", *options],
            cwd=ROOT, env=environment(settings), stdout=file, stderr=file,
        )  # fmt: skip
    try:
        assert eventually(lambda: "running on" in output.read_text(), 60)
        child.send_signal(signal.SIGTERM)
        child.wait(60)
    finally:
        child.kill()
        child.wait()
    found = entries(output.read_text())
    assert {entry["logger"] for entry in found} == {"uvicorn.error"}
    assert all(entry["time"].endswith("Z") for entry in found)
