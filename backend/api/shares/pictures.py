"""The picture of an unfurling link, drawn once for each version of its result, theme and format."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from fastapi.concurrency import run_in_threadpool

from backend.api.capacity import ConcurrencyLimit
from backend.api.etag import etag_of
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.colours import ThemeName
from backend.core.export.pictures.card import card_chart, card_of
from backend.render import images

KEPT: Final = 64
"""Pictures in memory; each has 50 to 300 KB."""


@dataclass(frozen=True)
class Drawn:
    """A picture and its entity tag."""

    body: bytes
    etag: str


Key = tuple[str, ThemeName, images.Form]


class Pictures:
    """Cache of pictures; requests for the same one wait for one drawing. For one event loop."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Drawn] = OrderedDict()
        self._drawing: dict[Key, asyncio.Task[Drawn]] = {}

    async def find(
        self, slots: ConcurrencyLimit, shared_result: bytes, theme: ThemeName, form: images.Form
    ) -> Drawn:
        """The picture of a compressed SharedResult. Raises Overloaded and Unavailable."""
        key = (etag_of(shared_result), theme, form)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        task = self._drawing.get(key)
        if task is None:
            task = self._drawing[key] = asyncio.create_task(_drawn(slots, shared_result, theme, form))
            task.add_done_callback(lambda done: self._keep(key, done))
        return await asyncio.shield(task)  # a client that leaves does not stop it for the others

    def _keep(self, key: Key, done: asyncio.Task[Drawn]) -> None:
        del self._drawing[key]
        if done.cancelled() or done.exception() is not None:
            return
        self._kept[key] = done.result()
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


async def _drawn(slots: ConcurrencyLimit, shared_result: bytes, theme: ThemeName, form: images.Form) -> Drawn:
    async with slots.slot():
        body = await run_in_threadpool(_draw, shared_result, theme, form)
    return Drawn(body, etag_of(body))


def _draw(shared_result: bytes, theme: ThemeName, form: images.Form) -> bytes:
    shared = json.loads(gzip.decompress(shared_result))
    model = ChartModel.model_validate(shared["chart"])
    card = card_of(model, shared["title"] or model.title, theme)
    return images.draw_card(card_chart(model, theme), card, form)
