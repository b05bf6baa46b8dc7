"""What the shell completes."""

from __future__ import annotations

from backend.core.definition.presets import summaries


def complete_preset(incomplete: str) -> list[tuple[str, str]]:
    """The presets that begin with these letters, with their summaries, for the shell."""
    return [(name, summary) for name, summary in summaries().items() if name.startswith(incomplete)]
