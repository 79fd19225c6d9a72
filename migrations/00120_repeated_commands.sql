-- +goose Up
SET LOCAL lock_timeout = '2s';

-- Cold servers that tonql range drop has dropped. A command that is repeated finds its server here, and no name is used again: otherwise it would drop
-- the next server of that name.
CREATE TABLE cold_dropped (
    name         text   PRIMARY KEY,
    number       int    NOT NULL UNIQUE,
    transactions bigint NOT NULL
);
COMMENT ON TABLE cold_dropped IS 'cold servers that were dropped';

-- Snapshots whose import is complete, by the SHA-256 of their manifests: the same command again has nothing to do.
CREATE TABLE snapshots_imported (
    manifest text PRIMARY KEY
);
COMMENT ON TABLE snapshots_imported IS 'snapshots that were imported';

INSERT INTO schema_gateways (migration, needed) VALUES (120, NULL);

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 120;
DROP TABLE snapshots_imported;
DROP TABLE cold_dropped;
