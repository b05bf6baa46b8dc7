"""What Plimsoll remembers: PostgreSQL, the queue of record."""
