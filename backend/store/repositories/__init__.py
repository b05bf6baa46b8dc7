"""Every SELECT, INSERT and UPDATE. No function here commits: `backend.store.session` does."""
