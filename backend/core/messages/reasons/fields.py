"""Refusals of single fields by their types."""

from __future__ import annotations

from typing import Final

FIELDS: Final = {
    "pyRequired": "Field required",
    "pyExtra": "Extra inputs are not permitted",
    "pyString": "Input should be a valid string",
    "pyInteger": "Input should be a valid integer",
    "pyIntegerParse": "Input should be a valid integer, unable to parse string as an integer",
    "pyIntegerFraction": "Input should be a valid integer, got a number with a fractional part",
    "pyNumber": "Input should be a valid number",
    "pyNumberParse": "Input should be a valid number, unable to parse string as a number",
    "pyFinite": "Input should be a finite number",
    "pyBoolean": "Input should be a valid boolean",
    "pyBooleanParse": "Input should be a valid boolean, unable to interpret input",
    "pyList": "Input should be a valid list",
    "pyTuple": "Input should be a valid tuple",
    "pyDictionary": "Input should be a valid dictionary",
    "pyObject": "Input should be a valid dictionary or object to extract fields from",
    "pyModel": "Input should be a valid dictionary or instance of {{type}}",
    "pyChoice": "Input should be {{names}}",
    "pyAtLeast": "Input should be greater than or equal to {{n}}",
    "pyAbove": "Input should be greater than {{n}}",
    "pyAtMost": "Input should be less than or equal to {{n}}",
    "pyBelow": "Input should be less than {{n}}",
    "pyLongText": "String should have at most {{n}} characters",
    "pyLongTextOne": "String should have at most {{n}} character",
    "pyShortText": "String should have at least {{n}} characters",
    "pyShortTextOne": "String should have at least {{n}} character",
    "pyPattern": "String should match pattern '{{pattern}}'",
    "tagForm": (
        "a tag has 1 to 40 characters of a-z, 0-9, dot, hyphen, underscore, colon and slash, "
        "starting with a-z or 0-9"
    ),
    "otherForm": "{{field}} has a form or a character that is not allowed; the API reference says which are",
    "pyLongList": "List should have at most {{n}} items after validation, not {{given}}",
    "pyLongTuple": "Tuple should have at most {{n}} items after validation, not {{given}}",
    "pyLongListOne": "List should have at most {{n}} item after validation, not {{given}}",
    "pyLongTupleOne": "Tuple should have at most {{n}} item after validation, not {{given}}",
    "pyShortList": "List should have at least {{n}} items after validation, not {{given}}",
    "pyShortTuple": "Tuple should have at least {{n}} items after validation, not {{given}}",
    "pyShortListOne": "List should have at least {{n}} item after validation, not {{given}}",
    "pyShortTupleOne": "Tuple should have at least {{n}} item after validation, not {{given}}",
    "pyDatetime": "Input should have timezone info",
    "pyDate": "Input should be a valid datetime{{why}}",
    "pyValue": "Value error, {{why}}",
    "parameterDetail": "query parameter {{name}}: {{detail}}",
    "pathDetail": "path parameter {{name}}: {{detail}}",
    "headerDetail": "header parameter {{name}}: {{detail}}",
    "joinedReasons": "{{first}}; {{second}}",
    "hostLeaveOrChange": "{{host}}: {{detail}}; leave this host out, or change the experiment",
    "hostLeave": "{{host}}: {{detail}}; leave this host out",
    "giveEmail": "the email address of the account",
    "givePassword": "the password of the account",
}
