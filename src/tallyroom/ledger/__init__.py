"""Append-only entries, chained by hash, in a tree of RFC 6962; in memory and in SQLite."""
