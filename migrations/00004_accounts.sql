-- +goose Up

-- The state of an account after each of its transactions, and the state before the first indexed one. As of a block:
-- the newest row whose transaction that block or an earlier one holds. An account that a transaction deleted has a row
-- with status nonexist; one that never existed has none.
CREATE TABLE account_states (
    lt          bigint   NOT NULL, -- LT of the transaction that made it; 0 for an account that has had none
    balance     bigint   NOT NULL,
    last_paid   bigint   NOT NULL,
    due_payment bigint,
    used_cells  bigint   NOT NULL,
    used_bits   bigint   NOT NULL,
    status      smallint NOT NULL,
    account     bytea    NOT NULL CHECK (length(account) = 33),
    tx_hash     bytea    NOT NULL,
    hash        bytea    NOT NULL CHECK (length(hash) = 32),
    code_hash   bytea,
    data_hash   bytea,
    frozen_hash bytea,
    extra       jsonb,
    PRIMARY KEY (account, lt)
);

-- The octave of a balance and the sixteenth of it: equal for balances that differ by less than 4.5 %.
CREATE FUNCTION balance_rank(balance bigint) RETURNS smallint IMMUTABLE PARALLEL SAFE LANGUAGE sql
    RETURN CASE WHEN balance <= 0 THEN -1 ELSE floor(ln(balance::float8) / ln(2::float8) * 16)::smallint END;

-- The newest of account_states per account, repeated so that lists over accounts need no search through history.
-- The balance itself is not indexed: it changes with every transaction, and each change would be one of all indexes.
CREATE TABLE accounts (
    lt          bigint   NOT NULL,
    balance     bigint   NOT NULL,
    last_paid   bigint   NOT NULL,
    due_payment bigint,
    used_cells  bigint   NOT NULL,
    used_bits   bigint   NOT NULL,
    status      smallint NOT NULL,
    rank        smallint NOT NULL GENERATED ALWAYS AS (balance_rank(balance)) STORED,
    account     bytea    PRIMARY KEY CHECK (length(account) = 33),
    tx_hash     bytea    NOT NULL,
    hash        bytea    NOT NULL,
    code_hash   bytea,
    data_hash   bytea,
    frozen_hash bytea,
    extra       jsonb
) WITH (fillfactor = 80);

-- topAccountsByBalance: by rank, and within one sorted as they are read.
CREATE INDEX accounts_rank ON accounts (rank) WHERE status <> 3;
-- accountStates?code_hash.
CREATE INDEX accounts_code_hash ON accounts (code_hash, account) WHERE code_hash IS NOT NULL;

-- Code and data cells by hash, shared by all states that name them.
CREATE TABLE cells (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    boc  bytea NOT NULL
);

-- +goose Down
DROP TABLE cells, accounts, account_states;
DROP FUNCTION balance_rank;
