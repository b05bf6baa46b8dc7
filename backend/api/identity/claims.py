"""Values of a provider's claims, each None unless it has the type and the form that it must have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

from backend.core.definition.text import is_email, unprintable

MAX_SUBJECT: Final = 255
"""OpenID Connect Core 1.0, section 2."""
MAX_NAME: Final = 100
MAX_GROUPS: Final = 1000
_READ: Final = 4096
"""Characters of a name that are read; the rest cannot be in its first MAX_NAME."""


def subject_of(value: Any) -> str | None:
    """The subject as it is: it is compared and never shown. An empty one would be everybody without one."""
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_SUBJECT:
        return None
    return None if unprintable(value) else value


def name_of(values: Iterable[Any]) -> str | None:
    """The first of these that is a text with printable characters; the others are left out of it."""
    for value in values:
        if isinstance(value, str):
            kept = "".join(one for one in value[:_READ] if one.isspace() or not unprintable(one))
            if name := " ".join(kept.split())[:MAX_NAME].strip():
                return name
    return None


def email_of(value: Any) -> str | None:
    """An email address; whether the provider has verified it is another claim."""
    return value if isinstance(value, str) and is_email(value) else None


def is_verified(value: Any, trusted: bool) -> bool:
    """The claim `email_verified`, which some providers send as text; `trusted` where they do not send it."""
    if value is None:
        return trusted
    return value is True or (isinstance(value, str) and value.strip().lower() == "true")


def with_claims(id_token: Mapping[str, Any], userinfo: Mapping[str, Any]) -> dict[str, Any]:
    """The claims of an ID token with those of userinfo that it lacks.

    Whether an address is verified counts for the address with which it is stated, and for no other one.
    """
    merged = {**userinfo, **id_token}
    stated = id_token.get("email"), userinfo.get("email")
    if stated[0] is None and "email_verified" in userinfo:
        merged["email_verified"] = userinfo["email_verified"]
    if None not in stated and stated[0] != stated[1]:
        merged["email_verified"] = id_token.get("email_verified")
    return merged


def groups_of(value: Any) -> tuple[str, ...]:
    """The names of groups in a list; some providers send the only one as a text."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return ()
    names = (group for group in value if isinstance(group, str) and group and not unprintable(group))
    return tuple(islice(names, MAX_GROUPS))
