-- +goose Up

-- Public libraries as of every indexed masterchain block: runs of blocks after which the dictionary of libraries has the
-- same root. Blocks with one root have the same libraries. A zero root is the empty dictionary.
CREATE TABLE library_ranges (
    first bigint PRIMARY KEY,
    last  bigint NOT NULL,
    root  bytea  NOT NULL
) WITH (fillfactor = 10); -- every block changes the newest row in place

-- Whether a library is in the dictionary with a root, as proven when an indexed block named the library.
CREATE TABLE library_facts (
    hash   bytea   NOT NULL,
    root   bytea   NOT NULL,
    public boolean NOT NULL,
    PRIMARY KEY (hash, root)
);

-- +goose Down
DROP TABLE library_facts, library_ranges;
