"""The only HTTP: API, desks and board, for people who are signed in or hold a packet."""
