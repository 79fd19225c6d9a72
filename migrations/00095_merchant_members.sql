-- +goose Up
SET LOCAL lock_timeout = '2s';

-- People who work for a merchant, besides the merchant's own account, which is an owner and has no row here.
CREATE TABLE merchant_members (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_id bigint      NOT NULL REFERENCES merchants,
    name        text        NOT NULL,
    role        smallint    NOT NULL CHECK (role BETWEEN 1 AND 3), -- 1 viewer, 2 developer, 3 owner
    password    text        NOT NULL DEFAULT '', -- argon2id in PHC form; '' until one is chosen
    created_at  timestamptz NOT NULL DEFAULT now(),
    removed_at  timestamptz -- NULL: present. The row stays for the log
);
CREATE UNIQUE INDEX merchant_members_name ON merchant_members (merchant_id, name) WHERE removed_at IS NULL; -- signing in, and the list

-- Sessions of members, and links that sign a member in once. They are not in merchant_sessions, because gateways of earlier versions
-- take each of those for an owner's.
CREATE TABLE merchant_member_sessions (
    hash        bytea       PRIMARY KEY CHECK (length(hash) = 32),
    member_id   bigint      NOT NULL REFERENCES merchant_members,
    once        boolean     NOT NULL,  -- a link, not a session
    proven_at   timestamptz NOT NULL DEFAULT now(), -- when the person last entered the password
    expires_at  timestamptz NOT NULL
);
CREATE INDEX merchant_member_sessions_expiry ON merchant_member_sessions (expires_at); -- sweeping
CREATE INDEX merchant_member_sessions_member ON merchant_member_sessions (member_id); -- ending all of a member's

-- Second factors: one-time passwords (RFC 6238) of merchants' own accounts and of members.
CREATE TABLE merchant_totp (
    merchant_id  bigint      NOT NULL REFERENCES merchants,
    member_id    bigint      NOT NULL, -- 0: the merchant's own account
    secret       bytea       NOT NULL, -- sealed
    confirmed_at timestamptz,          -- NULL until a first code proves that the app has the secret
    last_step    bigint      NOT NULL DEFAULT 0, -- of the newest code that was accepted; none is accepted twice
    failures     int         NOT NULL DEFAULT 0, -- attempts since a code was accepted
    locked_until timestamptz,
    PRIMARY KEY (merchant_id, member_id)
);

-- Codes that replace a lost second factor, once each. Hashes alone.
CREATE TABLE merchant_recovery_codes (
    merchant_id bigint NOT NULL REFERENCES merchants,
    member_id   bigint NOT NULL,
    hash        bytea  NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (merchant_id, member_id, hash)
);

-- The member who did it; '' is the merchant's own account, the operator, or an earlier version.
ALTER TABLE merchant_log ADD COLUMN member text NOT NULL DEFAULT '';

INSERT INTO schema_gateways (migration, needed) VALUES (95, NULL);

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 95;
ALTER TABLE merchant_log DROP COLUMN member;
DROP TABLE merchant_recovery_codes, merchant_totp, merchant_member_sessions, merchant_members;
