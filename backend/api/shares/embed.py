"""The page of an unfurling link that other sites may show in a frame: one picture, no script."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import Final

from backend.api.shares.unfurl import ROBOTS, Preview
from backend.core.export.colours import THEMES
from backend.core.export.pictures.card_svg import HEIGHT, WIDTH

THEME_NAMES: Final = ("auto", *THEMES)
_STYLE: Final = (
    "html,body{margin:0;background:transparent}a{display:block}img{display:block;width:100%;height:auto}"
)
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "img-src 'self'",
        f"style-src 'sha256-{_STYLE_HASH}'",
        "frame-ancestors *",
        "base-uri 'none'",
        "form-action 'none'",
        "sandbox allow-popups allow-popups-to-escape-sandbox",
    )
)
"""Content-Security-Policy of the embedded page: it runs nothing and has an origin of its own."""


def page(token: str, shown: Preview, theme: str) -> str:
    """The page: the picture, which opens the link's page; `theme` "auto" follows the reader's system."""
    image = f"/x/{token}/image.svg?theme="
    fixed = "light" if theme == "auto" else theme
    dark = f'<source media="(prefers-color-scheme: dark)" srcset="{image}dark">' if theme == "auto" else ""
    about = escape(f"{shown.title}: {shown.verdict}")
    picture = (
        f'<picture>{dark}<img src="{image}{fixed}" width="{WIDTH}" height="{HEIGHT}" alt="{about}"></picture>'
    )
    link = f'<a href="/x/{token}" target="_blank" rel="noopener noreferrer">{picture}</a>'
    head = f'<meta charset="utf-8">{ROBOTS}<meta name="color-scheme" content="light dark">'
    head += f"<title>{escape(shown.title)} · Plimsoll</title><style>{_STYLE}</style>"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{link}</body></html>'
