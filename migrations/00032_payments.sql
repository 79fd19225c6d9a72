-- +goose Up

-- Registered transfers, with their outcome.
CREATE TABLE payments (
    reference        text        PRIMARY KEY,
    merchant_id      bigint      NOT NULL REFERENCES merchants,
    master           bytea,               -- of the Jetton; NULL is the native coin
    ticker           text        NOT NULL,
    decimals         smallint    NOT NULL,
    amount           numeric     NOT NULL CHECK (amount > 0), -- in the smallest unit
    sender           bytea       NOT NULL,
    recipient        bytea       NOT NULL,
    sender_wallet    bytea,               -- Jetton wallets, as the master named them
    recipient_wallet bytea,
    query_id         bigint      NOT NULL, -- unsigned bits; those drawn by us are negative here
    body_hash        bytea       NOT NULL UNIQUE, -- recognising, and the status by body hash
    sender_text      text        NOT NULL, -- as registered
    recipient_text   text        NOT NULL,
    asset_text       text        NOT NULL,
    comment_to_sender    text    NOT NULL,
    comment_to_recipient text    NOT NULL,
    created_at       timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL,

    status           smallint    NOT NULL DEFAULT 0, -- 0 pending, 1 success, 2 failed
    matched          smallint    NOT NULL DEFAULT 0,
    paid             numeric,             -- that arrived
    paid_by          bytea,               -- when it was not the sender
    paid_comment     text        NOT NULL DEFAULT '', -- of a payment not matched by its body
    trace_id         bytea,
    tx_hash          bytea,
    tx_lt            bigint,
    tx_now           bigint,
    error_code       int         NOT NULL DEFAULT 0,
    error_message    text        NOT NULL DEFAULT ''
);
CREATE INDEX payments_merchant ON payments (merchant_id, created_at DESC, reference); -- lists and the chart
CREATE INDEX payments_query ON payments (query_id, sender) WHERE query_id < 0;         -- recognising by query id

-- Payments of transfers that were paid already.
CREATE TABLE payment_surplus (
    reference text   NOT NULL REFERENCES payments,
    tx_hash   bytea  NOT NULL,
    trace_id  bytea  NOT NULL,
    paid      numeric NOT NULL,
    paid_by   bytea  NOT NULL,
    tx_lt     bigint NOT NULL,
    tx_now    bigint NOT NULL,
    PRIMARY KEY (reference, tx_hash)
);

-- +goose Down
DROP TABLE payment_surplus, payments;
