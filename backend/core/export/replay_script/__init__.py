"""A POSIX shell script that repeats one cell with Docker alone."""
