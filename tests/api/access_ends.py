"""What ends the access of a caller whose request is still open."""

from __future__ import annotations

from typing import Final

ACCESS_ENDS: Final = (
    "UPDATE api_token SET revoked_at = now()",
    "UPDATE api_token SET expires_at = now()",
    "UPDATE account SET disabled_at = now()",
    "DELETE FROM membership",
    "UPDATE browser_session SET ended_at = now()",
    "UPDATE team SET requires_second_factor = true",
)
