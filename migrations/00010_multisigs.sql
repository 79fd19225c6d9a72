-- +goose Up

-- Lists of addresses inside a row are one bytea, 33 bytes an address.
CREATE TABLE multisigs (
    address          bytea   PRIMARY KEY CHECK (length(address) = 33),
    last_tx_lt       bigint  NOT NULL,
    next_order_seqno numeric,
    threshold        bigint  NOT NULL,
    signers          bytea   NOT NULL,
    proposers        bytea   NOT NULL,
    code_hash        bytea   NOT NULL,
    data_hash        bytea   NOT NULL
);

-- Signers and proposers, once each: multisig/wallets?wallet_address.
CREATE TABLE multisig_members (
    member   bytea NOT NULL,
    multisig bytea NOT NULL,
    PRIMARY KEY (member, multisig)
);

-- The members of a multisig whose record changes.
CREATE INDEX multisig_members_multisig ON multisig_members (multisig);

-- The record of each multisig order.
CREATE TABLE multisig_orders (
    address            bytea   PRIMARY KEY CHECK (length(address) = 33),
    last_tx_lt         bigint  NOT NULL,
    multisig           bytea   NOT NULL,
    seqno              numeric NOT NULL,
    threshold          bigint,  -- NULL until the order is initialised, as what follows
    sent_for_execution boolean,
    approvals_mask     numeric,
    approvals_num      bigint,
    expiration         bigint,
    order_boc          bytea,
    signers            bytea,
    code_hash          bytea   NOT NULL,
    data_hash          bytea   NOT NULL
);

-- multisig/orders?multisig_address, and the orders inside multisig/wallets.
CREATE INDEX multisig_orders_multisig ON multisig_orders (multisig, seqno, address);

-- +goose Down
DROP TABLE multisig_orders, multisig_members, multisigs;
