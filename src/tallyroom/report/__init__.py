"""What one place says: the record, its wire form, its read-back."""
