-- What is private, beside the ledger of one contest and outside its chain. Times are microseconds since 1970, UTC.
-- A digest is keyed by a secret that is kept elsewhere, so that nobody finds a short code by trying all.
CREATE TABLE vault_form (
    version INTEGER PRIMARY KEY CHECK (version > 0)
) STRICT;

-- Tells whether the secret given is the one that all digests here were made with.
CREATE TABLE vault_mark (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    mark BLOB NOT NULL
) STRICT;

CREATE TABLE vault_person (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    added INTEGER NOT NULL
) STRICT;

-- scope is an area or unit; empty: the whole contest.
CREATE TABLE vault_grant (
    person TEXT NOT NULL REFERENCES vault_person (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    scope TEXT NOT NULL,
    given INTEGER NOT NULL,
    author TEXT NOT NULL,
    PRIMARY KEY (person, role, scope)
) STRICT;

CREATE TABLE vault_phone (
    person TEXT NOT NULL REFERENCES vault_person (id) ON DELETE CASCADE,
    number TEXT NOT NULL,
    PRIMARY KEY (person, number)
) STRICT;

CREATE INDEX vault_phone_number ON vault_phone (number);

-- seal is the one secret here that has to be read: it opens what the precinct sealed.
CREATE TABLE vault_packet (
    unit TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    person TEXT NOT NULL REFERENCES vault_person (id) ON DELETE CASCADE,
    link BLOB NOT NULL UNIQUE,
    code BLOB NOT NULL UNIQUE,
    passphrase BLOB NOT NULL,
    seal BLOB NOT NULL,
    issued INTEGER NOT NULL,
    filed INTEGER,
    revoked INTEGER,
    PRIMARY KEY (unit, version)
) STRICT;

CREATE INDEX vault_packet_person ON vault_packet (person);

CREATE TABLE vault_account (
    person TEXT PRIMARY KEY NOT NULL REFERENCES vault_person (id) ON DELETE CASCADE,
    login TEXT NOT NULL UNIQUE,
    password TEXT,
    totp BLOB,
    totp_step INTEGER NOT NULL,
    added INTEGER NOT NULL,
    closed INTEGER
) STRICT;

CREATE TABLE vault_passkey (
    id BLOB PRIMARY KEY NOT NULL,
    person TEXT NOT NULL REFERENCES vault_account (person) ON DELETE CASCADE,
    public_key BLOB NOT NULL,
    uses INTEGER NOT NULL,
    label TEXT NOT NULL,
    added INTEGER NOT NULL
) STRICT;

CREATE INDEX vault_passkey_person ON vault_passkey (person);

CREATE TABLE vault_session (
    digest BLOB PRIMARY KEY NOT NULL,
    person TEXT NOT NULL REFERENCES vault_person (id) ON DELETE CASCADE,
    unit TEXT NOT NULL,
    packet INTEGER NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    expires INTEGER NOT NULL
) STRICT;

CREATE INDEX vault_session_person ON vault_session (person);

CREATE INDEX vault_session_unit ON vault_session (unit);

CREATE TABLE vault_draft (
    key TEXT PRIMARY KEY NOT NULL,
    unit TEXT NOT NULL,
    version INTEGER NOT NULL,
    author TEXT NOT NULL,
    updated INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;

CREATE INDEX vault_draft_unit ON vault_draft (unit);

-- The picture stands last, so that a list of photos does not read through it.
CREATE TABLE vault_photo (
    digest TEXT PRIMARY KEY NOT NULL,
    unit TEXT NOT NULL,
    form TEXT NOT NULL,
    size INTEGER NOT NULL,
    author TEXT NOT NULL,
    kept INTEGER NOT NULL,
    picture BLOB NOT NULL
) STRICT;

CREATE INDEX vault_photo_unit ON vault_photo (unit);

CREATE TABLE vault_caller (
    id TEXT PRIMARY KEY NOT NULL,
    number TEXT NOT NULL,
    unit TEXT NOT NULL,
    arrived INTEGER NOT NULL,
    state TEXT NOT NULL,
    operator TEXT NOT NULL,
    changed INTEGER NOT NULL
) STRICT;

-- A number waits at one place of the line, however often it calls; one that is withheld has no number to know it by.
CREATE UNIQUE INDEX vault_caller_waits_once ON vault_caller (number) WHERE state <> 'done' AND number <> '';

CREATE TABLE vault_throttle (
    kind TEXT NOT NULL,
    subject BLOB NOT NULL,
    since INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    latest INTEGER NOT NULL,
    PRIMARY KEY (kind, subject)
) STRICT;

-- digest = SHA-256(salt || text) stands in the ledger; without salt and text it says nothing.
CREATE TABLE vault_text (
    digest TEXT PRIMARY KEY NOT NULL,
    key TEXT UNIQUE,
    salt BLOB NOT NULL,
    kept INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

-- What was erased: how many of which kind, never what.
CREATE TABLE vault_erasure (
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    before INTEGER NOT NULL,
    author TEXT NOT NULL,
    many INTEGER NOT NULL,
    PRIMARY KEY (at, kind)
) STRICT;
