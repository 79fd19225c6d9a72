-- +goose Up

-- The record of each vesting wallet.
CREATE TABLE vestings (
    address        bytea   PRIMARY KEY CHECK (length(address) = 33),
    last_tx_lt     bigint  NOT NULL,
    start_time     bigint  NOT NULL,
    total_duration bigint  NOT NULL,
    unlock_period  bigint  NOT NULL,
    cliff_duration bigint  NOT NULL,
    total_amount   numeric NOT NULL,
    sender         bytea   NOT NULL,
    owner          bytea   NOT NULL,
    whitelist      bytea   NOT NULL, -- 33 bytes an address, ascending
    code_hash      bytea   NOT NULL,
    data_hash      bytea   NOT NULL
);

-- vesting?wallet_address.
CREATE INDEX vestings_owner ON vestings (owner, address);
CREATE INDEX vestings_sender ON vestings (sender, address);

-- vesting?wallet_address&check_whitelist.
CREATE TABLE vesting_whitelist (
    member  bytea NOT NULL,
    vesting bytea NOT NULL,
    PRIMARY KEY (member, vesting)
);

-- The whitelist of a wallet whose record changes.
CREATE INDEX vesting_whitelist_vesting ON vesting_whitelist (vesting);

-- +goose Down
DROP TABLE vesting_whitelist, vestings;
