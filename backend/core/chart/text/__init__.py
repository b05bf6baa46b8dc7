"""Sentences, tables and plain text of a result."""
