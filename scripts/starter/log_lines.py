"""The two forms of a service's log lines: JSON lines of API and worker, text of all other programs."""

from __future__ import annotations

import json
from datetime import UTC, datetime


def stamped(line: str) -> str:
    """The line for the log file; a JSON line has its own time already."""
    if _entry(line) is not None:
        return line
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ} {line}"


def readable(line: str) -> str:
    """The line for the terminal: `LEVEL logger: event` of a JSON line, any other line unchanged."""
    entry = _entry(line)
    if entry is None:
        return line
    return f"{str(entry.get('level', '')).upper()} {entry.get('logger', '')}: {entry['event']}"


def _entry(line: str) -> dict[str, object] | None:
    """The entry of a JSON line, None for text."""
    if not line.startswith('{"'):
        return None
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) and "event" in entry and "time" in entry else None
