"""Where an enrolled host reaches Redis, with its token as the password."""

from __future__ import annotations

import logging
import re
from typing import Final

from backend.api.worker.schemas import RedisAddress
from backend.queue import host_user
from backend.settings import Settings
from backend.web_address import bracketed

logger = logging.getLogger(__name__)

_CERTIFICATE: Final = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", re.DOTALL)


def redis_address(settings: Settings, token_id: str) -> RedisAddress | None:
    """The address for a host token, without the token; None where Redis is not open to hosts: they poll.

    `ca` has the certificates that this server made itself; of an authority's, it is empty.
    """
    if settings.worker_redis_port is None:
        return None
    place = f"{bracketed(settings.origin.host)}:{settings.worker_redis_port}"
    return RedisAddress(url=f"rediss://{host_user(token_id)}@{place}/0", ca=_own_certificates(settings))


def _own_certificates(settings: Settings) -> str:
    """The certificates in the server's file, without its key; empty unless they are self-made."""
    if settings.tls_cert is None or not settings.tls_self_made:
        return ""
    try:
        return "".join(_CERTIFICATE.findall(settings.tls_cert.read_text(encoding="ascii")))
    except OSError as error:
        logger.warning("%s cannot be read for a host that joins: %s", settings.tls_cert, error.strerror)
        return ""
