"""The first page: what runs, what was found, what changed since the last visit."""
