"""The operator's desk."""
