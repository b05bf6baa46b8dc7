"""Text escaped for Markdown, so that nothing in it is interpreted: no HTML, link, emphasis or new line.

Sources: CommonMark 0.31 (2.4 backslash escapes, 4 leaf blocks, 6 inlines) and GitHub Flavored Markdown
0.29 (tables, strikethrough, autolinks). Characters without a meaning in their place are left alone, so
that the text stays readable: underscores within words, brackets around an interval.
"""

from __future__ import annotations

import re
from typing import Final

_INTERPRETED: Final = re.compile(
    r"[\\`*~|&#@$]"  # code, emphasis, tables, entities, headings, addresses, and GitHub's mathematics
    r"|<(?![= ])|>(?!=)"  # HTML; "<=" is none
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis; not between two letters or digits
    r"|\[(?![-−]?[0-9][^\[\]]*\](?![(\[:]))"  # links; [0.98, 1.02] is none unless what follows makes it one
    r"|:(?=//)|(?<=www)\.",  # addresses, which become links without any mark
    re.IGNORECASE,
)
_ADDRESSED: Final = re.compile(r"(?<=[\w.+-])@(?=[\w.-]*\.\w)|(?<![\w/])@(?=\w)")
"""An e-mail address, or a name at GitHub; applied before the backslashes."""
_JOINER: Final = "\N{WORD JOINER}"
_BLOCK: Final = re.compile(r"([0-9]{1,9})[.)](?= |$)|\+(?= |$)|-(?=[- ]|$)|>")
"""How a list, a quotation or a rule begins."""


def plain(text: str) -> str:
    """The text on one line, with a backslash before whatever would be interpreted."""
    line = _ADDRESSED.sub(f"@{_JOINER}", " ".join(text.split()))
    escaped = _INTERPRETED.sub(lambda found: f"\\{found.group()}", line)
    block = _BLOCK.match(escaped)
    if block is None:
        return escaped
    digits = block.group(1) or ""
    return f"{digits}\\{escaped[len(digits) :]}"
