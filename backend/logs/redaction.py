"""Removes secrets from log entries: tokens by their form, values by the name before them.

Every pattern needs linear time: a client chooses some of the logged texts.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any, Final

HIDDEN: Final = "[redacted]"

NAMES: Final = frozenset(
    {
        "authorization",
        "cookie",
        "set-cookie",
        "proxy-authorization",
        "x-csrf-token",
        "password",
        "passwd",
        "secret",
        "client_secret",
        "token",
        "access_token",
        "refresh_token",
        "id_token",
        "device_code",
        "api_key",
    }
)
"""Names of fields, headers and query parameters whose values are secrets; in lower case, `_` also as `-`."""

_NAMED = "|".join(re.escape(name).replace("_", "[_-]") for name in sorted(NAMES, key=len, reverse=True))
_HEADER = r"(?:proxy-)?authorization|(?:set-)?cookie"
_PATTERNS: Final = (
    # Tokens of scripts and the secrets of webhooks; the prefix stays, so that the kind is visible.
    (re.compile(r"\b(plm|whsec)_[\w+/=-]{16,}+"), rf"\1_{HIDDEN}"),
    # Whole headers: a cookie is a list, an Authorization has a scheme before the secret.
    (re.compile(rf"(?i)\b({_HEADER})(['\"]?[:=] ?['\"]?)[^\r\n'\"]++"), rf"\1\2{HIDDEN}"),
    (re.compile(r"(?i)\b(bearer|basic) [\w.~+/=-]{8,}+"), rf"\1 {HIDDEN}"),
    (re.compile(rf"(?i)\b({_NAMED})(['\"]?[:=] ?['\"]?)[^\s'\"&,;]{{4,}}+"), rf"\1\2{HIDDEN}"),
    # The password of a URL: everything up to the last @ before the path.
    (re.compile(r"(://[^/\s:@]{0,200}+:)[^/\s]{1,400}@"), rf"\1{HIDDEN}@"),
    # Share links: the token is the path below /x/ or the fragment of /shared.
    (re.compile(r"(/x/|/shared#|/shared/)[\w-]++"), rf"\1{HIDDEN}"),
    # 256 random bits in base64url, the form of share links, sessions and one-time links. Digests are hex.
    (re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])"), HIDDEN),
    # 22 letters and digits of all three kinds, the form of unfurling share links.
    (re.compile(r"(?<![\w-])(?=\w*[0-9])(?=\w*[a-z])(?=\w*[A-Z])[A-Za-z0-9]{22}(?![\w-])"), HIDDEN),
)


def redact(text: str) -> str:
    """The text without anything that has the form of a secret."""
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def redact_entry(_logger: Any, _method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The log entry without secrets; a processor of structlog."""
    return {name: _redacted(name, value) for name, value in entry.items()}


def _redacted(name: str, value: Any) -> Any:
    if name.lower() in NAMES or name.lower().replace("-", "_") in NAMES:
        return HIDDEN
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: _redacted(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted("", item) for item in value]
    return value if isinstance(value, int | float | bool | None) else redact(str(value))
