"""Notices that several parsers give: what a tool says of its own incompleteness, and figures left out.

They are the same for measured and imported runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from backend.core.sample.notice import Notice
from backend.core.sample.result import ToolResult

WARNING: Final = re.compile(r"\n((?:[a-z][\w.-]{0,30}: )?(?:warning|error)\b[^\n]*)", re.I)
"""A line of a tool's own messages, beside its report; behind a line end."""
QUOTED: Final = 160


def of_result(result: ToolResult) -> tuple[Notice, ...]:
    """The notices of a tool's report: what failed, and the parser's own."""
    return (*_failed(result), *result.notices)


def _failed(result: ToolResult) -> Iterator[Notice]:
    if failed := result.failed:
        share = failed / (failed + result.operations)
        yield Notice(
            "failed operations",
            f"{failed:,} ({share:.2%}) failed and are not counted",
            "see the tool's output in the record",
        )


def left_out(reason: str) -> Notice:
    """A figure is printed and cannot be true, so that the sample does not have it."""
    return Notice("figures left out", reason)


def ended_early(reason: str) -> Notice:
    """The run was stopped before its end; what was measured until then is reported."""
    return Notice("ended early", reason, "let the tool run to its end")


def said(lines: Sequence[str]) -> Iterator[Notice]:
    """The tool's own warnings: the first of them, and how many there are."""
    if lines:
        first = lines[0].strip()
        quoted = first if len(first) <= QUOTED else f"{first[: QUOTED - 1]}…"
        more = f" (the first of {len(lines)})" if len(lines) > 1 else ""
        yield Notice("warning of the tool", f"“{quoted}”{more}", "see the tool's output in the record")


def warnings_in(text: str) -> list[str]:
    """The lines of a text that are warnings or errors."""
    if not any(word in text for word in ("arning", "ARNING", "rror", "RROR")):
        return []
    return WARNING.findall(f"\n{text}")
