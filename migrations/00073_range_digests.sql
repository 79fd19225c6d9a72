-- +goose Up

-- The digest of the rows of 1,000 masterchain blocks, computed from these rows once they are all there. A row without a hash marks a
-- computation that has begun. A transaction of the writer that changes rows of the blocks deletes it; so a digest that is here is that
-- of the rows, unless they were changed by another program.
CREATE TABLE range_digests (
    number          bigint   PRIMARY KEY, -- seqno / 1000 of its blocks
    token           bigint   NOT NULL,    -- of the computation
    version         smallint,             -- of the definition of the digest
    hash            bytea    CHECK (length(hash) = 32),
    crossing        bytea    CHECK (length(crossing) = 32), -- of the traces that begin before the blocks and end in them
    row_count       bigint,
    crossing_traces bigint,
    wanting         bigint,               -- traces that lack records of contracts from blocks that are not indexed
    action_sets     bigint[]            -- versions of the classifier, ascending
);

COMMENT ON TABLE range_digests IS 'digests of the rows of 1,000 masterchain blocks each';

-- +goose Down
DROP TABLE range_digests;
