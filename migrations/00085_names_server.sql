-- +goose Up

-- Caches of names compare versions. After a failover that loses commits, a version would be used twice, for other changes; so the
-- first change on another run of a server skips many versions, which empties the caches.
ALTER TABLE names_version ADD COLUMN server text NOT NULL DEFAULT '';

COMMENT ON COLUMN names_version.server IS 'timeline and start of the server that wrote the version';

-- +goose Down
ALTER TABLE names_version DROP COLUMN server;
