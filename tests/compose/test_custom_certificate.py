"""compose.yaml behind a certificate of the operator's own authority.

After the tests in which hosts join by the command of the page: these do not trust that authority.
"""

from __future__ import annotations

import ssl
from datetime import UTC, datetime

from tests.compose.authority import signed_pair
from tests.compose.installation import VAR, Browser
from tests.compose.neighbour import SERVER_ADDRESS
from tests.compose.server import Server
from tests.compose.test_compose_tls import PUBLIC


def test_a_given_certificate_is_the_one_that_browsers_get(server: Server) -> None:
    folder = VAR / "given"
    folder.mkdir()
    authority, pair = signed_pair(SERVER_ADDRESS, datetime.now(UTC))
    (folder / "fullchain.pem").write_bytes(pair.chain)
    (folder / "privkey.pem").touch(mode=0o600)
    (folder / "privkey.pem").write_bytes(pair.key)
    server.compose.settings |= {"PLIMSOLL_TLS_FOLDER": str(folder)}
    server.compose("up", "--detach", "--wait")
    context = ssl.create_default_context(cadata=authority.decode())
    server.browser = browser = Browser(server.namespace, PUBLIC, context)
    browser.sign_in(server.compose("exec", "api", "plimsoll", "admin", "link"))
    made = browser.in_session("/hosts/enrolments", {})
    assert made["command"] == f"./scripts/join - <<< '{made['url']}'", "it needs no fingerprint"
    assert sorted(path.name for path in folder.iterdir()) == ["fullchain.pem", "privkey.pem"]
