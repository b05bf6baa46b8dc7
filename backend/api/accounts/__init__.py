"""The accounts of the installation, for its administrators."""
