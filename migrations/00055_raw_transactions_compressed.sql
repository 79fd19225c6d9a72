-- +goose Up

-- What the raw transactions that follow are compressed with: raw transactions of this database, one after the other. Rows never
-- change. The writer uses the newest; it adds one when that would make transactions shorter.
CREATE TABLE dictionaries (
    id      bigint PRIMARY KEY,     -- the first four bytes of the SHA-256 of content
    number  int    NOT NULL UNIQUE, -- 1 for the first
    content bytea  NOT NULL
);

-- The raw transaction stands in the row of the transaction, which saves a row with a second key of 42 bytes in heap and index. It is
-- a BoC, or the byte 1, the id of a dictionary (4 bytes) and a block of S2. Rows written before keep theirs in transaction_bocs,
-- from where they are read: moving them would rewrite the largest table.
ALTER TABLE transactions ADD COLUMN boc bytea;
ALTER TABLE transactions ALTER COLUMN boc SET STORAGE EXTERNAL;

-- +goose Down
-- PostgreSQL cannot decompress: going back would lose raw transactions.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM transactions WHERE boc IS NOT NULL AND get_byte(boc, 0) <= 1) THEN
        RAISE EXCEPTION 'raw transactions are compressed; an earlier version cannot read them';
    END IF;
END
$$;
-- +goose StatementEnd
INSERT INTO transaction_bocs SELECT account, lt, boc FROM transactions WHERE boc IS NOT NULL;
ALTER TABLE transactions DROP COLUMN boc;
DROP TABLE dictionaries;
