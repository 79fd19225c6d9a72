-- +goose NO TRANSACTION
-- +goose Up

-- The masterchain blocks that the index does not retain any more, see --keep. A block up to last is not indexed again.
CREATE TABLE IF NOT EXISTS dropped_blocks (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    last      bigint  NOT NULL, -- masterchain seqno
    end_lt    bigint  NOT NULL, -- of that block
    gen_utime bigint  NOT NULL
);

COMMENT ON TABLE dropped_blocks IS 'the newest masterchain block that was dropped, with all before it';

-- Traces that want records of contracts go with the blocks in which they end.
-- +goose StatementBegin
DO $$
BEGIN
    SET LOCAL lock_timeout = '5s';
    IF EXISTS (SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace AND c.relname = 'trace_wants_end') THEN
        DROP INDEX trace_wants_end;
    END IF;
END
$$;
-- +goose StatementEnd

-- trace_wants up to a masterchain block.
CREATE INDEX CONCURRENTLY IF NOT EXISTS trace_wants_end ON trace_wants (mc_seqno_end);

INSERT INTO schema_gateways (migration, needed) VALUES (106, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 106;
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM dropped_blocks) THEN
        RAISE EXCEPTION 'blocks were dropped; an earlier version would index them again';
    END IF;
END
$$;
-- +goose StatementEnd
DROP INDEX IF EXISTS trace_wants_end;
DROP TABLE dropped_blocks;
