"""The teams of the installation, for its administrators."""
