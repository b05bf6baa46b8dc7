"""Command lines of tools, services and reverse proxies."""
