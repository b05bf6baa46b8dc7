"""What the parser of JSON and YAML refuses, and which line, column or field it names."""

from __future__ import annotations

import pytest

from backend.core.definition.document_parser import MAX_LENGTH, MAX_NODES, Media, parse_document
from backend.core.errors import Malformed


def refusal(text: str | bytes, media: Media) -> tuple[str, str]:
    with pytest.raises(Malformed) as caught:
        parse_document(text, media)
    (problem,) = caught.value.problems
    return problem.code, problem.detail


def pointer(text: str, media: Media) -> str:
    with pytest.raises(Malformed) as caught:
        parse_document(text, media)
    return caught.value.problems[0].pointer


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("a: [1", "malformed", "line 2, column 1"),
        ("a: 1\n b: 2", "malformed", "line 2, column 3"),
        ("a: 1\nb: 2\na: 3", "duplicate_key", "line 3, column 1"),
        ("a: {b: 1, b: 2}", "duplicate_key", "line 1, column 11"),
        ("a: &x 1", "alias", "line 1, column 4"),
        ("a: *x", "alias", "line 1, column 4"),
        ("a: {<<: {b: 1}}", "merge_key", "line 1, column 5"),
        ("a: !!python/object:os.system 1", "tag", "line 1, column 4"),
        ("a: !!str 1", "tag", "line 1, column 4"),
        ("a: .nan", "not_finite", "line 1, column 4"),
        ("a: -.INF", "not_finite", "line 1, column 4"),
        ("a: 1.0e9999", "not_finite", "line 1, column 4"),
        ("? [a]\n: 1", "key", "line 1, column 3"),
        ("a: 1\n---\nb: 2", "second_document", "line 2, column 1"),
        ("[" * 500, "too_deep", "line 1, column 13"),
        ("a: \x00", "malformed", "line 1, column 4"),
    ],
)
def test_yaml_refusals_name_the_place(text: str, code: str, where: str) -> None:
    assert refusal(text, "yaml")[0] == code
    assert refusal(text, "yaml")[1].startswith(where + ": ")


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ('{"a": 1,\n "b" 2}', "malformed", "line 2, column 6"),
        ("", "malformed", "line 1, column 1"),
        ('{"a": 1, "a": 2}', "duplicate_key", ""),
        ('{"a": NaN}', "not_finite", ""),
        ('{"a": [-Infinity]}', "not_finite", ""),
        ('{"a": 1e400}', "not_finite", ""),
        ("[" * 100_000, "too_deep", "line 1, column 13"),
        ("9" * 5_000, "number_too_long", ""),
        ("[" + "1," * (MAX_NODES + 1) + "1]", "too_large", "line 1, column "),
        ('"' + '\\"' * 100_000, "malformed", "line 1, column 1: "),
        ('{"a": "[[[[[[[[[[[[[[[', "malformed", "line 1, column 7"),
        ('"a\\', "malformed", "line 1, column 1"),
        (" " * (MAX_LENGTH + 1), "too_large", "the document has more than 1,048,576 characters"),
    ],
)
def test_json_refusals(text: str, code: str, where: str) -> None:
    found, detail = refusal(text, "json")
    assert (found, detail[: len(where)]) == (code, where)


@pytest.mark.parametrize(
    ("text", "media", "where"),
    [
        ('{"margin": NaN}', "json", "/margin"),
        ('{"factors": {"clients": [1, -Infinity]}}', "json", "/factors/clients/1"),
        ('{"a/b": {"~": [[1e400]]}}', "json", "/a~1b/~0/0/0"),
        ('{"a": 1, "a": 2}', "json", ""),
        ("margin: .nan", "yaml", "/margin"),
        ("factors:\n  path: [x]\n  clients: [1, 2, .inf]", "yaml", "/factors/clients/2"),
        ("factors:\n  clients:\n    - 1\n    - {deep: 1.0e9999}", "yaml", "/factors/clients/1/deep"),
        ("a: {b: 1, b: 2}", "yaml", "/a"),
        ("a: 1\nb: 2\na: 3", "yaml", ""),
        ("a: !!str 1", "yaml", "/a"),
        ("a: [1", "yaml", ""),
    ],
)
def test_a_refusal_names_the_field_where_it_is_known(text: str, media: Media, where: str) -> None:
    assert pointer(text, media) == where


@pytest.mark.parametrize("media", ["json", "yaml"])
def test_bytes_must_be_utf8(media: Media) -> None:
    assert refusal(b'{"a": "\xff"}', media) == ("not_utf8", "the text must be UTF-8; byte 7 is not")
    assert parse_document(b'\xef\xbb\xbf{"a": "\xc3\xa4"}', media) == {"a": "ä"}


def test_brackets_inside_json_texts_are_no_nesting() -> None:
    assert parse_document('{"a": "' + "[" * 50 + '\\"{"}', "json") == {"a": "[" * 50 + '"{'}


def test_a_large_yaml_document_is_parsed_no_further_than_its_limit() -> None:
    """The list is the first value, so that the value beyond the limit is the item in this line."""
    code, detail = refusal("- 1\n" * 250_000, "yaml")
    assert (code, detail) == (
        "too_large",
        f"line {MAX_NODES}, column 3: the document has more than {MAX_NODES:,} values",
    )


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("on", True),
        ("No", False),
        ("TRUE", True),
        ("~", None),
        ("", None),
        ("8", 8),
        ("-3", -3),
        ("0.05", 0.05),
        ("1e3", 1000.0),
        ("010", "010"),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("2019-01-01", "2019-01-01"),
        ("'8'", "8"),
        ('"no"', "no"),
        ("=", "="),
    ],
)
def test_yaml_scalars(word: str, value: object) -> None:
    found = parse_document(f"a: {word}", "yaml")
    assert found == {"a": value}
    assert isinstance(found, dict)
    assert type(found["a"]) is type(value)


def test_yaml_keys_stay_text() -> None:
    assert parse_document("on: 1\n8: 2", "yaml") == {"on": 1, "8": 2}
