-- +goose Up
SET LOCAL lock_timeout = '2s';

-- No version reads it: a relation that the other contract does not confirm is in no response. contracts.kinds retains its bit, 512.
DROP TABLE contract_claims;

INSERT INTO schema_gateways (migration, needed) VALUES (118, 117);

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 118;
CREATE TABLE contract_claims (
    account   bytea   NOT NULL,
    lt        bigint  NOT NULL,
    interface text    NOT NULL,
    other     bytea   NOT NULL,
    refuted   boolean NOT NULL,
    PRIMARY KEY (account, interface, other)
);
