"""The worker protocol: what the worker of an enrolled host does over HTTPS (decision 0045)."""
