-- +goose Up

-- What an address is called, in the address book and among tokens, is kept in the memory of gateways. A transaction that
-- changes any of it counts the version up, as one of its last steps, and leaves whom it touched; so versions are visible
-- in their order, and a gateway that knows one version learns what to forget from the rows of those since.
-- One row that every block changes in place. An index would make reading it dearer, and every answer does.
CREATE TABLE names_version (
    version bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO names_version VALUES (0);

CREATE TABLE name_changes (
    version  bigint  PRIMARY KEY,
    accounts bytea[],         -- whose names may have changed; NULL: too many to tell
    codes    bytea[] NOT NULL -- whose interfaces may have changed
);

-- +goose Down
DROP TABLE name_changes, names_version;
