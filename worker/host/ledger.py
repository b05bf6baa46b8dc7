"""The ledger: one line for everything that is created on the host, written before it is created.

After a crash the next start finds the remains here. Lines are JSON: {"op": "made", "kind", "name", …} and
{"op": "gone", "kind", "name"}. The file is emptied when nothing is left.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal[
    "netns",
    "link",
    "process",
    "mount_root",
    "mounts",
    "file",
    "folder",
    "bare",
    "host_engine",
    "host_image",
    "host_link",
]


@dataclass(frozen=True)
class Entry:
    """One thing on the host: its kind, and its name (path, pid, namespace, or namespace/link)."""

    kind: Kind
    name: str
    detail: str = ""


class Ledger:
    """An append-only file of what exists; a crash at any point leaves it usable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _append(self, record: dict[str, str]) -> None:
        self.path.touch(mode=0o600)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def making(self, entry: Entry) -> None:
        """Write that a thing exists; call this before creating it."""
        self._append({"op": "made", "kind": entry.kind, "name": entry.name, "detail": entry.detail})

    def gone(self, entry: Entry) -> None:
        """Write that a thing was removed; call this after removing it."""
        self._append({"op": "gone", "kind": entry.kind, "name": entry.name})

    def entries(self) -> list[Entry]:
        """Everything that exists, newest first: the order in which to remove it."""
        if not self.path.exists():
            return []
        found: dict[tuple[str, str], Entry] = {}
        for line in self.path.read_text(encoding="utf-8").splitlines():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue  # an incomplete last line: its thing was not created yet
            key = (record["kind"], record["name"])
            if record["op"] == "made":
                found[key] = Entry(record["kind"], record["name"], record.get("detail", ""))
            else:
                found.pop(key, None)
        return list(reversed(found.values()))

    def clear_if_empty(self) -> None:
        """Empty the file when nothing exists, so that it does not grow without limit."""
        if not self.entries() and self.path.exists():
            self.path.write_text("", encoding="utf-8")
