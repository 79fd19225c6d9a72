-- +goose NO TRANSACTION
-- +goose Up

-- Lookups by hash and searches by the beginning of one: B-trees with the first 7 bytes of each hash replace hash indexes, whose entries take
-- half as much again. Rows are compared with the rest. They are built beside those that they replace, while the database serves; an interrupted migration
-- is repeated.

-- +goose StatementBegin
DO $$
DECLARE name regclass;
BEGIN
    SET LOCAL lock_timeout = '5s';
    FOR name IN SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
            AND c.relname IN ('transactions_by_hash', 'messages_by_hash', 'messages_by_hash_norm', 'actions_by_id') LOOP
        EXECUTE format('DROP INDEX %s', name);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- transactions by hash, and by a prefix of it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS transactions_by_hash ON transactions (substr(hash, 1, 7));
-- messages by hash, and by a prefix of it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_by_hash ON messages (substr(hash, 1, 7));
-- external messages by normalized hash (TEP 467).
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_by_hash_norm ON messages (substr(hash_norm, 1, 7)) WHERE hash_norm IS NOT NULL;
-- actions by id.
CREATE INDEX CONCURRENTLY IF NOT EXISTS actions_by_id ON actions (substr(action_id, 1, 7));

-- A gateway without this migration would read all rows instead of an index.
INSERT INTO schema_gateways (migration, needed) VALUES (123, 123) ON CONFLICT DO NOTHING;

DROP INDEX CONCURRENTLY IF EXISTS transactions_hash_prefix;
DROP INDEX CONCURRENTLY IF EXISTS messages_hash_prefix;
DROP INDEX CONCURRENTLY IF EXISTS messages_hash_norm;
DROP INDEX CONCURRENTLY IF EXISTS actions_id;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 123;
CREATE INDEX IF NOT EXISTS transactions_hash_prefix ON transactions USING hash (substr(hash, 1, 4));
CREATE INDEX IF NOT EXISTS messages_hash_prefix ON messages USING hash (substr(hash, 1, 4));
CREATE INDEX IF NOT EXISTS messages_hash_norm ON messages USING hash (hash_norm) WHERE hash_norm IS NOT NULL;
CREATE INDEX IF NOT EXISTS actions_id ON actions USING hash (action_id);
DROP INDEX IF EXISTS transactions_by_hash, messages_by_hash, messages_by_hash_norm, actions_by_id;
