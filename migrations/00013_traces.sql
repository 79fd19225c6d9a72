-- +goose Up

-- The trace of a transaction, NULL until its root is indexed. Of a transaction and its trace's first message the lists of
-- transactions show both, so both are here.
ALTER TABLE transactions ADD COLUMN trace_id bytea, ADD COLUMN trace_external_hash bytea;

-- One row per trace whose root is indexed. A root is a transaction without an in-message, or whose in-message came from
-- outside or from the system. Everything here follows from the transactions that are indexed, never from the order in
-- which they came.
CREATE TABLE traces (
    root_lt            bigint   NOT NULL, -- of the root transaction, also the start LT
    end_lt             bigint   NOT NULL,
    start_utime        bigint   NOT NULL,
    end_utime          bigint   NOT NULL,
    mc_seqno_start     bigint   NOT NULL,
    mc_seqno_end       bigint   NOT NULL,
    transactions       int      NOT NULL,
    messages           int      NOT NULL, -- received, and sent out of the chain
    pending            int      NOT NULL, -- sent and not received; the trace is complete when 0
    classification     smallint NOT NULL, -- 0 not done, 1 done, 2 failed
    action_set         smallint NOT NULL, -- version of the classifier that did it
    trace_id           bytea    PRIMARY KEY CHECK (length(trace_id) = 32),
    root_account       bytea    NOT NULL CHECK (length(root_account) = 33),
    external_hash      bytea,
    external_hash_norm bytea,
    nodes              bytea              -- keys of the transactions by LT and account, 41 bytes each; complete traces up
                                          -- to the size that is shown
);

-- traces, newest first, and LT ranges.
CREATE INDEX traces_end_lt ON traces (end_lt, trace_id) WHERE pending = 0;
-- traces?start_utime&end_utime.
CREATE INDEX traces_end_utime ON traces (end_utime, trace_id) WHERE pending = 0;
-- traces?mc_seqno, actions?mc_seqno, classification of a range.
CREATE INDEX traces_mc_seqno_end ON traces (mc_seqno_end, trace_id) WHERE pending = 0;

-- traces?account: who has a transaction in a complete trace.
CREATE TABLE trace_accounts (
    end_lt   bigint NOT NULL,
    account  bytea  NOT NULL CHECK (length(account) = 33),
    trace_id bytea  NOT NULL,
    PRIMARY KEY (account, end_lt, trace_id)
);

-- +goose Down
DROP TABLE trace_accounts, traces;
ALTER TABLE transactions DROP COLUMN trace_id, DROP COLUMN trace_external_hash;
