"""Problems of comparisons, extensions and schedules."""

from __future__ import annotations

from typing import Final

COMPARISONS: Final = {
    "number_of_columns": (
        "A comparison in columns has two to twelve of them.",
        "Name as many runs or cells as the detail allows.",
    ),
    "cells_incomplete": (
        "Some columns name a cell, others a whole run.",
        "Name a cell of every run, or of none.",
    ),
    "same_column": (
        "The same run or cell is a column twice.",
        "Remove one of the two that the detail names.",
    ),
    "no_such_column": (
        "The reference is the number of a column, counted from 0.",
        "Name a column that the comparison has.",
    ),
    "too_many_entries": (
        "The comparison has more cells times columns than are computed in one request.",
        "Choose fewer runs, or single cells.",
    ),
    "infeasible_cell": (
        "The cell cannot run on the host, so it cannot have more rounds.",
        "Leave it out.",
    ),
    "bad_cron": (
        "The text is no cron expression of five fields.",
        "Write minute, hour, day, month and weekday, such as 0 2 * * mon-fri.",
    ),
    "unknown_zone": (
        "There is no such time zone.",
        "Write a name of the IANA database, such as Europe/Berlin or UTC.",
    ),
    "never_due": ("The cron expression names a date that never comes.", "Choose another day or month."),
    "too_often": (
        "Two starts of the schedule are too close to each other.",
        "Choose fewer starts; the detail has the shortest interval.",
    ),
    "both": (
        "Two fields are given of which only one may be.",
        "Keep one of the fields that the detail names.",
    ),
}
"""What each code means, and what to do."""
