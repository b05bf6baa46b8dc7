"""The ledger: one line for everything that is made on the host, written before it is made.

What a crash leaves is found here at the next start. Lines are JSON: {"op": "made", "kind", "name", …}
and {"op": "gone", "kind", "name"}. The file is emptied when nothing is left.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal[
    "netns", "link", "process", "mount_root", "mounts", "file", "bare", "host_engine", "host_image"
]


@dataclass(frozen=True)
class Entry:
    """One thing on the host: its kind, and its name (path, pid, namespace, or namespace/link)."""

    kind: Kind
    name: str
    detail: str = ""


class Ledger:
    """Append-only file of what exists; safe against a crash at any point."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)

    def _append(self, record: dict[str, str]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def making(self, entry: Entry) -> None:
        """Note a thing; call this before making it."""
        self._append({"op": "made", "kind": entry.kind, "name": entry.name, "detail": entry.detail})

    def gone(self, entry: Entry) -> None:
        """Note that a thing was removed; call this after removing it."""
        self._append({"op": "gone", "kind": entry.kind, "name": entry.name})

    def entries(self) -> list[Entry]:
        """Everything noted and not gone, newest first: the order in which to undo."""
        if not self.path.exists():
            return []
        found: dict[tuple[str, str], Entry] = {}
        for line in self.path.read_text(encoding="utf-8").splitlines():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue  # a torn last line: what it announced was not made yet
            key = (record["kind"], record["name"])
            if record["op"] == "made":
                found[key] = Entry(record["kind"], record["name"], record.get("detail", ""))
            else:
                found.pop(key, None)
        return list(reversed(found.values()))

    def clear_if_empty(self) -> None:
        """Empty the file when nothing stands, so that it does not grow for ever."""
        if not self.entries() and self.path.exists():
            self.path.write_text("", encoding="utf-8")
