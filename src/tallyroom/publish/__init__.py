"""Standings become pages and their JSON twins, from one context."""
