"""The page that an HTTP tool asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.definition.factors import Level
from backend.core.workload.target import Target

PAGES: Final = {"pong": "/ping", "flask": "/"}
"""The one page of each HTTP service: it answers with a few bytes and does no work."""


def url(levels: Mapping[str, Level], target: Target) -> str:
    """The URL of the service's page: a literal address, because a name may resolve to another family."""
    return f"http://{target.url_host}{PAGES[str(levels['service'])]}"
