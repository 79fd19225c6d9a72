-- +goose Up

-- Rate limits: one row for each owner of keys on each network.
CREATE TABLE access_owners (
    owner     text             NOT NULL,
    network   text             NOT NULL,
    plan      text             NOT NULL,
    rate      double precision NOT NULL CHECK (rate > 0), -- requests a second
    most_keys int              NOT NULL CHECK (most_keys > 0),
    PRIMARY KEY (owner, network)
);

-- Keys: their hashes alone. A key that was revoked or rotated has expires_at; it stays, so that a log of old uses can be read.
CREATE TABLE access_keys (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash        bytea       NOT NULL UNIQUE CHECK (length(hash) = 32), -- the lookup of every request with a key
    hint        text        NOT NULL,
    owner       text        NOT NULL,
    network     text        NOT NULL,
    label       text        NOT NULL DEFAULT '',
    liteservers text        NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz,
    FOREIGN KEY (owner, network) REFERENCES access_owners
);

-- Listing and counting the keys of an owner.
CREATE INDEX access_keys_owner ON access_keys (owner, network);

-- Buckets that several gateways share. A crash of the database may empty them: only the usage of the last second is lost.
CREATE UNLOGGED TABLE access_buckets (
    bucket text             PRIMARY KEY,
    tokens double precision NOT NULL,
    at     timestamptz      NOT NULL
);

-- Takes the debt, then up to want tokens; none if that is less than one.
-- +goose StatementBegin
CREATE FUNCTION access_lease(name text, rate double precision, burst double precision, want double precision, owed double precision,
    OUT granted double precision, OUT remaining double precision) LANGUAGE plpgsql AS $$
DECLARE
    since timestamptz;
    clock timestamptz;
BEGIN
    INSERT INTO access_buckets VALUES (name, greatest(1, rate), clock_timestamp()) ON CONFLICT DO NOTHING;
    SELECT b.tokens, b.at INTO remaining, since FROM access_buckets b WHERE b.bucket = name FOR UPDATE;
    clock := greatest(clock_timestamp(), since);
    remaining := greatest(least(burst, remaining + extract(epoch FROM clock - since) * rate) - owed, -10 * burst);
    granted := CASE WHEN remaining >= least(want, 1) - 1e-9 THEN least(want, remaining) ELSE 0 END;
    remaining := remaining - granted;
    UPDATE access_buckets b SET tokens = remaining, at = clock WHERE b.bucket = name;
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION access_lease;
DROP TABLE access_buckets, access_keys, access_owners;
