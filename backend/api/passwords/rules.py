"""Which passwords are accepted: by length and by how many guesses they need (NIST SP 800-63B, 3.1.1.2).

There are no rules on kinds of characters. Known passwords, names, dates, keyboard rows and their usual
variations are found by zxcvbn (Wheeler, USENIX Security 2016), which has a list of 30,000 passwords.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from typing import Annotated, Final

from pydantic import Field, StrictStr
from zxcvbn import zxcvbn

from backend.core.errors import Invalid

MIN_LENGTH: Final = 12
MAX_LENGTH: Final = 256
ENOUGH: Final = 3
"""zxcvbn's score of at least 10^8 guesses."""
ESTIMATED: Final = 72
"""The length that zxcvbn accepts: its time grows faster than the length."""
_PRODUCT: Final = ("plimsoll", "docker", "postgres")
_DEFAULT_ADVICE: Final = "Use several words that do not belong together."

Password = Annotated[StrictStr, Field(min_length=1, max_length=MAX_LENGTH)]
"""A password as somebody typed it."""

_lock = threading.Lock()  # zxcvbn keeps the person's words in a dictionary of its module


def normalised(password: str) -> str:
    """A password as it is hashed: equal texts are equal, whatever the keyboard sent (NFKC)."""
    return unicodedata.normalize("NFKC", password)


def require_strong(pointer: str, password: str, name: str, email: str | None) -> None:
    """Raise Invalid unless a normalised password is long enough and hard to guess, also by who knows them."""
    if len(password) < MIN_LENGTH:
        detail = f"at least {MIN_LENGTH} characters; a few words are easier to remember than signs"
        raise Invalid.at(pointer, "password_too_short", detail)
    words = _own_words(name, email)
    score, advice = _estimate(password, words)
    rest = _without(password, words)
    if rest != password and (score_of_rest := _estimate(rest, [])[0]) < score:
        score, advice = score_of_rest, ["Besides words of your name or address there is little in it."]
    if score < ENOUGH:
        detail = " ".join(["too easy to guess.", *(advice or [_DEFAULT_ADVICE])])
        raise Invalid.at(pointer, "password_too_weak", detail)


def _own_words(name: str, email: str | None) -> list[str]:
    """What somebody who knows the person tries first, the longest first."""
    whole = {name, email or "", *_PRODUCT}
    parts = {part for text in whole for part in re.split(r"[\W_]+", text) if len(part) > 2}
    return sorted({text.lower() for text in whole | parts if text}, key=lambda text: (-len(text), text))


def _without(password: str, words: list[str]) -> str:
    """The password without these words, of which zxcvbn counts three in a row as hard to guess."""
    return re.sub("|".join(map(re.escape, words)), "", password, flags=re.IGNORECASE)


def _estimate(password: str, words: list[str]) -> tuple[int, list[str]]:
    """zxcvbn's score, 0 to 4, and its advice."""
    if not password:
        return 0, []
    with _lock:
        found = zxcvbn(password[:ESTIMATED], user_inputs=words)
    feedback = found["feedback"]
    return found["score"], [text for text in (feedback["warning"], *feedback["suggestions"]) if text]
