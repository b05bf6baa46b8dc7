"""What a client of the REST API raises.

PlimsollError
├── Misconfigured       URL, token or credentials file cannot be used
├── Unreachable         no answer came
├── Refused             an answer that is an error: `status`, `code`, `title`, `detail`, `fields`
└── Unfinished          a run has not ended within the time that the caller gave
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import httpx2

TEXT_SHOWN: Final = 200
_UNAUTHENTICATED: Final = 401


class PlimsollError(Exception):
    """The root of this module's errors; its text is for the user."""


class Misconfigured(PlimsollError):
    """The URL, the token or the credentials file cannot be used."""


class Unreachable(PlimsollError):
    """No answer came."""


class Unfinished(PlimsollError):
    """A run has not ended in time."""


class Refused(PlimsollError):
    """An error response.

    `code` is the stable code of the problem document, empty if the response is not from Plimsoll; `fields`
    are (JSON Pointer, sentence).
    """

    def __init__(
        self, status: int, code: str, title: str, detail: str = "", fields: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.status, self.code, self.title, self.detail, self.fields = status, code, title, detail, fields
        super().__init__(self._text())

    def _text(self) -> str:
        if not self.code:
            return self.title
        lines = [f"  {pointer or '/'}: {sentence}" for pointer, sentence in self.fields]
        head = f"{self.title} ({self.status} {self.code})"
        return "\n".join([head, *(lines or [f"  {self.detail}"]), *self._remedy()])

    def _remedy(self) -> list[str]:
        if self.status != _UNAUTHENTICATED:
            return []
        return ["  run plimsoll login, or set PLIMSOLL_TOKEN to a token of this server, which its page makes"]


def refusal(answer: httpx2.Response) -> Refused:
    """The error of a response that is not a success: of a problem document, or of something else."""
    try:
        problem: Mapping[str, Any] = answer.json()
        fields = tuple((str(each["pointer"]), str(each["detail"])) for each in problem["errors"])
        return Refused(answer.status_code, problem["code"], problem["title"], problem["detail"], fields)
    except (ValueError, KeyError, TypeError):
        pass
    if answer.is_redirect:
        place = answer.headers.get("location", "another address")
        return Refused(
            answer.status_code,
            "",
            f"{answer.request.url.copy_with(path='/', query=None)} redirects to {place}: "
            f"use that server's own address",
        )
    title = f"the response, status {answer.status_code}, is not from Plimsoll: {answer.text[:TEXT_SHOWN]}"
    return Refused(answer.status_code, "", title)
