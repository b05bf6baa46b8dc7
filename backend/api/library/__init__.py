"""The library: runs found by search, with their verdicts; saved searches; changes of several runs."""
