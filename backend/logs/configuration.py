"""Configures the logs of a process: the standard library's loggers, rendered by structlog."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Final, TextIO

from structlog.contextvars import merge_contextvars
from structlog.processors import ExceptionRenderer, TimeStamper
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import Processor

from backend.logs.redaction import redact_entry
from backend.settings import Settings


def _without_copies(_logger: Any, _method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Remove what uvicorn (terminal colours) and formatters of other handlers add to a record."""
    for name in ("color_message", "message", "asctime"):
        entry.pop(name, None)
    return entry


FIRST: Final = ("time", "level", "logger", "event")
"""The keys that every entry has, in the order of a JSON line."""
OWN_HANDLERS: Final = ("uvicorn", "uvicorn.error", "uvicorn.access", "celery", "celery.task")
"""Loggers that libraries give handlers of their own; their entries go to the root logger instead."""
TALKATIVE: Final = ("httpx2", "httpcore2", "celery.worker.strategy", "celery.app.trace")
"""HTTP clients that log every request with its URL, and Celery, which logs every message twice."""
_ADDED: Final[tuple[Processor, ...]] = (
    merge_contextvars,
    add_log_level,
    add_logger_name,
    ExtraAdder(),
    _without_copies,
    TimeStamper(fmt="iso", utc=True, key="time"),
    ExceptionRenderer(),
)


def configure_logs(settings: Settings, stream: TextIO | None = None) -> None:
    """Log to `stream` (standard error), replacing every earlier configuration of this process.

    JSON lines, unless `log_format` or a terminal asks for text. Entries take the context of
    `structlog.contextvars` and the `extra` of the call.
    """
    target = stream or sys.stderr
    as_text = settings.log_format == "text" or (settings.log_format == "auto" and target.isatty())
    handler = logging.StreamHandler(target)
    handler.setFormatter(formatter(as_text=as_text))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    logging.captureWarnings(True)
    for name in OWN_HANDLERS:
        library = logging.getLogger(name)
        library.handlers.clear()
        library.propagate = True
        library.setLevel(logging.NOTSET)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    # The access log of `backend.api.access_log` replaces uvicorn's, which has the URL with its tokens.
    logging.getLogger("uvicorn.access").disabled = True


def formatter(*, as_text: bool) -> logging.Formatter:
    """The formatter of both forms."""
    return ProcessorFormatter(
        foreign_pre_chain=_ADDED,
        processors=[ProcessorFormatter.remove_processors_meta, redact_entry, _text if as_text else _json],
    )


def _json(_logger: Any, _method: str, entry: MutableMapping[str, Any]) -> str:
    ordered = {name: entry.pop(name) for name in FIRST if name in entry}
    return json.dumps({**ordered, **entry}, ensure_ascii=False, default=str)


def _text(_logger: Any, _method: str, entry: MutableMapping[str, Any]) -> str:
    """`LEVEL logger: event  key=value`, the form that the starter searches for problems and progress."""
    entry.pop("time")
    level, logger, event = (entry.pop(name) for name in FIRST[1:])
    exception = entry.pop("exception", None)
    pairs = "".join(f"  {name}={value}" for name, value in entry.items())
    return f"{level.upper()} {logger}: {event}{pairs}" + (f"\n{exception}" if exception else "")
