"""The environment of a joined host's worker: its server and its token's file, and no database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final
from urllib.parse import urlencode, urlsplit

from scripts.joining import tree
from scripts.joining.enrolment import Enrolled, EnrolmentFiles
from scripts.starter import environment
from scripts.starter.layout import Layout

SYSTEM_CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")


def redis_url(enrolled: Enrolled, files: EnrolmentFiles) -> str:
    """The address of the server's Redis with this host's token, and the certificates to trust."""
    parts = urlsplit(enrolled.redis_url)
    known = files.redis_ca_file.exists()
    query = {
        "ssl_cert_reqs": "required",
        "ssl_ca_certs": str(files.redis_ca_file if known else SYSTEM_CERTIFICATES),
    }
    if enrolled.fingerprint:  # the certificate itself is known, whatever name it has
        query["ssl_check_hostname"] = "false"
    user, _, place = parts.netloc.rpartition("@")
    token = files.token_file.read_text(encoding="ascii").strip()
    return parts._replace(netloc=f"{user}:{token}@{place}", query=urlencode(query)).geturl()


def of_worker(layout: Layout, enrolled: Enrolled, files: EnrolmentFiles) -> dict[str, str]:
    """The environment of worker and reaper."""
    settings = {
        "SERVER_URL": enrolled.server,
        "HOST_TOKEN_FILE": str(files.token_file),
        "HOST_NAME": enrolled.host_name,
        "INSTALLED": str(tree.installation(layout.root)),
    }
    if files.certificate_file.exists():
        settings["SERVER_CA_FILE"] = str(files.certificate_file)
    if enrolled.fingerprint:
        settings["SERVER_FINGERPRINT"] = enrolled.fingerprint
    if enrolled.redis_url:
        settings["REDIS_URL"] = redis_url(enrolled, files)
    if os.environ.get("PLIMSOLL_ALLOW_HTTP"):
        settings["ALLOW_HTTP"] = os.environ["PLIMSOLL_ALLOW_HTTP"]
    return environment.of_joined_worker(layout, settings)
