-- +goose Up

-- Transactions whose re-execution exceeded its budget; transactions.verification is 3 for them.
CREATE TABLE replay_unverified (
    account  bytea  NOT NULL,
    lt       bigint NOT NULL,
    mc_seqno bigint NOT NULL,
    hash     bytea  NOT NULL,
    reason   text   NOT NULL, -- time, memory or cells
    allowed  text   NOT NULL,
    PRIMARY KEY (account, lt)
);

-- For `tonql index reverify`, which walks through them by masterchain block.
CREATE INDEX replay_unverified_mc_seqno ON replay_unverified (mc_seqno, account, lt);

-- +goose Down
DROP TABLE replay_unverified;
