-- +goose Up

-- Names that tokens give themselves, in lower case and cut, for search by their beginning. A row comes and goes with
-- metadata's and depends on responses of other servers, so it is no part of the index's digest.
CREATE TABLE token_names (
    name    text     COLLATE "C" NOT NULL,
    address bytea    NOT NULL,
    kind    smallint NOT NULL,
    PRIMARY KEY (address, kind),
    FOREIGN KEY (address, kind) REFERENCES metadata ON DELETE CASCADE
);

-- search, shortest name first.
CREATE INDEX token_names_name ON token_names (kind, name, address);

INSERT INTO token_names SELECT left(lower(result ->> 'name'), 100), address, kind FROM metadata WHERE result ->> 'name' <> '';

-- +goose Down
DROP TABLE token_names;
