"""Second factors: one authenticator app per account, and its recovery codes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from backend.store.models.base import Base


class SecondFactor(Base):
    """The secret that an account shares with an authenticator app (TOTP, RFC 6238).

    The secret is stored as it is, because codes are computed from it. It counts from `confirmed_at` on.
    `last_step` is the time step of the last accepted code: no code is accepted twice. `recovery_sha256` is of
    the codes that have not been used. `failures` counts wrong codes since the last accepted one.
    """

    __tablename__ = "second_factor"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    secret: Mapped[str]
    last_step: Mapped[int] = mapped_column(BigInteger, server_default="0")
    recovery_sha256: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    failures: Mapped[int] = mapped_column(server_default="0")
    failed_at: Mapped[datetime | None]
    confirmed_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
