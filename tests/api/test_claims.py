"""Claims of a provider that name nobody, or that are made to deceive: no identity, or none of their text."""

from __future__ import annotations

from typing import Any

import pytest

from backend.api.identity.provider import SignInFailed
from backend.api.identity.provider import _identity_of as identity_of

GOOD: dict[str, Any] = {
    "iss": "https://id.example.org",
    "sub": "248289761001",
    "name": "Grace Hopper",
    "email": "grace@example.org",
    "email_verified": True,
    "groups": ["bench", "ops"],
}


def test_the_claims_of_a_person() -> None:
    found = identity_of(GOOD)
    assert (found.issuer, found.subject) == ("https://id.example.org", "248289761001")
    assert (found.name, found.email, found.groups) == ("Grace Hopper", "grace@example.org", ("bench", "ops"))


@pytest.mark.parametrize(
    "subject",
    [
        "",
        " ",
        "\t",
        "\u3000",
        None,
        7,
        True,
        ["a"],
        {"a": 1},
        "a" * 256,
        "a\x00",
        "a\nb",
        "\u202ea",
        "\ud800",
    ],
)
def test_a_subject_that_names_nobody_is_refused(subject: Any) -> None:
    """Two people whose provider states an empty subject would be one account."""
    with pytest.raises(SignInFailed) as refused:
        identity_of(GOOD | {"sub": subject})
    assert refused.value.code == "invalid_token"
    with pytest.raises(SignInFailed):
        identity_of({name: value for name, value in GOOD.items() if name != "sub"})


def test_a_subject_is_taken_as_it_is() -> None:
    for subject in ("a" * 255, "Grace", "grace", "auth0|1", "名前", " a"):
        assert identity_of(GOOD | {"sub": subject}).subject == subject


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Gr\x00ace\x1b[31m\u202e Hopper\n", "Grace[31m Hopper"),
        ("\u200e\x07", "248289761001"),
        ({"first": "Grace"}, "248289761001"),
        (["Grace"], "248289761001"),
        ("G" * 500, "G" * 100),
        ("Gra\ud800ce", "Grace"),
    ],
)
def test_a_name_has_printable_characters_only(name: Any, shown: str) -> None:
    found = identity_of({"iss": GOOD["iss"], "sub": GOOD["sub"], "name": name})
    assert found.name == shown


@pytest.mark.parametrize(
    "email",
    [
        *("", "grace", "grace@exa\x00mple.org", "grace@example.org\n", "gr ace@example.org", 7, ["a@b.org"]),
        *(None, "a" * 250 + "@b.org", "\u202egrace@example.org", "grace@", "@example.org"),
    ],
)
def test_an_email_that_is_no_address_is_none(email: Any) -> None:
    assert identity_of(GOOD | {"email": email}).email is None


@pytest.mark.parametrize("email", ["mi\u212ae@example.org", "m\u0130ke@example.org", "mike@\uff45xample.org"])
def test_an_email_with_a_letter_that_becomes_another_one_is_none(email: str) -> None:
    """In lower case, or as a name of a host, it would be somebody else's: KELVIN SIGN becomes k."""
    assert identity_of(GOOD | {"email": email}).email is None


@pytest.mark.parametrize("email", ["grace.höpper@straße.example", "名前@example.jp", "o'k+1@example.org"])
def test_an_email_of_another_script_is_taken_as_it_is(email: str) -> None:
    assert identity_of(GOOD | {"email": email}).email == email


@pytest.mark.parametrize("verified", [False, None, "yes", 1, [True]])
def test_an_email_that_is_not_verified_is_none(verified: Any) -> None:
    assert identity_of(GOOD | {"email_verified": verified}).email is None


@pytest.mark.parametrize("groups", [None, {"ops": 1}, 7, [["ops"], 7, None, "a\x00"]])
def test_groups_that_are_no_names_are_none(groups: Any) -> None:
    assert identity_of(GOOD | {"groups": groups}).groups == ()


def test_long_claims_cost_little() -> None:
    found = identity_of(GOOD | {"name": "a " * 3_000_000, "groups": [f"g{n}" for n in range(100_000)]})
    assert len(found.name) <= 100 and len(found.groups) == 1000
