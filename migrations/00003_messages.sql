-- +goose Up

-- One row per message, written by whichever side is indexed first and completed by the other. (account, lt) is its
-- natural key: source and creation LT, or, for a message that no transaction sent (external-in, and the masterchain's
-- system messages from -1:0…0), destination and LT of the accepting transaction.
-- So the list by LT has no NULL keys, and a transaction finds its messages by key without another index.
-- Columns stand by width, which saves padding.
CREATE TABLE messages (
    lt           bigint   NOT NULL,
    created_lt   bigint,            -- where it is not lt: system messages
    created_at   bigint,
    value        bigint,
    fwd_fee      bigint,
    ihr_fee      bigint,
    opcode       bigint,
    src_tx_lt    bigint,            -- transaction of the source that sent it
    dst_tx_lt    bigint,            -- transaction of the destination that received it
    kind         smallint NOT NULL, -- 0 internal, 1 external-in, 2 external-out
    ihr_disabled boolean,
    bounce       boolean,
    bounced      boolean,
    account      bytea    NOT NULL CHECK (length(account) = 33),
    hash         bytea    NOT NULL CHECK (length(hash) = 32),
    hash_norm    bytea,             -- external-in only
    source       bytea,             -- where it is not account: system messages; external-in messages have none
    destination  bytea,             -- NULL for external-out
    body_hash    bytea    NOT NULL,
    init_hash    bytea,
    src_tx_hash  bytea,
    dst_tx_hash  bytea,
    import_fee   numeric,           -- external-in: any number its sender wrote
    extra_flags  numeric,
    value_extra  jsonb,
    body         bytea    NOT NULL,
    init         bytea,
    PRIMARY KEY (account, lt)
);

-- messages?msg_hash, transactionsByMessage.
CREATE INDEX messages_hash ON messages USING hash (hash);
CREATE INDEX messages_hash_norm ON messages USING hash (hash_norm) WHERE hash_norm IS NOT NULL;
-- messages?body_hash: the empty body is as hot as any opcode, so by LT. Eight bytes of the hash find it.
CREATE INDEX messages_body_hash ON messages (substr(body_hash, 1, 8), lt);
-- messages?destination, newest first, by the workchain and eight bytes of the account id. (By source: the primary key,
-- for internal and external-out messages.)
CREATE INDEX messages_destination ON messages (substr(destination, 1, 9), lt) WHERE destination IS NOT NULL;
-- messages?source=-1:…: without the system's messages, which the primary key files under their destination, where there
-- may be thousands of them between two that the account sent.
CREATE INDEX messages_masterchain_source ON messages (account, lt) WHERE account < '\x80' AND source IS NULL AND kind <> 1;
-- messages?source=-1:0…0, the system's messages.
CREATE INDEX messages_system_source ON messages (source, lt) WHERE source IS NOT NULL;
-- messages?opcode.
CREATE INDEX messages_opcode ON messages (opcode, lt) WHERE opcode IS NOT NULL;
-- The list of all messages, newest first, and LT ranges.
CREATE INDEX messages_lt ON messages (lt);
-- messages?start_utime&end_utime; small for the same reason as transactions_now.
CREATE INDEX messages_created_at ON messages (created_at) WHERE created_at IS NOT NULL;
-- messages?source=null, only_externals; messages?destination=null.
CREATE INDEX messages_external_in ON messages (lt) WHERE kind = 1;
CREATE INDEX messages_external_out ON messages (lt) WHERE kind = 2;

-- +goose Down
DROP TABLE messages;
