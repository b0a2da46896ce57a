"""Signing in: with a packet, or as staff."""
