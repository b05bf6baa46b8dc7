"""The API's process: what it is, what it can read, and what it cannot."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts.starter import confinement, layout
from scripts.starter.layout import Layout
from scripts.starter.private import UMASK
from scripts.starter.reach import Reach
from scripts.starter.sandbox import api_uid

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the user")

PROBE = """
import ctypes, json, os, signal
def outcome(action):
    try:
        action()
        return "done"
    except OSError as error:
        return type(error).__name__ if not error.errno else __import__("errno").errorcode[error.errno]
death = ctypes.c_int()
ctypes.CDLL(None).prctl(2, ctypes.byref(death))
lines = (line.split(":", 1) for line in open("/proc/self/status"))
root = ROOT
print(json.dumps({
    "status": {name: value.strip() for name, value in lines},
    "death": signal.Signals(death.value).name,
    "folder": os.getcwd(),
    "code": open("backend/code.py").read(),
    "page": open("frontend/dist/index.html").read(),
    "umask": os.umask(0),
    "secret": outcome(lambda: open(f"{root}/var/secrets/plimsoll_worker")),
    "repository": outcome(lambda: os.listdir(root)),
    "write": outcome(lambda: open("backend/code.py", "w")),
    "new": outcome(lambda: open("backend/new.py", "w")),
    "code folder": outcome(lambda: os.mkdir("more")),
    "root": outcome(lambda: os.setuid(0)),
    "mount": os.system("umount backend 2>/dev/null") != 0,
}))
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    """A clone with a restrictive umask, below a folder that only root can enter."""
    monkeypatch.setattr(layout, "RUNTIME_PARENT", tmp_path / "run")
    tmp_path.chmod(0o755)
    (tmp_path / "run").mkdir()
    root = tmp_path / "closed" / "clone"
    for name in ("backend", ".venv/bin", "frontend/dist", "var/secrets"):
        (root / name).mkdir(parents=True)
    (root / ".venv/bin/python").symlink_to("/usr/bin/python3")
    for name in ("backend/code.py", "frontend/dist/index.html", "alembic.ini", "var/secrets/plimsoll_worker"):
        (root / name).write_text("text of the code\n")
    for path in (tmp_path / "closed", *root.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o700 if path.is_dir() else 0o600)
    return layout.prepare(root, root / "var", Reach())


@pytest.fixture
def parents_open(tmp_path: Path) -> None:
    """pytest makes its folders for their owner only; the API's user has to reach its code."""
    for path in (tmp_path.parent, tmp_path.parent.parent):
        path.chmod(0o755)


def probe(place: Layout) -> dict[str, Any]:
    confinement.prepare(place)
    argv = confinement.confined(place, ("-c", PROBE.replace("ROOT", repr(str(place.root)))))
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        argv, capture_output=True, text=True, check=False, timeout=30, env=environment, umask=UMASK
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_process_has_a_user_of_its_own_and_no_privilege(place: Layout, parents_open: None) -> None:
    status = probe(place)["status"]
    uid = str(api_uid(place.install_id))
    assert status["Uid"].split() == status["Gid"].split() == [uid] * 4
    assert status["Groups"] == ""
    assert {status[f"Cap{kind}"] for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert status["NoNewPrivs"] == "1"


def test_it_reads_its_code_and_nothing_else_of_the_repository(place: Layout, parents_open: None) -> None:
    found = probe(place)
    assert found["code"] == found["page"] == "text of the code\n"
    assert found["umask"] == UMASK
    assert found["folder"] == str(place.code)
    assert found["secret"] == found["repository"] == "EACCES"
    assert found["write"] == found["new"] == found["code folder"] == "EROFS"
    assert found["root"] == "EPERM" and found["mount"]


def test_it_ends_with_its_starter_and_leaves_no_mount(place: Layout, parents_open: None) -> None:
    assert probe(place)["death"] == "SIGTERM"
    assert not [point for point in layout.mount_points() if point.startswith(str(place.code))]
    assert list(place.code.iterdir()) == []


def test_every_installation_has_another_user() -> None:
    first, last = api_uid("000000"), api_uid("ffffff")
    assert first < api_uid("0a1b2c") < last
    assert first > 1_879_048_191 and last < 2**31
