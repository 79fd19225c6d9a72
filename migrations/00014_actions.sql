-- +goose Up

-- Actions: the classified parts of complete traces. The end of the trace is repeated from traces because lists go by it; details
-- are json and not jsonb, so that they are shown as they were written, and because jsonb refuses some characters.
CREATE TABLE actions (
    trace_end_lt    bigint  NOT NULL,
    start_lt        bigint  NOT NULL,
    end_lt          bigint  NOT NULL,
    trace_end_utime bigint  NOT NULL,
    start_utime     bigint  NOT NULL,
    end_utime       bigint  NOT NULL,
    mc_seqno_end    bigint  NOT NULL,
    opcode          bigint,
    success         boolean NOT NULL,
    trace_id        bytea   NOT NULL CHECK (length(trace_id) = 32),
    action_id       bytea   NOT NULL CHECK (length(action_id) = 32),
    parent_id       bytea,
    type            text    NOT NULL,
    tx_hashes       bytea   NOT NULL, -- 32 bytes each, ascending
    accounts        bytea   NOT NULL, -- 33 bytes each, ascending
    ancestors       text[]  NOT NULL, -- internal types, ascending
    details         json    NOT NULL,
    PRIMARY KEY (trace_id, action_id)
);

-- actions?action_id.
CREATE INDEX actions_id ON actions USING hash (action_id);
-- actions, newest first, and LT ranges.
CREATE INDEX actions_end_lt ON actions (trace_end_lt, trace_id, end_lt, action_id);
-- actions?start_utime&end_utime.
CREATE INDEX actions_end_utime ON actions (trace_end_utime, trace_id, end_utime, action_id);
-- actions?action_type: something rare among much.
CREATE INDEX actions_type ON actions (type, trace_end_lt, trace_id, end_lt, action_id);

-- actions?account: who takes part, with the type, so that looking for a rare one reads no rows of the others.
CREATE TABLE action_accounts (
    trace_end_lt bigint NOT NULL,
    end_lt       bigint NOT NULL,
    account      bytea  NOT NULL CHECK (length(account) = 33),
    trace_id     bytea  NOT NULL,
    action_id    bytea  NOT NULL,
    type         text   NOT NULL,
    PRIMARY KEY (account, trace_end_lt, trace_id, end_lt, action_id) INCLUDE (type)
);

-- +goose Down
DROP TABLE action_accounts, actions;
