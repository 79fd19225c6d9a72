-- +goose Up

-- What was found out about accounts. One row per account that was ever looked at: lt is of the newest state that was,
-- looked the masterchain block as of which it was. kinds has a bit for each table below that holds a record of that
-- state, so an account that stopped being a Jetton wallet has a row without the bit, and no older state can bring the
-- record back.
CREATE TABLE contracts (
    account bytea    PRIMARY KEY CHECK (length(account) = 33),
    lt      bigint   NOT NULL,
    looked  bigint   NOT NULL,
    kinds   smallint NOT NULL
) WITH (fillfactor = 80); -- rows change in place: no index but the key

-- What a code offers, for all accounts that share it: accountStates, the address book.
CREATE TABLE code_interfaces (
    code_hash  bytea  PRIMARY KEY CHECK (length(code_hash) = 32),
    methods    int[],           -- ids of get-methods, ascending; NULL when the code could not be analysed
    interfaces text[] NOT NULL  -- names, ascending
);

-- Relations to other contracts that the others have not confirmed.
CREATE TABLE contract_claims (
    account   bytea   NOT NULL,
    lt        bigint  NOT NULL,
    interface text    NOT NULL,
    other     bytea   NOT NULL,
    refuted   boolean NOT NULL,
    PRIMARY KEY (account, interface, other)
);

-- Claims on a contract that changed, those that nobody has refuted and all.
CREATE INDEX contract_claims_open ON contract_claims (other, account, interface) WHERE NOT refuted;
CREATE INDEX contract_claims_other ON contract_claims (other, account, interface);

-- +goose Down
DROP TABLE contract_claims, code_interfaces, contracts;
