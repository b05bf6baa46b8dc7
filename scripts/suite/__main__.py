"""What `scripts/test` asks about the parts of the suite: `python -m scripts.suite COMMAND`.

changed            the long parts that a change can have affected since they last passed, each with its reason
unrecorded         the long parts of which no pass is recorded
digests            each long part with the digest of its files, to be kept until its tests have ended
passed PART DIGEST record that all tests of a long part passed with these files
durations FILE...  which tests took the time, from the reports of the runners
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from scripts.suite import durations, parts

ROOT = Path(__file__).parents[2]


def main(arguments: list[str]) -> int:
    """Run one command; returns the exit code."""
    match arguments:
        case ["changed"]:
            for part, reason in parts.changed(ROOT, parts.read_map(ROOT)).items():
                print(f"{part} {reason}")
        case ["unrecorded"]:
            print(*parts.unrecorded(ROOT, parts.read_map(ROOT)))
        case ["digests"]:
            for part, digest in parts.digests(ROOT, parts.read_map(ROOT)).items():
                print(f"{part} {digest}")
        case ["passed", part, digest]:
            parts.record_pass(ROOT, parts.read_map(ROOT), part, digest, datetime.now(UTC).date())
        case ["durations", *reports]:
            print(durations.table(durations.costs_of(map(Path, reports))))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except parts.SuiteError as error:
        sys.exit(f"plimsoll: {error}")
