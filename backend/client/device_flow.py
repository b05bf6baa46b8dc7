"""Sign-in by a browser: the client's part of the device authorization grant (RFC 8628)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .errors import PlimsollError, Refused, Unreachable
from .transport import Transport

SLOWER_BY_S: Final = 5
_LATER: Final = (429, 502, 503, 504)
_PATH: Final = "/device-authorizations"


@dataclass(frozen=True)
class Authorization:
    """An authorization that waits; times in seconds. `device_code` is secret, the rest is for the user."""

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


def begin(transport: Transport, client_name: str, scopes: tuple[str, ...]) -> Authorization:
    """Begin an authorization for at most these scopes. Raises a PlimsollError."""
    found = transport.post(_PATH, {"client_name": client_name, "scopes": list(scopes)})
    return Authorization(**{name: found[name] for name in Authorization.__dataclass_fields__})


def wait(transport: Transport, authorization: Authorization, sleep: Callable[[float], None]) -> str:
    """The token, once somebody has approved. Raises Refused if it is denied or has expired."""
    interval = authorization.interval
    end = time.monotonic() + authorization.expires_in
    lost: PlimsollError | None = None
    while time.monotonic() < end:
        sleep(interval)
        try:
            answer = transport.post(f"{_PATH}:token", {"device_code": authorization.device_code})
        except Unreachable as error:
            # RFC 8628, 3.5: after a connection timeout, the client polls less often.
            interval, lost = min(2 * interval, 60), error
        except Refused as error:
            lost = None
            if error.code == "slow_down" or error.status in _LATER:
                interval += SLOWER_BY_S
            elif error.code != "authorization_pending":
                raise
        else:
            token: str = answer["access_token"]
            return token
    raise lost or Refused(400, "expired_token", "nobody confirmed the sign-in in time; begin again")
