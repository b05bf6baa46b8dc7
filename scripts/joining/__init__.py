"""A Docker host joins a server, runs its worker, and leaves: behind scripts/join and scripts/leave."""
