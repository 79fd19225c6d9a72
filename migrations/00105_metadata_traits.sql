-- +goose NO TRANSACTION
-- +goose Up

-- Items whose metadata was fetched and whose traits are to be read from it. After the migration these are all items; the worker of
-- metadata reads them in the background. The index is built while the database serves; an interrupted migration is repeated.

-- +goose StatementBegin
DO $$
DECLARE name regclass;
BEGIN
    SET LOCAL lock_timeout = '5s';
    FOR name IN SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace AND c.relname = 'metadata_traits' LOOP
        EXECUTE format('DROP INDEX %s', name);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- Items whose traits are to be read.
CREATE INDEX CONCURRENTLY IF NOT EXISTS metadata_traits ON metadata (address) WHERE kind = 4 AND indexed AND traits IS NULL;

INSERT INTO schema_gateways (migration, needed) VALUES (105, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 105;
DROP INDEX IF EXISTS metadata_traits;
