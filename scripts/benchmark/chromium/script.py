"""Runs a script of this folder in Node, which drives Chromium in the session of a person."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

from backend.api.access.authentication import cookie_name
from backend.settings import Settings
from scripts.benchmark.server.people import Person

_LIMIT_S: Final = 1200


def session_of(url: str, settings: Settings, person: Person) -> dict[str, Any]:
    """What a script has to know to open pages as this person."""
    value = person.by_cookie["Cookie"].split("=", 1)[1]
    return {"url": url, "cookie": {"name": cookie_name(settings), "value": value}}


def run_script(name: str, config: dict[str, Any], file: Path) -> Any:
    """The JSON that the script `name` prints; it reads `config` from `file`. Raises RuntimeError."""
    file.write_text(json.dumps(config), encoding="utf-8")
    done = subprocess.run(
        ["node", str(Path(__file__).with_name(name)), str(file)],
        capture_output=True,
        check=False,
        env=os.environ | {"CHROMIUM": shutil.which("chromium") or "chromium"},
        timeout=_LIMIT_S,
    )
    if done.returncode:
        raise RuntimeError(f"{name} failed in Chromium: {done.stderr.decode()[-2000:]}")
    return json.loads(done.stdout)
