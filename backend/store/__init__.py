"""The PostgreSQL database: models, repositories and transactions."""
