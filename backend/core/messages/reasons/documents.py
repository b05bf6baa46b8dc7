"""Refusals of an experiment's document and its fields."""

from __future__ import annotations

from typing import Final

DOCUMENTS: Final = {
    "lineColumn": "line {{line}}, column {{column}}: {{detail}}",
    "documentLong": "the document has more than {{most}} characters",
    "documentValues": "the document has more than {{most}} values",
    "documentDeep": "nested more than {{most}} levels deep",
    "notUtf8": "the text must be UTF-8; byte {{at}} is not",
    "notJsonWhy": "not valid JSON: {{why}}",
    "numberDigits": "a number has more digits than any field allows",
    "keyTwice": "the key {{key}} occurs twice in one object",
    "keyTwiceYaml": "the key {{key}} occurs twice",
    "notFinite": "{{number}} is not allowed; numbers must be finite",
    "notYaml": "not valid YAML: {{why}}",
    "yamlCharacter": "a character that YAML does not allow: {{why}}",
    "oneDocument": "one document only; remove the second '---'",
    "noAnchors": "anchors (&) and aliases (*) are not allowed; repeat the value",
    "noTags": "tags are not allowed: {{tag}}",
    "notAnObject": "the document must be an object with fields, not {{kind}}",
    "kindText": "a text",
    "kindNumber": "a number",
    "kindList": "a list",
    "kindBoolean": "true or false",
    "kindEmpty": "empty",
    "underFactors": "tool, service and script are factors: name them under factors",
    "unknownNounNear": "unknown {{noun}} {{name}}; the {{nouns}} are {{names}}; did you mean {{near}}?",
    "unknownNoun": "unknown {{noun}} {{name}}; the {{nouns}} are {{names}}",
    "unknownMeant": "unknown {{noun}} {{name}}; did you mean {{near}}?",
    "nounFactor": "factor",
    "nounFactors": "factors",
    "nounMetric": "metric",
    "nounMetrics": "metrics",
    "nounField": "field",
    "nounFields": "fields",
    "nounLevel": "level",
    "nounRule": "rule",
    "levelNotAllowed": "{{value}} is not allowed; {{allowed}}",
    "levelNotAllowedYaml": (
        "{{value}} is not allowed; {{allowed}}; in YAML an unquoted yes, no, on or off is true or false"
    ),
    "notALevel": "{{value}} is not a level; {{allowed}}",
    "levelsAre": "the levels of {{factor}} are {{names}}",
    "factorText": "{{factor}} must be a text of at most {{most}} characters that matches {{pattern}}",
    "factorNumber": "{{factor}} must be a whole number from {{least}} to {{most}}",
    "noun2Twice": "the {{noun}} {{name}} occurs twice; name each {{again}} once",
    "inapplicable": "{{factor}} applies to no cell: it needs {{wanted}}; {{remedy}}, or add such a level",
    "removeIt": "remove it",
    "leaveItOut": "leave it out",
    "needsLevel": "{{factor}} needs {{other}}, not {{found}}",
    "levelsMissing": "{{factor}} is missing; {{allowed}}",
    "levelsObject": "the levels of a cell are an object",
    "unlikeTools": (
        "{{tool}} reports {{rate}}, which cannot be compared with the {{rates}} of {{others}}; leave "
        "tool out of the baseline, so that each is compared with itself, or use tools with the same "
        "rate"
    ),
    "mustNameLevels": "{{who}} must be one of the experiment's levels: {{names}}",
    "whoBaseline": "the baseline",
    "whoExcluded": "an excluded level",
    "stoppingBelow": (
        "{{n}} is not above rounds ({{rounds}}), after which the first interim analysis is; set "
        "at_most to {{least}} or more, or use fewer rounds"
    ),
    "stoppingMany": (
        "{{n}} interim analyses, at most {{most}} are allowed; set every to {{wide}} or more, or "
        "lower at_most"
    ),
    "fieldRequired": "this field is required",
    "oneLevel": "name at least one level; {{allowed}}",
    "valueRule": "{{value}}: {{rule}}",
    "mustVersion": "must be plimsoll/v1",
    "mustName": (
        "must be 1 to 63 characters of a-z, 0-9, dot, hyphen and underscore, starting with a-z or 0-9"
    ),
    "mustTitle": (
        "must be one line of 1 to 200 characters, without control characters, bidirectional "
        "formatting characters and noncharacters like U+FFFE"
    ),
    "mustStudy": "must be omitted or name one of the studies: {{names}}",
    "mustRounds": "must be a whole number from 1 to 1000",
    "mustSeed": "must be omitted (each run then draws its own) or a whole number from 0 to 9007199254740991",
    "mustCompare": "must be omitted or name a factor whose levels are compared, for example userland_proxy",
    "twoQuestions": "compare {{factor}} has the baseline {{baseline}}; remove compare or baseline",
    "mustBaseline": "must name the level of at least one factor, for example {path: same_container}",
    "mustMetrics": "must be a list of one to a hundred metric names",
    "mustMargin": "must be a number above 0 and at most 0.5 (0.05 means 5 %)",
    "mustFactors": "must be an object that names one to a hundred levels for each factor",
    "mustRules": "must be a list of at most a hundred rules, each with the levels of one or more factors",
    "mustStopping": "must be an object with at_most, for example {every: 4, at_most: 24}",
    "mustEvery": "must be a whole number of rounds from 1 to 100",
    "mustAtMost": "must be a whole number of rounds above rounds, at most 1000",
    "mustMinutes": "must be a whole number of minutes from {{least}} to {{most}}",
    "mustQuality": "must be an object, for example {wait_for_quiet_s: 30, max_other_cores: 0.5}",
    "mustWait": "must be a whole number of seconds from 0 to {{most}}",
    "mustCores": "must be a number of cores above 0 and at most {{most}}, or null",
    "mustSteal": "must be a share above 0 and at most 1 (0.05 means 5 %), or null",
    "mustRetakes": "must be a whole number from 0 to {{most}}",
    "mustThresholds": "must be a list of at most a hundred texts like ratio(tps, baseline) >= 0.95",
    "mustLatency": "must be a number of milliseconds above 0 and at most 60000",
}
