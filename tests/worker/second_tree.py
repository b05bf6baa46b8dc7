"""A second tree of Plimsoll: a git clone of another release and protocol, with programs of its own."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.services import ROOT

COPIED: Final = ("backend", "worker", "tests/__init__.py", "tests/records.py", "tests/worker/__init__.py")
PROGRAM: Final = "tests/worker/remote_program.py"
OLD, NEW = "0.0.9", "0.1.0"


def git(folder: Path, *arguments: str) -> str:
    """The output of git."""
    who = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    done = subprocess.run(
        ["git", *who, "-C", str(folder), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def put_release(folder: Path, release: str, protocol: int) -> None:
    """Make a tree one of this release: what its installed package says, and what its worker speaks."""
    for known in folder.glob("plimsoll-*.dist-info"):
        shutil.rmtree(known)
    package = folder / f"plimsoll-{release}.dist-info"
    package.mkdir()
    (package / "METADATA").write_text(f"Metadata-Version: 2.1\nName: plimsoll\nVersion: {release}\n")
    file = folder / "backend/worker_protocol.py"
    text, count = re.subn(r"(?m)^PROTOCOL: Final = \d+$", f"PROTOCOL: Final = {protocol}", file.read_text())
    assert count == 1
    file.write_text(text)


@dataclass(frozen=True)
class SecondTree:
    """The clone, and the file to which its scripts/join, which installs nothing here, writes a line."""

    folder: Path

    @property
    def joined(self) -> Path:
        return self.folder.parent / "joined"

    def run_update(self, command: str) -> None:
        """Run the command that the server named, in a shell elsewhere."""
        assert not self.joined.exists()
        done = subprocess.run(["sh", "-c", command], cwd="/", capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert self.joined.read_text() == "joined\n"


def two_releases(parent: Path, old_protocol: int, tags: tuple[str, str]) -> Path:
    """A repository with the release before and this one, each with a tag."""
    origin = parent / "origin"
    for part in (*COPIED, PROGRAM):
        source, target = ROOT / part, origin / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    script = origin / "scripts/join"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\necho joined >>{parent}/joined\n")
    script.chmod(0o755)
    git(origin, "init", "--quiet", "--initial-branch", "main")
    new = re.search(r"(?m)^PROTOCOL: Final = (\d+)$", (ROOT / "backend/worker_protocol.py").read_text())
    assert new is not None
    for release, protocol, tag in ((OLD, old_protocol, tags[0]), (NEW, int(new[1]), tags[1])):
        put_release(origin, release, protocol)
        git(origin, "add", "--all", "--force")
        git(origin, "commit", "--quiet", "--message", f"Release {release}")
        git(origin, "tag", "--annotate", "--message", release, tag)
    return origin


def old_clone(origin: Path, way: str, tag: str) -> SecondTree:
    """A clone at the release before: on a `branch`, at its `tag`, or at a `commit` of it."""
    folder = origin.parent / "clone"
    git(origin, "clone", "--quiet", str(origin), str(folder))
    if way == "branch":
        git(folder, "reset", "--quiet", "--hard", tag)
    else:
        git(folder, "checkout", "--quiet", "--detach", tag)
    if way == "commit":
        git(folder, "tag", "--delete", tag)
    return SecondTree(folder)
