-- +goose Up

-- Accounts of which a complete trace names something that the index did not know, and may learn from blocks that are
-- still missing before it. When one of them brings a record, these traces are classified again, so that actions do not
-- depend on the order of blocks.
CREATE TABLE trace_wants (
    mc_seqno_end bigint NOT NULL, -- of the trace: later records do not count
    account      bytea  NOT NULL CHECK (length(account) = 33),
    trace_id     bytea  NOT NULL,
    PRIMARY KEY (account, mc_seqno_end, trace_id)
);

-- +goose Down
DROP TABLE trace_wants;
