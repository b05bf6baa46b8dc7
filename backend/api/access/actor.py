"""The caller of a request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, get_args

Role = Literal["viewer", "runner", "admin"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""From the fewest rights to the most."""
Scope = Literal["run:read", "run:write", "run:host-network", "share:write", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
Permission = Literal[
    "public", "signed_in", "read", "write", "share", "admin", "account", "installation", "worker"
]
"""What an operation needs.

public: nothing. signed_in: any session or token. read, write, share, admin: a role in the team, and of a
token the scope too. account: a session, no token. installation: a session of an installation administrator.
worker: the token of an enrolled host, and nothing else.
"""
NEEDED_ROLE: Final[dict[Permission, Role]] = {
    "read": "viewer",
    "write": "runner",
    "share": "runner",
    "admin": "admin",
}
NEEDED_SCOPE: Final[dict[Permission, Scope]] = {
    "read": "run:read",
    "write": "run:write",
    "share": "share:write",
    "admin": "admin",
}


@dataclass(frozen=True)
class Actor:
    """A signed-in browser or a token, in the team that the request acts in.

    `id` is that of the session or token; `scopes` is None for a session, which only its roles limit.
    `withheld` are roles in teams that require a second factor, which the caller has not proved: it acts there
    as one who is no member. `signed_in_recently`: the session was opened within the last 15 minutes.
    """

    kind: Literal["session", "token"]
    id: str
    account_id: str
    label: str
    team_id: str | None
    roles: dict[str, Role]
    installation_admin: bool = False
    scopes: frozenset[str] | None = None
    token_prefix: str | None = None
    email: str | None = None
    withheld: dict[str, Role] = field(default_factory=dict)
    proved_second_factor: bool = False
    signed_in_recently: bool = False

    @property
    def team(self) -> str:
        """The team that the request acts in; the guard admits no operation of a team without one."""
        assert self.team_id is not None and self.team_id not in self.withheld
        return self.team_id

    def has_role(self, team_id: str | None, role: Role) -> bool:
        """Whether the caller has at least this role in a team."""
        own = self.roles.get(team_id or "")
        return own is not None and ROLES.index(own) >= ROLES.index(role)

    def has_scope(self, scope: Scope) -> bool:
        """Whether the caller is a session, or a token with this scope."""
        return self.scopes is None or scope in self.scopes

    def permissions(self) -> tuple[Permission, ...]:
        """What the caller may do in its team."""
        return tuple(
            name
            for name, role in NEEDED_ROLE.items()
            if self.has_role(self.team_id, role) and self.has_scope(NEEDED_SCOPE[name])
        )
