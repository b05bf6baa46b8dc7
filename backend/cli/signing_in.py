"""The commands `login`, `whoami` and `logout`."""

from __future__ import annotations

import os
import socket
import time
import webbrowser
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import typer

from backend.cli.client import allows_http, connect, failures, server_url, token_of, trusted
from backend.cli.failure import CANCELLED, Failure
from backend.cli.output import Json, print_message, print_result
from backend.client import device_flow
from backend.client.address import check_token, origin_of
from backend.client.credentials import Credentials
from backend.client.device_flow import Authorization
from backend.client.errors import Misconfigured, PlimsollError, Refused
from backend.client.transport import Transport
from backend.client.trust import fingerprint, has_fingerprint, presented, read_file, trust_text

SCOPES: Final = ("run:read", "run:write", "share:write")
MAX_HOST: Final = 64
_UNAUTHENTICATED: Final = 401
Server = Annotated[str | None, typer.Argument(metavar="[URL]", help="The server's address.")]


def login(
    url: Server = None,
    scopes: Annotated[
        list[str] | None,
        typer.Option("--scope", help="What the token has to do; by default read, start runs and share."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser", help="Open the browser of this machine.")] = False,
    cacert: Annotated[
        str | None, typer.Option("--cacert", help="A PEM file: the only certificates that are trusted.")
    ] = None,
    pinned: Annotated[
        str | None,
        typer.Option("--fingerprint", help="SHA-256 of the server's certificate, as the server prints it."),
    ] = None,
) -> None:
    """Sign in by a browser on any machine, and keep the token in a file that only you may read.

    Prints an address and a code, and waits until you have confirmed them there.
    """
    with failures():
        server = origin_of(url or server_url())
        check_token(server, "plm_", allows_http())
        certificate = _certificate(server, cacert, pinned)
        verify = trusted(server) if certificate is None else trust_text(certificate)
        with Transport(server, None, True, allows_http(), verify) as transport:
            token = _authorize(transport, tuple(scopes or SCOPES), browser)
        earlier = Credentials().token(server)
        Credentials().sign_in(server, token, certificate)
        with Transport(server, token, True, allows_http(), verify) as transport:
            found = transport.get("/session")
        if earlier is not None:
            _end(Transport(server, earlier, True, allows_http(), verify))
    print_message(f"Signed in to {server}\n{_text(found)}")
    if os.environ.get("PLIMSOLL_TOKEN"):
        print_message("PLIMSOLL_TOKEN is set and is used in place of the stored token")


def _certificate(server: str, cacert: str | None, pinned: str | None) -> str | None:
    """The certificates (PEM) to trust for a server, None for the usual ones. Raises Misconfigured."""
    if cacert is not None and pinned is not None:
        raise Misconfigured("choose one of --cacert and --fingerprint")
    if cacert is not None:
        return read_file(cacert)
    if pinned is None:
        return Credentials().certificate(server)
    found = presented(server)
    if not has_fingerprint(found, pinned):
        raise Misconfigured(
            f"{server} has a certificate with another fingerprint, {fingerprint(found)}: nothing was sent. "
            "Compare it with the one that the server printed at its last start; if they differ, somebody "
            "is between you and the server"
        )
    return found


def _authorize(transport: Transport, scopes: tuple[str, ...], browser: bool) -> str:
    """The token that somebody approved in a browser. Raises Failure after Ctrl-C."""
    try:
        authorization = device_flow.begin(transport, _host(), scopes)
        _explain(authorization, browser)
        return device_flow.wait(transport, authorization, time.sleep)
    except Refused as error:
        raise Failure(str(error)) from error
    except KeyboardInterrupt:
        raise Failure("cancelled: nothing is stored, and the code is of no use", CANCELLED) from None


def _explain(authorization: Authorization, browser: bool) -> None:
    """Print what to do, and open the browser if the user wants that."""
    print_message(
        f"Open this address in a browser:\n\n  {authorization.verification_uri_complete}\n\n"
        f"and confirm there that it shows this code:\n\n  {authorization.user_code}\n\n"
        f"Waiting, at most {authorization.expires_in // 60} minutes. Ctrl-C ends it."
    )
    if browser:
        webbrowser.open(authorization.verification_uri_complete)


def _host() -> str:
    """The name of this machine, as the token's name says it."""
    name = "".join(letter for letter in socket.gethostname() if letter.isprintable())
    return name.strip()[:MAX_HOST] or "a machine without a name"


def _end(transport: Transport) -> bool:
    """Revoke the token of a connection; False, with a message, where that is not possible."""
    try:
        with transport:
            transport.delete("/token")
    except Refused as error:
        if error.status == _UNAUTHENTICATED:  # it was revoked or has expired
            return True
        print_message(f"the earlier token could not be revoked, end it on the page of your account: {error}")
    except PlimsollError as error:
        print_message(f"the earlier token could not be revoked, end it on the page of your account: {error}")
    else:
        return True
    return False


def whoami(as_json: Json = False) -> None:
    """Show the server, the account, its team and role, and what the token may do until when."""
    with connect() as client:
        found = client.get("/session")
        server, (_, source) = client.url, token_of(client.url)
    print_result(
        {"server": server, **found}, as_json, f"server   {server}\n{_text(found)}\nfrom     {source}"
    )


def _text(found: dict[str, Any]) -> str:
    account, team, token = found["account"], found["team"], found.get("token")
    email = f" <{account['email']}>" if account["email"] else ""
    rows = {
        "account": account["name"] + email,
        "team": f"{team['name']}, role {team['role']}" if team else "none",
        "scopes": ", ".join(found["scopes"] or ()),
    }
    if token:
        rows["token"] = f"{token['prefix']}…, {token['name']}"
        rows["expires"] = _expiry(token["expires_at"])
    return "\n".join(f"{name:<9}{value}" for name, value in rows.items())


def _expiry(at: str | None) -> str:
    if at is None:
        return "never"
    left = datetime.fromisoformat(at) - datetime.now(UTC)
    return f"{at[:10]}, in {left.days} days"


def logout(url: Server = None) -> None:
    """Revoke this server's stored token, and remove it from the credentials file."""
    with failures():
        server, credentials = origin_of(url or server_url()), Credentials()
        token = credentials.token(server)
        if token is None:
            print_message(f"{server}: there was no token")
            return
        ended = _end(Transport(server, token, True, allows_http(), trusted(server)))
        credentials.forget(server)
    print_message(f"{server}: signed out{'' if ended else ' on this machine only'}")


COMMANDS: Final = {"login": login, "whoami": whoami, "logout": logout}
