"""The TLS context of the API's listening socket, which takes a renewed certificate without a restart."""

from __future__ import annotations

import logging
import ssl
from pathlib import Path

from backend.settings import Settings

logger = logging.getLogger(__name__)

Stamp = tuple[tuple[int, int, int], ...]


class ReloadingCertificate:
    """A context with the certificate and key of the settings. Raises OSError or ssl.SSLError without them."""

    def __init__(self, settings: Settings) -> None:
        assert settings.tls_cert is not None and settings.tls_key is not None
        self._files = settings.tls_cert, settings.tls_key
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.context.set_alpn_protocols(["http/1.1"])
        self._loaded = self._stamp()
        self.context.load_cert_chain(*self._files)

    async def reload(self) -> None:
        """Use changed files for new connections; files that do not fit leave the old pair in use."""
        try:
            stamp = self._stamp()
            if stamp == self._loaded:
                return
            self._loaded = stamp
            # A pair that does not fit would leave the context with the new certificate and the old key.
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*self._files)
            self.context.load_cert_chain(*self._files)
        except OSError as error:  # ssl.SSLError is one
            logger.warning("the certificate in use stays: %s cannot be loaded: %s", self._files[0], error)
        else:
            logger.info("the certificate of %s is in use", self._files[0])

    def _stamp(self) -> Stamp:
        return tuple(_identity(path) for path in self._files)


def _identity(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns
