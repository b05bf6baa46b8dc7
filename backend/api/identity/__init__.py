"""Sign-in by an OpenID Connect provider."""
