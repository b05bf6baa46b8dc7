"""A client of the REST API; installed alone, its name is `plimsoll`."""
