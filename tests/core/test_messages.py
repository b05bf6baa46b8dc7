"""Messages by id: the page's catalogues are the server's, and messages survive what models do to them."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

from backend.core.chart.model.chart_model import RunNotice
from backend.core.messages.catalog import TEMPLATES, TOPICS, TOPICS_BETWEEN, TOPICS_OF_REPORTS
from backend.core.messages.message import Message, joined, key, message, parts_of
from backend.core.messages.waits import WAITS
from backend.core.sample import warnings
from backend.core.sample.notice_kinds import KINDS
from scripts.page_messages import FOLDER, catalogs, module

NAMESPACES = ["warnings", "betweenRuns", "reasons", "catalog", "labels", "report", "refusals", "waits"]


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_the_pages_english_is_the_servers(namespace: str) -> None:
    written = (FOLDER / f"{namespace}.ts").read_text()
    assert written == module(catalogs()[namespace]), "run: python -m scripts.page_messages"


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_every_message_and_every_name_of_a_definition_is_translated(namespace: str) -> None:
    chinese = (FOLDER.parent / "zh" / f"{namespace}.ts").read_text()
    translated = set(re.findall(r"^  (\w+): ", chinese, re.M))
    assert {name for name in catalogs()[namespace] if not name.endswith("_one")} == translated


def test_an_id_is_in_one_topic_only() -> None:
    assert len(TEMPLATES) == sum(map(len, (*TOPICS, *TOPICS_BETWEEN, *TOPICS_OF_REPORTS, WAITS)))


def test_a_message_is_its_english_text_and_keeps_its_figures() -> None:
    text = message("rounds", count=1)
    assert (text, text.id, dict(text.figures)) == ("1 round", "rounds", {"count": 1})
    assert message("rounds", count=2) == "2 rounds"
    assert message("clients", count=1200, n=1200) == "1,200 clients"


def test_a_message_without_its_figures_is_an_error() -> None:
    with pytest.raises(KeyError):
        message("rounds")
    with pytest.raises(KeyError):
        message("noSuchMessage")


@pytest.mark.parametrize("kept", [str(ValueError(message("noRatio"))), copy.deepcopy(message("noRatio"))])
def test_errors_and_copies_keep_the_message(kept: str) -> None:
    assert isinstance(kept, Message)
    assert kept.id == "noRatio"


def test_a_model_has_the_message_beside_its_sentence() -> None:
    notice = RunNotice(sentence=message("bestIs", cell="a", n=2, metric=message("noRatio")))
    assert notice.message is not None
    assert notice.model_dump()["message"] == {
        "id": "bestIs",
        "figures": {"cell": "a", "n": 2, "metric": {"id": "noRatio", "figures": {}}},
    }
    assert RunNotice.model_validate(notice.model_dump()) == notice
    assert RunNotice(sentence="a text of its own").message is None


def test_joined_texts_leave_out_empty_ones() -> None:
    both = joined((message("noRatio"), None, "", "a text"), "semicolon")
    assert both == "no ratio exists; a text"
    assert parts_of(both) is not None
    assert joined((None, "")) == ""


def test_the_kind_of_every_notice_is_a_known_one() -> None:
    roles = ("client", "server", "reverse proxy")
    texts = "".join(path.read_text() for path in Path(warnings.__file__).parent.glob("*.py"))
    written = re.findall(r'Notice\(\s*f?"([^"]+)"', texts)
    assert len(written) > 30
    kinds = {role_kind for kind in written for role_kind in _by_role(kind, roles)}
    assert kinds <= set(KINDS)


def _by_role(kind: str, roles: tuple[str, ...]) -> list[str]:
    return [f"throttled {role}" for role in roles] if kind.startswith("throttled ") else [kind]


def test_keys_are_in_camel_case() -> None:
    assert key("metric", "latency_p99_ms") == "metricLatencyP99Ms"
    assert key("hop", "docker-proxy") == "hopDockerProxy"
