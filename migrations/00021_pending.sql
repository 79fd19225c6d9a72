-- +goose Up

-- External messages that were sent through a gateway, until they are in the index or too old. The table is small: the
-- gateways that write it bound its rows, bytes and age. The outcome of a message is not stored here: it follows from the index.
CREATE TABLE pending_messages (
    sent_at      timestamptz NOT NULL DEFAULT now(), -- by the wall clock, for the bound on age
    sent_utime   bigint NOT NULL, -- by the clock of the chain, as the next
    expire_utime bigint NOT NULL,
    mc_seqno     bigint NOT NULL, -- the newest block when it was sent
    size         int    NOT NULL, -- bytes of boc and content
    hash_norm    bytea  PRIMARY KEY CHECK (length(hash_norm) = 32),
    hash         bytea  NOT NULL CHECK (length(hash) = 32),
    account      bytea  NOT NULL CHECK (length(account) = 33),
    boc          bytea  NOT NULL,
    content      bytea, -- the transactions it was found to cause, NULL for none
    accounts     bytea[] NOT NULL -- of these transactions
);

-- pending…?ext_msg_hash, plain.
CREATE INDEX pending_messages_hash ON pending_messages (hash);
-- The bound on messages to one account.
CREATE INDEX pending_messages_account ON pending_messages (account, sent_at);
-- The bounds on rows, bytes and age.
CREATE INDEX pending_messages_sent_at ON pending_messages (sent_at);
-- pending…?account.
CREATE INDEX pending_messages_accounts ON pending_messages USING gin (accounts);

-- +goose Down
DROP TABLE pending_messages;
