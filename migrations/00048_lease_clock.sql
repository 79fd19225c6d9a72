-- A clock that is set back must not stop shared limits: a bucket whose time lies in the future is refilled from now on.
-- Before, it gained no token until the clock had caught up. Up to a second ahead is what two sessions may differ by.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION access_lease(name text, rate double precision, burst double precision, want double precision, owed double precision,
    OUT granted double precision, OUT remaining double precision) LANGUAGE plpgsql AS $$
DECLARE
    since timestamptz;
    clock timestamptz := clock_timestamp();
BEGIN
    INSERT INTO access_buckets VALUES (name, greatest(1, rate), clock) ON CONFLICT DO NOTHING;
    SELECT b.tokens, b.at INTO remaining, since FROM access_buckets b WHERE b.bucket = name FOR UPDATE;
    clock := clock_timestamp(); -- the row may have been waited for
    IF since > clock + interval '1 second' THEN
        since := clock;
    END IF;
    clock := greatest(clock, since);
    remaining := greatest(least(burst, remaining + extract(epoch FROM clock - since) * rate) - owed, -10 * burst);
    granted := CASE WHEN remaining >= least(want, 1) - 1e-9 THEN least(want, remaining) ELSE 0 END;
    remaining := remaining - granted;
    UPDATE access_buckets b SET tokens = remaining, at = clock WHERE b.bucket = name;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION access_lease(name text, rate double precision, burst double precision, want double precision, owed double precision,
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
