"""The `plimsoll` command: a client of the REST API."""
