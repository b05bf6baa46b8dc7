"""A sentence with its id and figures.

`message("runNotFinished")` is a `str`, the English text of the template, for scripts, exports and the
terminal; responses give its id and figures beside it (`MessageParts`), from which the page makes the sentence
in its own language. A text that string operations put together from messages is a plain `str` without an id;
it has one only where `recognise` knows a template of the whole.
Templates have the syntax of i18next: `{{name}}`, and `key_one` and `key_other` by the figure `count`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, PlainSerializer, WrapValidator, model_validator

from backend.core.messages.catalog import TEMPLATES
from backend.core.messages.recognise import Recognised, recognise

Figure = str | int
"""A figure as it is printed; a whole number gets separators of thousands. A `Message` is translated too."""

_WORD = re.compile(r"[A-Za-z0-9]+")
_FIGURE = re.compile(r"\{\{(\w+)\}\}")


class Message(str):
    """The English text of a template with its figures; `id` is the template's key."""

    id: str
    figures: Mapping[str, Figure | MessageParts]

    def __str__(self) -> str:
        """The message itself, so that an error keeps the message that it was raised with."""
        return self


def message(id_: str, **figures: Figure) -> Message:
    """The message of a template; raises KeyError for an unknown template or a figure that is missing."""
    found = Message(_FIGURE.sub(lambda name: _text(figures[name[1]]), _template(id_, figures)))
    found.id, found.figures = id_, figures
    return found


def joined(texts: Iterable[str | None], by: str = "joined") -> str:
    """Texts one after the other by a template of `first` and `second`; empty ones are left out."""
    found = ""
    for text in filter(None, texts):
        found = message(by, first=found, second=text) if found else text
    return found


def named(id_: str, text: str) -> Message:
    """A name of a definition as a message of the page's namespace `catalog`: `catalog:metricTps`."""
    found = Message(text)
    found.id, found.figures = f"catalog:{id_}", {}
    return found


def key(prefix: str, name: str) -> str:
    """The key of a name: `metricLatencyP99Ms` for "metric" and "latency_p99_ms"."""
    return prefix + "".join(part[:1].upper() + part[1:] for part in _WORD.findall(name))


def _template(id_: str, figures: Mapping[str, Figure]) -> str:
    plural = f"{id_}_{'one' if figures.get('count') == 1 else 'other'}"
    return TEMPLATES[plural] if plural in TEMPLATES else TEMPLATES[id_]


def _text(figure: Figure) -> str:
    return figure if isinstance(figure, str) else f"{figure:,}"


class MessageParts(BaseModel):
    """The id of a sentence and its figures, from which the page makes it in its own language.

    A figure may be a message itself.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    figures: dict[str, str | int | MessageParts] = {}


def parts_of(text: object) -> MessageParts | None:
    """The id and figures of a message, or of a text that has a template; None for any other text."""
    if not isinstance(text, Message):
        found = recognise(text) if isinstance(text, str) else None
        return None if found is None else _parts_of(found)
    figures = {name: _part(figure) for name, figure in text.figures.items()}
    return MessageParts(id=text.id, figures=figures)


def messages_of(texts: Iterable[str | None]) -> dict[str, MessageParts]:
    """The id and figures of each text that has a template, by the text."""
    found = {text: parts_of(text) for text in dict.fromkeys(texts) if text}
    return {text: parts for text, parts in found.items() if parts is not None}


def _part(figure: Figure | MessageParts) -> str | int | MessageParts:
    return parts_of(figure) or figure if isinstance(figure, Message) else figure


def _parts_of(found: Recognised) -> MessageParts:
    figures = {
        name: _parts_of(figure) if isinstance(figure, Recognised) else figure
        for name, figure in found.figures.items()
    }
    return MessageParts(id=found.id, figures=figures)


def _kept(value: object, validate: Callable[[object], str]) -> str:
    return value if isinstance(value, Message) else validate(value)


Sentence = Annotated[str, WrapValidator(_kept)]
"""The type of a field whose value stays a `Message`, so that another sentence can hold it."""


def with_parts(text: str, parts: MessageParts | None) -> str:
    """A text that is read from JSON, with the id and figures that it had; itself where it has none."""
    if parts is None or isinstance(text, Message):
        return text
    found = Message(text)
    found.id, found.figures = parts.id, parts.figures
    return found


def recognised(text: str) -> str:
    """A text of the server that was kept without its id, with the id and figures of its template."""
    return with_parts(text, parts_of(text))


def _restored(value: object, validate: Callable[[object], str]) -> str:
    if not isinstance(value, Mapping):
        return _kept(value, validate)
    return with_parts(value["text"], MessageParts.model_validate(value["parts"]))


def _stored(value: str) -> object:
    parts = parts_of(value)
    return value if parts is None else {"text": str(value), "parts": parts.model_dump()}


StoredSentence = Annotated[str, WrapValidator(_restored), PlainSerializer(_stored)]
"""The type of a field that is stored as JSON and read again, with the id and figures of a `Message`."""


class WithMessages(BaseModel):
    """Base of models: `message` has the id and figures of `sentence`, and `x_message` those of `x`.

    `x_messages` has those of each text in the list `xs`, null for a text without an id.
    """

    @model_validator(mode="before")
    @classmethod
    def _with_messages(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        added: dict[str, object] = {}
        for name in cls.model_fields:
            if (name == "message" or name.endswith("_message")) and data.get(name) is None:
                parts = parts_of(data.get("sentence" if name == "message" else name.removesuffix("_message")))
                if parts is not None:
                    added[name] = parts
            if name.endswith("_messages") and not data.get(name):
                texts = data.get(name.removesuffix("_messages") + "s")
                added[name] = tuple(map(parts_of, texts or ()))
        return {**data, **added} if added else data

    @model_validator(mode="after")
    def _with_messages_of_attributes(self) -> Self:
        """The same for a model that is read from attributes."""
        for name in type(self).model_fields:
            if (name == "message" or name.endswith("_message")) and getattr(self, name) is None:
                sentence = "sentence" if name == "message" else name.removesuffix("_message")
                self.__dict__[name] = parts_of(getattr(self, sentence, None))
        return self
