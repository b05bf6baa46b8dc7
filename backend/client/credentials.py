"""Tokens and trusted certificates by server, in a file that only its owner may read.

`$XDG_CONFIG_HOME/plimsoll/credentials.json`, by default below `~/.config`
(https://specifications.freedesktop.org/basedir-spec/latest/).
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from .address import origin_of
from .errors import Misconfigured

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def default_path() -> Path:
    """The user's credentials file."""
    configured = os.environ.get("XDG_CONFIG_HOME", "")
    # The specification: a relative path is ignored.
    base = Path(configured) if configured.startswith("/") else Path.home() / ".config"
    return base / "plimsoll" / "credentials.json"


@dataclass(frozen=True)
class _Contents:
    """What the file contains; `certificates` are texts in PEM."""

    tokens: dict[str, str] = field(default_factory=dict)
    certificates: dict[str, str] = field(default_factory=dict)
    default: str | None = None


class Credentials:
    """The tokens of a file. Every method raises Misconfigured with the remedy if the file cannot be used."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()

    def token(self, url: str) -> str | None:
        """The token for a server, if there is one."""
        return self._read().tokens.get(origin_of(url))

    def certificate(self, url: str) -> str | None:
        """The certificate (PEM) that is trusted for a server in place of the usual ones, if there is one."""
        return self._read().certificates.get(origin_of(url))

    def default(self) -> str | None:
        """The server of the last sign-in, if there is one."""
        return self._read().default

    def urls(self) -> tuple[str, ...]:
        """The servers for which there is a token."""
        return tuple(sorted(self._read().tokens))

    def store(self, url: str, token: str) -> None:
        """Keep a token, atomically: a reader sees the old file or the new one."""
        found = self._read()
        self._write(replace(found, tokens=found.tokens | {origin_of(url): token}))

    def sign_in(self, url: str, token: str, certificate: str | None) -> None:
        """Keep a token and the trusted certificate of a server, which becomes the default one."""
        found, server = self._read(), origin_of(url)
        certificates = {name: pem for name, pem in found.certificates.items() if name != server}
        if certificate is not None:
            certificates[server] = certificate
        self._write(_Contents(found.tokens | {server: token}, certificates, server))

    def forget(self, url: str) -> bool:
        """Remove the token and the certificate of a server; whether there was a token."""
        found, server = self._read(), origin_of(url)
        if server not in found.tokens:
            return False
        self._write(
            _Contents(
                {name: token for name, token in found.tokens.items() if name != server},
                {name: pem for name, pem in found.certificates.items() if name != server},
                None if found.default == server else found.default,
            )
        )
        return True

    def _read(self) -> _Contents:
        try:
            with self.path.open(encoding="utf-8") as file:
                state = os.fstat(file.fileno())
                if state.st_mode & _OTHERS:
                    mode = f"{stat.S_IMODE(state.st_mode):03o}"
                    raise Misconfigured(
                        f"{self.path} may be read or changed by others (mode {mode}); "
                        f"its tokens are not used. Revoke them if others use this machine, and: "
                        f"chmod 600 {self.path}"
                    )
                if state.st_uid != os.geteuid():
                    raise Misconfigured(f"{self.path} belongs to another user; its tokens are not used")
                return _contents(json.load(file))
        except FileNotFoundError:
            return _Contents()
        except OSError as error:
            raise Misconfigured(f"{self.path}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Misconfigured(f"{self.path} is not a credentials file; remove it") from error

    def _write(self, contents: _Contents) -> None:
        folder = self.path.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # mkstemp makes a file of mode 0600.
            descriptor, name = tempfile.mkstemp(dir=folder, prefix=".credentials-")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    json.dump({"version": 1, **vars(contents)}, file, indent=2, sort_keys=True)
                    file.write("\n")
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(self.path)
            except BaseException:
                with suppress(FileNotFoundError):
                    Path(name).unlink()
                raise
        except OSError as error:
            raise Misconfigured(f"{self.path}: {error.strerror}") from error


def _contents(found: Any) -> _Contents:
    """The contents of a JSON document. Raises KeyError, TypeError, AttributeError."""
    tokens, certificates = found["tokens"], found.get("certificates", {})
    default = found.get("default")
    values = [text for mapping in (tokens, certificates) for pair in mapping.items() for text in pair]
    if not all(isinstance(value, str) for value in values) or not isinstance(default, str | None):
        raise TypeError
    return _Contents(tokens, certificates, default)
