"""What the shell completes."""

from __future__ import annotations

from typing import Final

from backend.core.definition.presets import summaries

COMPLETE_VARIABLE: Final = "_PLIMSOLL_COMPLETE"
"""Set by the shell's script while it completes; its name follows from the command's."""


def complete_preset(incomplete: str) -> list[tuple[str, str]]:
    """The presets that begin with these letters, with their summaries, for the shell."""
    return [(name, summary) for name, summary in summaries().items() if name.startswith(incomplete)]
