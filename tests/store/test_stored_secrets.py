"""Which secrets the database, and so a backup, has as they are."""

from __future__ import annotations

from backend.store.models import Account

SPEAKING = ("secret", "token", "password", "code", "nonce", "cookie", "link")
HASHED = ("_sha256", "_hash", "_prefix")
NO_SECRETS = frozenset({"audit.code", "cell_profile.reason_code", "trial.failure_code"})
"""Codes of failures."""
AS_THEY_ARE = {
    "webhook.secret": "signs messages",
    "second_factor.secret": "codes are computed from it",
    "device_authorization.user_code": "a person compares it, and approves with a session; ten minutes",
}


def test_only_what_cannot_be_a_hash_is_stored_as_it_is() -> None:
    found = {
        f"{table.name}.{column.name}"
        for table in Account.metadata.tables.values()
        for column in table.columns
        if any(word in column.name for word in SPEAKING)
        and not column.name.endswith(HASHED)
        and not column.foreign_keys
    }
    assert found - NO_SECRETS == set(AS_THEY_ARE)
