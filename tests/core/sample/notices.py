"""Notices as the lines of text that a reader sees."""

from __future__ import annotations

from typing import Protocol

from backend.core.sample.notice import Notice


class HasNotices(Protocol):
    """A tool's result, or a record."""

    @property
    def notices(self) -> tuple[Notice, ...]: ...


def texts(holder: HasNotices) -> tuple[str, ...]:
    """Each notice as one line."""
    return tuple(map(str, holder.notices))
