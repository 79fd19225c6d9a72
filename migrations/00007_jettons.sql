-- +goose Up

-- Jetton amounts are numeric: a contract may name any number of up to 257 bits. Content is json and not jsonb, which
-- refuses some characters that a contract may name.

-- The record of each Jetton master.
CREATE TABLE jetton_masters (
    address          bytea   PRIMARY KEY CHECK (length(address) = 33),
    last_tx_lt       bigint  NOT NULL,
    total_supply     numeric NOT NULL,
    mintable         boolean NOT NULL,
    admin            bytea,
    content          json    NOT NULL,
    wallet_code_hash bytea   NOT NULL,
    mintless_root    bytea,
    mintless_apis    text[],
    code_hash        bytea   NOT NULL,
    data_hash        bytea   NOT NULL
);

-- jetton/masters?admin_address.
CREATE INDEX jetton_masters_admin ON jetton_masters (admin, address) WHERE admin IS NOT NULL;

-- The record of each Jetton wallet.
CREATE TABLE jetton_wallets (
    address         bytea   PRIMARY KEY CHECK (length(address) = 33),
    last_tx_lt      bigint  NOT NULL,
    balance         numeric NOT NULL,
    owner           bytea   NOT NULL,
    jetton          bytea   NOT NULL,
    claimed         boolean,  -- mintless only
    mintless_amount numeric,  -- not claimed yet; the next three are NULL without it
    mintless_start  bigint,
    mintless_expire bigint,
    mintless_apis   text[],
    code_hash       bytea,
    data_hash       bytea
);

-- jetton/wallets?owner_address, with jetton_address or without.
CREATE INDEX jetton_wallets_owner ON jetton_wallets (owner, jetton, address);
-- jetton/wallets?owner_address&sort.
CREATE INDEX jetton_wallets_owner_balance ON jetton_wallets (owner, balance, address);
-- jetton/wallets?jetton_address.
CREATE INDEX jetton_wallets_jetton ON jetton_wallets (jetton, address);
-- jetton/wallets?jetton_address&sort: the largest holders.
CREATE INDEX jetton_wallets_jetton_balance ON jetton_wallets (jetton, balance, address);
-- jetton/wallets?sort.
CREATE INDEX jetton_wallets_balance ON jetton_wallets (balance, address);

-- The balance after each state of a Jetton wallet that was looked at: balances as of a block.
CREATE TABLE jetton_balances (
    wallet   bytea   NOT NULL CHECK (length(wallet) = 33),
    lt       bigint  NOT NULL,
    mc_seqno bigint  NOT NULL, -- that committed the state
    balance  numeric NOT NULL,
    owner    bytea   NOT NULL,
    jetton   bytea   NOT NULL,
    PRIMARY KEY (wallet, lt)
);

-- One row per transfer, under the transaction of the sending wallet. Indexes of lists leave out aborted transfers, which
-- the lists do, too, so that a flood of failures does not stand in the way.
CREATE TABLE jetton_transfers (
    source_wallet        bytea   NOT NULL CHECK (length(source_wallet) = 33),
    tx_lt                bigint  NOT NULL,
    tx_hash              bytea   NOT NULL,
    tx_now               bigint  NOT NULL,
    tx_aborted           boolean NOT NULL,
    query_id             bigint  NOT NULL, -- all 64 bits: large ones are negative
    source               bytea   NOT NULL,
    destination          bytea,
    jetton               bytea   NOT NULL,
    amount               numeric NOT NULL,
    response_destination bytea,
    forward_amount       numeric NOT NULL,
    custom_payload       bytea,
    forward_payload      bytea,
    trace_id             bytea,
    PRIMARY KEY (source_wallet, tx_lt)         -- jetton/transfers?jetton_wallet
);

-- jetton/transfers, newest first.
CREATE INDEX jetton_transfers_lt ON jetton_transfers (tx_lt, source_wallet) WHERE NOT tx_aborted;
-- jetton/transfers?start_utime&end_utime.
CREATE INDEX jetton_transfers_now ON jetton_transfers (tx_now, tx_lt, source_wallet) WHERE NOT tx_aborted;
-- jetton/transfers?owner_address, each direction with a walk of its own.
CREATE INDEX jetton_transfers_source ON jetton_transfers (source, tx_lt) WHERE NOT tx_aborted;
CREATE INDEX jetton_transfers_destination ON jetton_transfers (destination, tx_lt) WHERE NOT tx_aborted AND destination IS NOT NULL;
-- jetton/transfers?owner_address&jetton_master. Both in one column, so that no other index can stand in: an owner may have
-- very many transfers, and few of them of this Jetton.
CREATE INDEX jetton_transfers_source_jetton ON jetton_transfers ((source || jetton), tx_lt) WHERE NOT tx_aborted;
CREATE INDEX jetton_transfers_destination_jetton ON jetton_transfers ((destination || jetton), tx_lt)
    WHERE NOT tx_aborted AND destination IS NOT NULL;
-- jetton/transfers?jetton_master.
CREATE INDEX jetton_transfers_jetton ON jetton_transfers (jetton, tx_lt) WHERE NOT tx_aborted;

-- One row per burn, under the transaction of the wallet.
CREATE TABLE jetton_burns (
    jetton_wallet        bytea   NOT NULL CHECK (length(jetton_wallet) = 33),
    tx_lt                bigint  NOT NULL,
    tx_hash              bytea   NOT NULL,
    tx_now               bigint  NOT NULL,
    tx_aborted           boolean NOT NULL,
    query_id             bigint  NOT NULL,
    owner                bytea   NOT NULL,
    jetton               bytea   NOT NULL,
    amount               numeric NOT NULL,
    response_destination bytea,
    custom_payload       bytea,
    trace_id             bytea,
    PRIMARY KEY (jetton_wallet, tx_lt)         -- jetton/burns?jetton_wallet
);

-- jetton/burns, newest first.
CREATE INDEX jetton_burns_lt ON jetton_burns (tx_lt, jetton_wallet);
-- jetton/burns?start_utime&end_utime.
CREATE INDEX jetton_burns_now ON jetton_burns (tx_now, tx_lt, jetton_wallet);
-- jetton/burns?owner_address, with jetton_master or without.
CREATE INDEX jetton_burns_owner ON jetton_burns (owner, tx_lt);
CREATE INDEX jetton_burns_owner_jetton ON jetton_burns ((owner || jetton), tx_lt);
-- jetton/burns?jetton_master.
CREATE INDEX jetton_burns_jetton ON jetton_burns (jetton, tx_lt);

-- +goose Down
DROP TABLE jetton_burns, jetton_transfers, jetton_balances, jetton_wallets, jetton_masters;
