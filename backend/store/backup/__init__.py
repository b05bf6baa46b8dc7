"""A backup of the database as one file, and its restore."""
