-- +goose NO TRANSACTION
-- +goose Up

-- Key blocks are a few of many millions of blocks. The index is built while the database serves; an interrupted migration is repeated.

-- +goose StatementBegin
DO $$
DECLARE name regclass;
BEGIN
    SET LOCAL lock_timeout = '5s';
    FOR name IN SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace AND c.relname = 'blocks_key' LOOP
        EXECUTE format('DROP INDEX %s', name);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- The list of key blocks, newest first, also within a range of time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS blocks_key ON blocks (gen_utime, workchain, shard, seqno) WHERE key_block;

INSERT INTO schema_gateways (migration, needed) VALUES (103, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 103;
DROP INDEX IF EXISTS blocks_key;
