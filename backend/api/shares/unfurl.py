"""The page of an unfurling link: the built page's index.html with what chats show of it."""

from __future__ import annotations

import gzip
import html
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from backend.api.shares.tokens import is_unfurl_token, token_hash
from backend.core.definition.text import printable
from backend.core.errors import NotFound
from backend.core.export.pictures.card_svg import HEIGHT, WIDTH
from backend.settings import Settings
from backend.store.repositories import shares
from backend.store.repositories.shares import FoundShare
from backend.store.session import session_scope

LONGEST_TEXT: Final = 300
"""Characters of a description; chats cut longer ones."""
KEPT: Final = 32
ROBOTS: Final = '<meta name="robots" content="noindex, nofollow">'
_TITLE: Final = re.compile(r"<title>.*?</title>", re.DOTALL)
_DESCRIPTION: Final = re.compile(r'\s*<meta name="description"[^>]*>')


@dataclass(frozen=True)
class Preview:
    """What a chat shows of a link: its title and the verdict."""

    title: str
    verdict: str


def usable(settings: Settings, token: str) -> FoundShare | None:
    """The unfurling link of this token, noted as used; None for any other and for an unusable one."""
    if not is_unfurl_token(token):
        return None
    with session_scope(settings) as session:
        try:
            found = shares.find(session, token_hash(token))
        except NotFound:
            return None
        if found.kind != "unfurl" or found.revoked or found.expired:
            return None
        shares.use(session, found.id, 0)
    return found


@lru_cache(maxsize=KEPT)
def preview(shared_result: bytes) -> Preview:
    """Title and verdict of a compressed SharedResult."""
    body = json.loads(gzip.decompress(shared_result))
    chart = body["chart"]
    return Preview(
        _line(body["title"] or chart["title"]),
        _line((chart.get("answer") or {}).get("sentence") or chart["headline"]),
    )


def _line(text: str) -> str:
    line = " ".join(printable(text).split())
    return line if len(line) <= LONGEST_TEXT else f"{line[: LONGEST_TEXT - 1].rstrip()}…"


def index(settings: Settings) -> str | None:
    """The built page's index.html, None if it is not built."""
    file = Path(settings.page_dir) / "index.html"
    return file.read_text(encoding="utf-8") if file.is_file() else None


def generic_page(index_html: str) -> str:
    """The page of an address without a usable link: nothing of any link is in it."""
    return index_html.replace("</head>", f"    {ROBOTS}\n  </head>", 1)


def page(index_html: str, base_url: str, token: str, shown: Preview) -> str:
    """The page of a link, with title, verdict and picture for programs that do not run its script."""
    url = f"{base_url}/x/{token}"
    image = f"{url}/image.png"
    properties = {
        "og:type": "website",
        "og:site_name": "Plimsoll",
        "og:url": url,
        "og:title": shown.title,
        "og:description": shown.verdict,
        "og:image": image,
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": shown.verdict,
    }
    names = {
        "description": shown.verdict,
        "twitter:card": "summary_large_image",
        "twitter:title": shown.title,
        "twitter:description": shown.verdict,
        "twitter:image": image,
    }
    tags = [_tag("property", name, value) for name, value in properties.items()]
    tags += [_tag("name", name, value) for name, value in names.items()]
    head = "".join(f"    {tag}\n" for tag in (ROBOTS, *tags))
    title = f"<title>{html.escape(shown.title)} · Plimsoll</title>"
    found = _TITLE.sub(lambda _: title, _DESCRIPTION.sub("", index_html), count=1)
    return found.replace("</head>", f"{head}  </head>", 1)


def _tag(kind: str, name: str, value: str) -> str:
    return f'<meta {kind}="{name}" content="{html.escape(value)}">'
