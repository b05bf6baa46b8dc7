"""Which workers this server serves: their protocol, which they name in the header Plimsoll-Worker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Request

from backend import worker_installation
from backend.api import served_protocols
from backend.api.errors import WorkerOutdated, WorkerTooNew
from backend.core.errors import Invalid
from backend.settings import Settings
from backend.worker_installation import WorkerInstallation, update_advice
from backend.worker_protocol import HEADER, release

_FORM: Final = re.compile(r"([0-9A-Za-z][0-9A-Za-z.+-]{0,39})/([0-9]{1,4})")


@dataclass(frozen=True)
class WorkerVersion:
    """What a worker says about itself; `installed` is None where it says nothing that is understood."""

    release: str
    protocol: int
    installed: WorkerInstallation | None = None


def check_protocol(settings: Settings, given: WorkerVersion) -> WorkerVersion:
    """The version, if the server speaks its protocol. Raises WorkerOutdated and WorkerTooNew."""
    if given.protocol < served_protocols.OLDEST:
        raise WorkerOutdated(
            f"this server has release {release()} and no longer serves workers of release {given.release}; "
            f"the host stays enrolled at {settings.base_url}: "
            f"{update_advice(given.installed, given.release, release())}"
        )
    if given.protocol > served_protocols.NEWEST:
        raise WorkerTooNew(
            f"this worker has release {given.release}, newer than the server's {release()}: update the "
            "server first, it serves workers of the release before"
        )
    return given


async def _version(request: Request) -> WorkerVersion:
    settings: Settings = request.app.state.settings
    found = _FORM.fullmatch(request.headers.get(HEADER, ""))
    if found is None:
        raise Invalid.at("", "missing", f"send the header {HEADER}: RELEASE/PROTOCOL, such as 1.0.0/1")
    return check_protocol(settings, WorkerVersion(found[1], int(found[2]), installed(request)))


def installed(request: Request) -> WorkerInstallation | None:
    """How the program of the calling worker was installed, if it says so."""
    return WorkerInstallation.parse(request.headers.get(worker_installation.HEADER, ""))


Speaking = Annotated[WorkerVersion, Depends(_version)]
"""The version of the calling worker, of a protocol that the server speaks."""
