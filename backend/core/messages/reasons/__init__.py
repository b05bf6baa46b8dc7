"""The English template of each reason, by id: the source of the page's `messages/en/reasons.ts`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.messages.reasons.accounts import ACCOUNTS
from backend.core.messages.reasons.choices import CHOICES
from backend.core.messages.reasons.documents import DOCUMENTS
from backend.core.messages.reasons.faults import FAULTS
from backend.core.messages.reasons.fields import FIELDS
from backend.core.messages.reasons.matrices import MATRICES
from backend.core.messages.reasons.objects import OBJECTS
from backend.core.messages.reasons.obstacles import OBSTACLES
from backend.core.messages.reasons.plans import PLANS
from backend.core.messages.reasons.readings import READINGS
from backend.core.messages.reasons.words import WORDS

TOPICS: Final[tuple[Mapping[str, str], ...]] = (
    ACCOUNTS,
    CHOICES,
    OBJECTS,
    FIELDS,
    DOCUMENTS,
    MATRICES,
    OBSTACLES,
    PLANS,
    READINGS,
    WORDS,
    FAULTS,
)
REASONS: Final = {id_: text for topic in TOPICS for id_, text in topic.items()}
