"""A synthetic or recorded night that drives the public doors only."""
