"""Sign-in of the command line by a browser: the device authorization grant (RFC 8628)."""
