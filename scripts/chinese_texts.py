"""Writes the server's copy of the page's Chinese texts, for reports and pictures.

python -m scripts.chinese_texts
"""

from __future__ import annotations

import json
import re
from typing import Final

from backend.core.messages.translation import CHINESE
from scripts.page_messages import FOLDER, catalogs

NAMESPACES: Final = ("warnings", "betweenRuns", "reasons", "catalog", "labels", "report")
"""The namespaces with the texts of results and of their reports."""
_ENTRY: Final = re.compile(r'^  (\w+): ("(?:[^"\\]|\\.)*"),$', re.M)


def written() -> str:
    """The file: for each namespace and key the English and the Chinese template, as JSON."""
    found = {}
    for namespace in NAMESPACES:
        text = (FOLDER.parent / "zh" / f"{namespace}.ts").read_text()
        english = catalogs()[namespace]
        chinese = {key: json.loads(value) for key, value in _ENTRY.findall(text)}
        found[namespace] = {key: [english[key], chinese[key]] for key in english if key in chinese}
    return json.dumps(found, ensure_ascii=False, indent=0) + "\n"


if __name__ == "__main__":
    CHINESE.write_text(written(), "utf-8")
