"""One door for every channel: who is reporting, is it new, is it sound; then the ledger."""
