"""Requests and responses of /accounts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from backend.api.access.actor import Role
from backend.api.invitations.schemas import Email
from backend.api.schema import Body, Line, PageQuery, Timestamp


class AccountQuery(PageQuery):
    """A page of the accounts, optionally only those that match all of these.

    `text` is part of the name or the email address, in any case.
    """

    text: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    team_id: Annotated[str, Field(pattern=r"^tem_[0-9a-z]{16}$")] | None = None
    disabled: bool | None = None


class AccountTeam(Body):
    """A team of an account, and its role there."""

    id: str
    name: Line
    role: Role


class AccountEntry(Body):
    """An account, its teams, and by what it can sign in besides links.

    `last_sign_in_at` null: it never signed in with a browser.
    """

    id: str
    name: Line
    email: Line | None
    installation_admin: bool
    disabled: bool
    created_at: Timestamp
    last_sign_in_at: Timestamp | None
    has_password: bool
    has_provider: bool
    has_second_factor: bool
    teams: tuple[AccountTeam, ...]


class AccountList(Body):
    """One page of the accounts, by name."""

    data: tuple[AccountEntry, ...]
    next_cursor: str | None


class AccountAccess(Body):
    """What to change; a field that is left out stays as it is.

    A disabled account cannot sign in: its sessions end, and its tokens are refused until it is enabled.
    `email` null removes the address. Nothing checks whose a new one is: whoever sets it vouches for that.
    """

    disabled: StrictBool | None = None
    installation_admin: StrictBool | None = None
    email: Email | None = None


class SignInLinkStart(Body):
    """A new link that signs an account in once."""

    expires_in_minutes: Annotated[StrictInt, Field(ge=5, le=1440)] = 60


class NewSignInLink(Body):
    """A new sign-in link. Only this response has it; its secret is stored as a hash."""

    id: str
    url: str
    expires_at: Timestamp
