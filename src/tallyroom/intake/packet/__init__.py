"""What a precinct is handed before the night: its packet, on paper."""
