-- +goose Up

-- Gateways cache the address book and token metadata for one version of them. A transaction that changes any of it
-- increments the version as one of its last steps and records the affected accounts; so versions become visible in order,
-- and a gateway at one version invalidates the accounts in the rows of the later versions.
-- One row that every block updates in place. An index would make reading it more expensive, and every response reads it.
CREATE TABLE names_version (
    version bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO names_version VALUES (0);

-- What each version changed.
CREATE TABLE name_changes (
    version  bigint  PRIMARY KEY,
    accounts bytea[],         -- whose names may have changed; NULL: too many to list
    codes    bytea[] NOT NULL -- whose interfaces may have changed
);

-- +goose Down
DROP TABLE name_changes, names_version;
