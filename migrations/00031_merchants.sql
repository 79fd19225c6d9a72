-- +goose Up

-- Who is paid, one row for each network.
CREATE TABLE merchants (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text        NOT NULL,
    network     text        NOT NULL,
    wallet      text        NOT NULL DEFAULT '',  -- default recipient, as it was written; '' for none
    assets      text[]      NOT NULL DEFAULT '{}', -- that may be requested: TON, or masters in raw form; empty for all
    password    text        NOT NULL DEFAULT '',  -- argon2id in PHC form; '' until one is chosen
    created_at  timestamptz NOT NULL DEFAULT now(),
    UNIQUE (network, name)                        -- signing in
);

-- Keys of merchants: their hashes alone. A revoked one stays, so that its uses stay attributable.
CREATE TABLE merchant_keys (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_id bigint      NOT NULL REFERENCES merchants,
    hash        bytea       NOT NULL UNIQUE CHECK (length(hash) = 32), -- the lookup of every request with a key
    hint        text        NOT NULL,
    label       text        NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL DEFAULT now(),
    used_at     timestamptz,
    revoked_at  timestamptz
);
CREATE INDEX merchant_keys_merchant ON merchant_keys (merchant_id, id); -- the list of a merchant's keys

-- Who is signed in, and links that sign in once. Hashes alone.
CREATE TABLE merchant_sessions (
    hash        bytea       PRIMARY KEY CHECK (length(hash) = 32),
    merchant_id bigint      NOT NULL REFERENCES merchants,
    once        boolean     NOT NULL,  -- a link, not a session
    proven_at   timestamptz NOT NULL DEFAULT now(), -- when the person last proved to be the merchant
    expires_at  timestamptz NOT NULL
);
CREATE INDEX merchant_sessions_expiry ON merchant_sessions (expires_at); -- sweeping
CREATE INDEX merchant_sessions_merchant ON merchant_sessions (merchant_id); -- ending all of a merchant's

-- What a merchant, or an operator for them, did that others may want to know of.
CREATE TABLE merchant_log (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_id bigint      NOT NULL REFERENCES merchants,
    at          timestamptz NOT NULL DEFAULT now(),
    what        text        NOT NULL
);
CREATE INDEX merchant_log_merchant ON merchant_log (merchant_id, id DESC); -- the newest lines of a merchant

-- +goose Down
DROP TABLE merchant_log, merchant_sessions, merchant_keys, merchants;
