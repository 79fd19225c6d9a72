-- +goose Up
SET LOCAL lock_timeout = '2s';

-- Payment links: pages on which anyone can start a payment of a fixed amount to a merchant.
CREATE TABLE payment_links (
    id               bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_id      bigint      NOT NULL REFERENCES merchants,
    page             text        NOT NULL UNIQUE, -- random, in the URL: the lookup of every visit
    title            text        NOT NULL,
    master           bytea,                       -- of the Jetton; NULL is the native coin
    ticker           text        NOT NULL,
    decimals         smallint    NOT NULL,
    amount           numeric     NOT NULL CHECK (amount > 0), -- in the smallest unit
    recipient        bytea       NOT NULL,
    recipient_wallet bytea,                       -- Jetton wallet, as the master named it
    recipient_text   text        NOT NULL,
    asset_text       text        NOT NULL,
    once             boolean     NOT NULL,        -- ends with its first successful payment
    created_at       timestamptz NOT NULL DEFAULT now(),
    closed_at        timestamptz                  -- by a user
);
CREATE INDEX payment_links_merchant ON payment_links (merchant_id, id DESC); -- the list

-- Pages of single payments. Such a payment has no registered sender: its sender_text is '', and sender the zero address, to which no
-- wallet belongs.
CREATE TABLE payment_pages (
    reference   text        PRIMARY KEY REFERENCES payments,
    page        text        NOT NULL UNIQUE, -- random, in the URL: the lookup of every visit
    merchant_id bigint      NOT NULL REFERENCES merchants,
    link_id     bigint      REFERENCES payment_links, -- NULL: made by a user of the dashboard
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payment_pages_link ON payment_pages (link_id, created_at DESC) WHERE link_id IS NOT NULL; -- payments of a link
CREATE INDEX payment_pages_merchant ON payment_pages (merchant_id, created_at) WHERE link_id IS NOT NULL; -- counting open ones of all links

-- Payments that a merchant sent back.
CREATE TABLE payment_refunds (
    reference text    NOT NULL REFERENCES payments,
    tx_hash   bytea   NOT NULL,
    trace_id  bytea   NOT NULL,
    amount    numeric NOT NULL,
    receiver  bytea   NOT NULL,
    tx_lt     bigint  NOT NULL,
    tx_now    bigint  NOT NULL,
    PRIMARY KEY (reference, tx_hash)
);

INSERT INTO schema_gateways (migration, needed) VALUES (96, NULL);

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 96;
DROP TABLE payment_refunds, payment_pages, payment_links;
