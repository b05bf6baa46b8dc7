"""Sign-in by a one-time link, or by email address and password."""
