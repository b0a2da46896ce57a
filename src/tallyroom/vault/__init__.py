"""What is private and can be erased: people, credentials, sessions, drafts, photos; beside the ledger, not in it."""
