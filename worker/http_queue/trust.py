"""Which certificates a worker trusts for its server, and the token that it sends there."""

from __future__ import annotations

import os
import ssl
import stat

from backend.client.address import check_token
from backend.client.errors import Misconfigured, Unreachable
from backend.client.trust import has_fingerprint, presented, trust, trust_text
from backend.core.errors import Refused, Unavailable
from backend.settings import Settings

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def verification(settings: Settings) -> ssl.SSLContext | bool:
    """The `verify` of an HTTP client.

    With a fingerprint only the certificate that has it is trusted, whatever name the server has. Raises
    Unavailable where that certificate cannot be read from the server, Refused where the server's is another.
    """
    url = settings.server_url
    assert url is not None
    if not url.startswith("https:"):
        return True
    try:
        if settings.server_fingerprint is None:
            return trust(str(settings.server_ca_file) if settings.server_ca_file is not None else None)
        found = presented(url)
    except Unreachable as error:
        raise Unavailable(str(error)) from error
    except Misconfigured as error:
        raise Refused.at("", "server_ca_file", str(error)) from error
    if not has_fingerprint(found, settings.server_fingerprint):
        raise Refused.at(
            "",
            "server_fingerprint",
            f"{url} has another certificate than the one with which this host was enrolled: if the server's "
            "was renewed, enrol this host again",
        )
    context = trust_text(found)
    assert isinstance(context, ssl.SSLContext)
    context.check_hostname = False  # the certificate itself is known
    return context


def read_token(settings: Settings) -> str:
    """The token in this host's file. Raises Refused where the file is missing or others may read it."""
    path, url = settings.host_token_file, settings.server_url
    assert path is not None and url is not None
    try:
        mode = path.stat().st_mode
        token = path.read_text(encoding="ascii").strip()
        if mode & _OTHERS and os.geteuid() == path.stat().st_uid:
            raise Misconfigured(f"{path} may be read or changed by others: chmod 600 {path}")
        if not token:
            raise Misconfigured(f"{path} is empty: enrol this host again")
        check_token(url, token, settings.allow_http)
    except (OSError, ValueError, Misconfigured) as error:
        raise Refused.at("", "host_token_file", str(error)) from error
    return token
