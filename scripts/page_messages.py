"""Writes the page's English catalogues whose texts are the server's: `warnings`, `reasons` and `catalog`.

python -m scripts.page_messages
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from backend.core.definition.factors import FACTORS
from backend.core.definition.metrics import METRICS
from backend.core.definition.presets import presets
from backend.core.messages.catalog import TEMPLATES
from backend.core.messages.message import key
from backend.core.messages.reasons import REASONS
from backend.core.plan.labels import hop_label
from backend.core.sample.notice_kinds import KINDS
from backend.core.sample.record import ROLES
from backend.core.topology.model import Hop
from backend.core.topology.paths import PATHS

FOLDER: Final = Path(__file__).parents[1] / "frontend" / "src" / "messages" / "en"
WORDS: Final = sorted({m.unit for m in METRICS.values() if m.unit.isalpha() and len(m.unit) > 2})
"""Units that are words."""
HEADER: Final = "// Generated from the server's texts: python -m scripts.page_messages\n"


def catalogs() -> dict[str, Mapping[str, str]]:
    """The English texts of each generated namespace by key."""
    return {"warnings": TEMPLATES, "reasons": REASONS, "catalog": dict(_names())}


def _names() -> Iterator[tuple[str, str]]:
    """The names that the server gives to what a definition can hold and a result can show."""
    for factor in FACTORS.values():
        yield key("factor", factor.name), factor.label
        if factor.about:
            yield key("about", factor.name), factor.about
    for metric in METRICS.values():
        yield key("metric", metric.name), metric.label
    for unit in WORDS:
        yield key("unit", unit), unit
    for path in PATHS.values():
        yield key("path", path.name), path.title
        yield key("pathSummary", path.name), path.summary
    for hop in Hop:
        yield key("hop", hop_label(hop.value)), hop_label(hop.value)
    for role in (*ROLES, "unattributed", "idle", "steal"):
        yield key("role", role), role
    for kind in KINDS:
        yield key("notice", kind), kind
    for preset in presets():
        yield key("preset", preset.name), preset.title


def module(texts: Mapping[str, str]) -> str:
    """A catalogue as a TypeScript module."""
    lines = "".join(f"  {name}: {json.dumps(text, ensure_ascii=False)},\n" for name, text in texts.items())
    return f"{HEADER}export default {{\n{lines}}} as const;\n"


if __name__ == "__main__":
    for namespace, found in catalogs().items():
        (FOLDER / f"{namespace}.ts").write_text(module(found))
