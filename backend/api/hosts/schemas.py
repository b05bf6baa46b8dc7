"""What comes out of /hosts."""

from __future__ import annotations

from pydantic import JsonValue

from backend.api.schema import Body, Timestamp


class Host(Body):
    """A Docker host on which a worker measures; online if it was seen in the last minute."""

    id: str
    name: str
    online: bool
    last_seen_at: Timestamp
    capabilities: dict[str, JsonValue]
    environment: dict[str, JsonValue]


class HostList(Body):
    """Every host that ever announced itself, by name."""

    data: tuple[Host, ...]
