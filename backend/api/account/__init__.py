"""The caller's own account."""
