"""The parts of the test suite, and which of them a change of a file can affect.

`tests/parts.toml` maps globs of files to parts. `tests/passed.txt` has, for each long part, a digest of its
files when all of its tests last passed: a long part whose digest differs runs in `./scripts/test`, too.
"""

from __future__ import annotations

import hashlib
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

MAP = Path("tests/parts.toml")
PASSED = Path("tests/passed.txt")


class SuiteError(Exception):
    """The map, or the record of what has passed, cannot be used."""


@dataclass(frozen=True)
class Parts:
    """The map. `always` and `long` are names of parts; `paths` maps a glob of files to names of parts."""

    always: tuple[str, ...]
    long: tuple[str, ...]
    paths: Mapping[str, tuple[str, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        """Every part."""
        return self.always + self.long


@dataclass(frozen=True)
class Pass:
    """That all tests of a part passed: with which files, and on which day."""

    digest: str
    day: str


def read_map(root: Path) -> Parts:
    """The map of the checkout `root`. Raises SuiteError for a part that `[parts]` does not name."""
    document = tomllib.loads((root / MAP).read_text(encoding="utf-8"))
    parts = document["parts"]
    paths = {glob: tuple(names) for glob, names in document["paths"].items()}
    known = {*parts["always"], *parts["long"]}
    for glob, names in paths.items():
        if unknown := sorted(set(names) - known):
            raise SuiteError(f"{MAP}: {glob} names the unknown part {unknown[0]}")
    return Parts(tuple(parts["always"]), tuple(parts["long"]), paths)


def files(root: Path, globs: Iterable[str] = ()) -> set[str]:
    """The files of the checkout that a glob matches, by default all; those that git ignores do not count.

    `*` matches within a folder, `**` across folders.
    """
    patterns = [f":(glob){glob}" for glob in globs]
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise SuiteError(f"git cannot list the files of {root}: {result.stderr.strip()}")
    return {name for name in result.stdout.split("\0") if name and (root / name).is_file()}


def files_of(root: Path, parts: Parts, part: str) -> set[str]:
    """The files whose change can affect a part."""
    globs = [glob for glob, names in parts.paths.items() if part in names]
    return files(root, globs) if globs else set()


def digest(root: Path, names: Iterable[str]) -> str:
    """A hash of the names and contents of files."""
    total = hashlib.sha256()
    for name in sorted(names):
        content = hashlib.sha256((root / name).read_bytes()).hexdigest()
        total.update(f"{content} {name}\n".encode())
    return total.hexdigest()[:16]


def digests(root: Path, parts: Parts) -> dict[str, str]:
    """The digest of each long part's files as they are now."""
    return {part: digest(root, files_of(root, parts, part)) for part in parts.long}


def passes(root: Path) -> dict[str, Pass]:
    """What `tests/passed.txt` says, by part; nothing if there is no such file."""
    record = root / PASSED
    if not record.exists():
        return {}
    rows = (line.split() for line in record.read_text(encoding="utf-8").splitlines())
    return {row[0]: Pass(row[1], row[2]) for row in rows if len(row) == 3 and row[0] != "#"}


def changed(root: Path, parts: Parts) -> dict[str, str]:
    """The long parts that a change can have affected since they last passed, each with its reason.

    A part without a record is none of them: see `unrecorded`.
    """
    recorded = passes(root)
    return {
        part: f"files that can affect it have changed since it passed on {recorded[part].day}"
        for part, now in digests(root, parts).items()
        if part in recorded and recorded[part].digest != now
    }


def unrecorded(root: Path, parts: Parts) -> list[str]:
    """The long parts of which no pass is recorded: what a change affects is not known."""
    recorded = passes(root)
    return [part for part in parts.long if part not in recorded]


def record_pass(root: Path, parts: Parts, part: str, digest_then: str, today: date) -> None:
    """Write that all tests of a long part passed with the files of `digest_then`."""
    if part not in parts.long:
        raise SuiteError(f"{part} is no long part; those are {', '.join(parts.long)}")
    recorded = passes(root) | {part: Pass(digest_then, today.isoformat())}
    rows = [f"{name} {recorded[name].digest} {recorded[name].day}" for name in parts.long if name in recorded]
    head = "# Written by ./scripts/test: the files of each long part when all of its tests last passed."
    (root / PASSED).write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
