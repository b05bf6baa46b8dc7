"""Access to the Plimsoll that runs on this host: a file that only its owner, root, can read."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from backend.settings import Settings

FILE: Final = "access.json"
"""In the data directory, while `scripts/up` runs."""
_ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True)
class LocalAccess:
    """The URL of an installation, a token for the command line, and a link that signs a browser in once.

    `environment` has the settings of the server, for commands that read its database directly.
    """

    url: str
    token: str
    sign_in_link: str
    environment: dict[str, str]


def read(path: Path) -> LocalAccess | None:
    """What is stored in a file; None if it cannot be read."""
    try:
        return LocalAccess(**json.loads(path.read_text()))
    except (OSError, ValueError, TypeError):
        return None


def write(path: Path, access: LocalAccess) -> None:
    """Write a file that only its owner can read, in place of an older one."""
    made = path.with_suffix(".new")
    made.unlink(missing_ok=True)
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(asdict(access), file)
    made.replace(path)


def of_this_host() -> LocalAccess | None:
    """The access to the installation of this program, while it runs on this host."""
    return read(Path(os.environ.get("PLIMSOLL_VAR_DIR") or _ROOT / "var") / FILE)


def server_settings() -> Settings:
    """The server's settings: from the environment, else those of the installation that runs on this host.

    Raises ValidationError for an invalid one.
    """
    found = of_this_host()
    if found is not None and "PLIMSOLL_DATABASE_URL" not in os.environ:
        os.environ.update(found.environment)
    return Settings()


def token_for(url: str) -> str | None:
    """The token of the installation of this program, if it runs on this host at this URL."""
    found = of_this_host()
    return found.token if found is not None and found.url == url.rstrip("/") else None


def certificate_for(url: str) -> str | None:
    """The certificate file of this host's installation, if it runs at this URL and speaks TLS itself."""
    found = of_this_host()
    if found is None or found.url != url.rstrip("/"):
        return None
    return found.environment.get("PLIMSOLL_TLS_CERT")
