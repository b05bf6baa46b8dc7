"""Sizes and queries of a database that keeps many trials, and what deletion gives back."""
