"""The trial queue of a server elsewhere, over HTTPS with this host's token."""
