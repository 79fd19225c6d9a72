-- +goose NO TRANSACTION
-- +goose Up

-- Lookups by hash, and searches by the first 8 hexadecimal digits of one or more: the indexes have the first 4 bytes of each hash,
-- in the size of the indexes before, and the rows are compared with the rest. They are built beside those that they replace, while
-- the database serves; an interrupted migration is repeated.

-- +goose StatementBegin
DO $$
DECLARE name regclass;
BEGIN
    SET LOCAL lock_timeout = '5s';
    FOR name IN SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
            AND c.relname IN ('transactions_hash_prefix', 'messages_hash_prefix') LOOP
        EXECUTE format('DROP INDEX %s', name);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- transactions by hash, and by a prefix of it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS transactions_hash_prefix ON transactions USING hash (substr(hash, 1, 4));
-- messages by hash, and by a prefix of it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_hash_prefix ON messages USING hash (substr(hash, 1, 4));

DROP INDEX CONCURRENTLY IF EXISTS transactions_hash;
DROP INDEX CONCURRENTLY IF EXISTS messages_hash;

-- +goose Down
CREATE INDEX IF NOT EXISTS transactions_hash ON transactions USING hash (hash);
CREATE INDEX IF NOT EXISTS messages_hash ON messages USING hash (hash);
DROP INDEX IF EXISTS transactions_hash_prefix, messages_hash_prefix;
