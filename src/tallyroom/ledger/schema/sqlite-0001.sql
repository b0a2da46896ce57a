-- The ledger of one contest: entries are added at the end and never changed or taken away.
CREATE TABLE contest (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL
) STRICT;

-- raw holds the canonical bytes; seq and key repeat what stands in them, leaf is SHA-256(0x00 || raw).
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    leaf BLOB NOT NULL,
    raw BLOB NOT NULL
) STRICT;

-- INSERT OR REPLACE deletes without asking a DELETE trigger, so the insert itself looks for what it would replace.
-- Whatever it refuses rolls the transaction back: to undo the one statement (ABORT) SQLite would first copy every page.
CREATE TRIGGER entry_is_next BEFORE INSERT ON entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq) + 1, 0) FROM entry)
    OR EXISTS (SELECT 1 FROM entry WHERE key = NEW.key)
BEGIN
    SELECT CASE
        WHEN EXISTS (SELECT 1 FROM entry WHERE key = NEW.key) THEN RAISE(ROLLBACK, 'key is taken')
        ELSE RAISE(ROLLBACK, 'entry out of order')
    END;
END;

CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN
    SELECT RAISE(ABORT, 'entries are never changed: enter a correction');
END;

CREATE TRIGGER entry_remains BEFORE DELETE ON entry BEGIN
    SELECT RAISE(ABORT, 'entries are never taken away: enter a correction');
END;

CREATE TRIGGER contest_is_one BEFORE INSERT ON contest WHEN EXISTS (SELECT 1 FROM contest) BEGIN
    SELECT RAISE(ABORT, 'a ledger has one contest');
END;

CREATE TRIGGER contest_stays BEFORE UPDATE ON contest BEGIN
    SELECT RAISE(ABORT, 'the contest of a ledger is never changed');
END;

CREATE TRIGGER contest_remains BEFORE DELETE ON contest BEGIN
    SELECT RAISE(ABORT, 'the contest of a ledger is never taken away');
END;
