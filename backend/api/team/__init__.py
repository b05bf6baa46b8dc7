"""Settings of the team that the caller works in."""
