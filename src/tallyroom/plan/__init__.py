"""A contest's rules and units as dated, cited data, loaded from a plan folder into frozen types."""
