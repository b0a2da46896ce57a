"""Files that counties send, of any shape, read row by row: each is read, questioned or refused, and none is lost."""
