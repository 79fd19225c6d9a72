-- +goose Up

SET LOCAL lock_timeout = '2s';

-- The PostgreSQL databases that have rows of old blocks, see tonql range. Their foreign tables are in the schema of that name.
CREATE TABLE cold_servers (
    name   text PRIMARY KEY, -- also of the foreign server
    number int  NOT NULL UNIQUE,
    pair   text NOT NULL     -- the same there: which index the server belongs to
);

COMMENT ON TABLE cold_servers IS 'databases on other servers that have rows of old blocks';

-- Each step in which blocks were moved, in their order. The rows of the blocks are on a cold server, with the number of the step.
CREATE TABLE cold_blocks (
    step              bigint   PRIMARY KEY,
    server            text     NOT NULL REFERENCES cold_servers (name),
    first             bigint   NOT NULL, -- masterchain seqno
    last              bigint   NOT NULL,
    end_lt            bigint   NOT NULL, -- of the last block
    gen_utime         bigint   NOT NULL,
    transactions      bigint   NOT NULL,
    verified          bigint[] NOT NULL, -- transactions by verification, as verification_counts has them
    dropped_last      bigint,           -- dropped_blocks before the step, NULL when it was empty
    dropped_end_lt    bigint,
    dropped_gen_utime bigint
);

COMMENT ON TABLE cold_blocks IS 'masterchain blocks whose rows are on a cold server';

-- The masterchain blocks of all steps, as indexed_ranges has those whose rows are here.
CREATE TABLE cold_ranges (
    first bigint PRIMARY KEY,
    last  bigint NOT NULL
);

COMMENT ON TABLE cold_ranges IS 'ranges of masterchain blocks whose rows are on cold servers';

INSERT INTO schema_gateways (migration, needed) VALUES (111, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 111;
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM cold_blocks) THEN
        RAISE EXCEPTION 'blocks are on cold servers; an earlier version would not read them';
    END IF;
END
$$;
-- +goose StatementEnd
DROP TABLE cold_ranges;
DROP TABLE cold_blocks;
DROP TABLE cold_servers;
