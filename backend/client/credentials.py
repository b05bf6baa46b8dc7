"""Tokens by server, in a file that only its owner may read.

`$XDG_CONFIG_HOME/plimsoll/credentials.json`, by default below `~/.config`
(https://specifications.freedesktop.org/basedir-spec/latest/).
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from .address import origin_of
from .errors import Misconfigured

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def default_path() -> Path:
    """The user's credentials file."""
    configured = os.environ.get("XDG_CONFIG_HOME", "")
    # The specification: a relative path is ignored.
    base = Path(configured) if configured.startswith("/") else Path.home() / ".config"
    return base / "plimsoll" / "credentials.json"


class Credentials:
    """The tokens of a file. Every method raises Misconfigured with the remedy if the file cannot be used."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()

    def token(self, url: str) -> str | None:
        """The token for a server, if there is one."""
        return self._read().get(origin_of(url))

    def urls(self) -> tuple[str, ...]:
        """The servers for which there is a token."""
        return tuple(sorted(self._read()))

    def store(self, url: str, token: str) -> None:
        """Keep a token, atomically: a reader sees the old file or the new one."""
        self._write(self._read() | {origin_of(url): token})

    def forget(self, url: str) -> bool:
        """Remove the token of a server; whether there was one."""
        found = self._read()
        if found.pop(origin_of(url), None) is None:
            return False
        self._write(found)
        return True

    def _read(self) -> dict[str, str]:
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
                found = json.load(file)["tokens"]
                if not all(isinstance(url, str) and isinstance(token, str) for url, token in found.items()):
                    raise TypeError
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise Misconfigured(f"{self.path}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Misconfigured(f"{self.path} is not a credentials file; remove it") from error
        return dict(found)

    def _write(self, tokens: dict[str, str]) -> None:
        folder = self.path.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # mkstemp makes a file of mode 0600.
            descriptor, name = tempfile.mkstemp(dir=folder, prefix=".credentials-")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    json.dump({"version": 1, "tokens": tokens}, file, indent=2, sort_keys=True)
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
