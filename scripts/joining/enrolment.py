"""What a joined host keeps of its enrolment: files below var/enrolment that only root can read."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from scripts.starter.private import write_private
from scripts.starter.terminal import Refusal

FOLDER: Final = "enrolment"


@dataclass(frozen=True)
class Enrolled:
    """A host's enrolment, without its token.

    `fingerprint` is the SHA-256 of the only certificate to trust, empty where authorities sign it or a file
    has it; `redis_url` has no password, which is the token, and is empty where the worker polls.
    """

    server: str
    host_id: str
    host_name: str
    fingerprint: str = ""
    redis_url: str = ""


class EnrolmentFiles:
    """The files of one installation. `enrolment.json` is written last: with it, the host has joined."""

    def __init__(self, var: Path) -> None:
        self._folder = var / FOLDER
        self._facts = self._folder / "enrolment.json"
        self._pending = self._folder / "pending.json"
        self.token_file = self._folder / "token"
        self.certificate_file = self._folder / "certificate.pem"
        self.redis_ca_file = self._folder / "redis-ca.pem"

    def read(self) -> Enrolled | None:
        """The enrolment, or None before the host has joined. Raises Refusal for damaged files."""
        if not self._facts.exists():
            return None
        try:
            found = Enrolled(**json.loads(self._facts.read_text(encoding="utf-8")))
            self.token_file.read_text(encoding="ascii")
        except (OSError, ValueError, TypeError) as error:
            raise Refusal(
                f"the files in {self._folder} are damaged ({error}): run scripts/leave, then join again"
            ) from None
        return found

    def write(
        self, enrolled: Enrolled, token: str, certificate: str | None = None, redis_ca: str | None = None
    ) -> None:
        """Store an enrolment; the certificates (PEM) are the only ones that are trusted, where given."""
        self._write(self.token_file, f"{token}\n")
        self.trust(enrolled, certificate, redis_ca)
        self._pending.unlink(missing_ok=True)

    def trust(self, enrolled: Enrolled, certificate: str | None, redis_ca: str | None) -> None:
        """Store an enrolment's facts again, and the only certificates (PEM) to trust, or None."""
        for file, text in ((self.certificate_file, certificate), (self.redis_ca_file, redis_ca)):
            if text is None:
                file.unlink(missing_ok=True)
            else:
                self._write(file, text)
        self._write(self._facts, json.dumps(asdict(enrolled), indent=1) + "\n")

    def nonce(self, secret: str) -> str:
        """The nonce of this secret: the same again until the host has joined.

        With it the server gives a new token in place of one whose answer was lost.
        """
        digest = hashlib.sha256(secret.encode()).hexdigest()
        try:
            known: dict[str, Any] = json.loads(self._pending.read_text(encoding="ascii"))
            if known["secret_sha256"] == digest:
                return str(known["nonce"])
        except (OSError, ValueError, KeyError, TypeError):
            pass  # none yet, or incomplete
        nonce = secrets.token_urlsafe(24)
        self._write(self._pending, json.dumps({"secret_sha256": digest, "nonce": nonce}))
        return nonce

    def _write(self, path: Path, text: str) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        write_private(path, text.encode())
