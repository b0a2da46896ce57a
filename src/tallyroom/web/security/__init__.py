"""What no default gives: origins, headers, cookies, limits."""
