"""Passwords: which are accepted, how they are stored, and how they are checked."""
