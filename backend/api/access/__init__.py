"""Who calls, what the caller may do, and the audit log."""
