"""Accounts with a password for tests, stored as the account page stores them; and the work of hashing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest
from argon2 import PasswordHasher

from backend.api.passwords import hashing
from backend.api.passwords.rules import normalised
from backend.settings import Settings
from backend.store.repositories import passwords, profiles
from backend.store.session import session_scope
from tests.accounts import add_account

GOOD = "violet anvil under seven moons"
EMAIL = "ada@example.org"


def set_password(settings: Settings, account_id: str, email: str = EMAIL, password: str = GOOD) -> None:
    """Give an account an email address and a password."""
    with session_scope(settings) as session:
        assert profiles.change(session, account_id, {"email": email})
        passwords.store(session, account_id, hashing.hashed(normalised(password)))


def add_with_password(settings: Settings, email: str = EMAIL, name: str = "Ada") -> str:
    """Store an administrator of the default team with a password."""
    account_id = add_account(settings, name=name)
    set_password(settings, account_id, email)
    return account_id


@dataclass
class CountedHasher:
    """Counts the computed hashes, which are real ones."""

    hasher: PasswordHasher
    calls: Counter[str] = field(default_factory=Counter)

    def hash(self, password: str) -> str:
        self.calls["hash"] += 1
        return self.hasher.hash(password)

    def verify(self, stored: str, password: str) -> bool:
        self.calls["verify"] += 1
        return self.hasher.verify(stored, password)

    def check_needs_rehash(self, stored: str) -> bool:
        return self.hasher.check_needs_rehash(stored)


def count_hashes(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The calls of the hash function from now on, by name."""
    counted = CountedHasher(hashing.HASHER)
    monkeypatch.setattr(hashing, "HASHER", counted)
    return counted.calls
