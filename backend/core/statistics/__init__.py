"""Summaries, comparisons and warnings: one small file a method, each with its source."""
