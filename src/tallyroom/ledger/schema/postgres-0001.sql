-- The ledger of one contest: entries are added at the end and never changed or taken away.
CREATE SCHEMA ledger;

-- Which of these scripts the database has.
CREATE TABLE ledger.form (
    version integer PRIMARY KEY CHECK (version > 0),
    since timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE ledger.contest (
    one integer PRIMARY KEY CHECK (one = 1),
    id text NOT NULL
);

-- raw holds the canonical bytes; seq and key repeat what stands in them, leaf is SHA-256(0x00 || raw).
-- Keys are ordered by their bytes: an index must not depend on the rules of a language, which systems change.
CREATE TABLE ledger.entry (
    seq bigint PRIMARY KEY CHECK (seq >= 0),
    key text COLLATE "C" NOT NULL CONSTRAINT entry_key_is_new UNIQUE,
    leaf bytea NOT NULL,
    raw bytea NOT NULL
);

-- Entry n goes in only when entry n - 1 is committed or stands in the same transaction: so numbers have no gap, and
-- their order is that of the commits, whoever writes. An entry that would not survive a crash does not go in at all.
CREATE FUNCTION ledger.take_entries() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    last_seq bigint;
    next_in_order boolean;
BEGIN
    IF current_setting('fsync') <> 'on' OR current_setting('full_page_writes') <> 'on'
        OR current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
    THEN
        RAISE EXCEPTION 'the server is set so that a crash may lose entries' USING ERRCODE = 'TY003';
    END IF;
    SELECT max(seq), max(seq) - min(seq) + 1 = count(*)
            AND (min(seq) = 0 OR EXISTS (SELECT FROM ledger.entry AS before WHERE before.seq = min(fresh.seq) - 1))
        INTO last_seq, next_in_order FROM fresh;
    IF last_seq IS NULL THEN
        RETURN NULL;
    END IF;
    IF NOT next_in_order THEN
        RAISE EXCEPTION 'entry out of order' USING ERRCODE = 'TY002';
    END IF;
    PERFORM pg_notify('ledger', (last_seq + 1)::text);
    RETURN NULL;
END
$$;

CREATE FUNCTION ledger.refuse() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'TY001';
END
$$;

CREATE TRIGGER entry_is_next AFTER INSERT ON ledger.entry
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION ledger.take_entries();

CREATE TRIGGER entry_stays BEFORE UPDATE ON ledger.entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse('entries are never changed: enter a correction');

CREATE TRIGGER entry_remains BEFORE DELETE OR TRUNCATE ON ledger.entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse('entries are never taken away: enter a correction');

CREATE TRIGGER contest_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.contest
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse('the contest of a ledger is never changed or taken away');

CREATE TRIGGER form_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.form
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse('forms are only added');

-- Also for a session that says it is a replica (session_replication_role), which passes by usual triggers.
ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_is_next;
ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_stays;
ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_remains;
ALTER TABLE ledger.contest ENABLE ALWAYS TRIGGER contest_stays;
ALTER TABLE ledger.form ENABLE ALWAYS TRIGGER form_stays;
