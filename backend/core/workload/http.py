"""The URL that an HTTP tool requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.definition.factors import Level
from backend.core.workload.target import Target

PAGES: Final = {"pong": "/ping", "flask": "/"}
"""The page of each HTTP service: a constant answer of a few bytes."""


def url(levels: Mapping[str, Level], target: Target) -> str:
    """The URL of the service's page: a literal address, because a name may resolve to another family."""
    return f"http://{target.url_host}{PAGES[str(levels['service'])]}"
