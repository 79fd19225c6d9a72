-- +goose Up

-- The state of an account after each of its transactions, and the state before the first indexed one. As of a block:
-- the newest row whose transaction that block or an earlier one holds. An account that a transaction deleted has a row
-- with status nonexist; one that never existed has none.
CREATE TABLE account_states (
    account     bytea    NOT NULL CHECK (length(account) = 33),
    lt          bigint   NOT NULL, -- LT of the transaction that made it; 0 for an account that has had none
    tx_hash     bytea    NOT NULL,
    hash        bytea    NOT NULL CHECK (length(hash) = 32),
    status      smallint NOT NULL,
    balance     bigint   NOT NULL,
    extra       jsonb,
    code_hash   bytea,
    data_hash   bytea,
    frozen_hash bytea,
    last_paid   bigint   NOT NULL,
    due_payment bigint,
    used_cells  bigint   NOT NULL,
    used_bits   bigint   NOT NULL,
    PRIMARY KEY (account, lt)
);

-- The newest of account_states per account, repeated so that lists over accounts need no search through history.
CREATE TABLE accounts (
    account     bytea    PRIMARY KEY CHECK (length(account) = 33),
    lt          bigint   NOT NULL,
    tx_hash     bytea    NOT NULL,
    hash        bytea    NOT NULL,
    status      smallint NOT NULL,
    balance     bigint   NOT NULL,
    extra       jsonb,
    code_hash   bytea,
    data_hash   bytea,
    frozen_hash bytea,
    last_paid   bigint   NOT NULL,
    due_payment bigint,
    used_cells  bigint   NOT NULL,
    used_bits   bigint   NOT NULL
) WITH (fillfactor = 80);

-- topAccountsByBalance.
CREATE INDEX accounts_balance ON accounts (balance DESC, account) WHERE status <> 3;
-- accountStates?code_hash.
CREATE INDEX accounts_code_hash ON accounts (code_hash, account) WHERE code_hash IS NOT NULL;

-- Code and data cells by hash, shared by all states that name them.
CREATE TABLE cells (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    boc  bytea NOT NULL
);

-- +goose Down
DROP TABLE cells, accounts, account_states;
