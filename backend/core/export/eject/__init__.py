"""A cell as a shell script that needs Docker and nothing of Plimsoll."""
