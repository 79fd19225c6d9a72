-- +goose Up

-- What the cell of a block has and its rows do not have: the rest of the header, hashes of the parts that are not indexed, both
-- sides of the state update, in masterchain blocks the shard hashes. With it and the rows the block is built again up to its root
-- hash: tonql verify. Blocks that earlier versions indexed have none; tonql index complete adds them.
CREATE TABLE frames (
    workchain int    NOT NULL,
    shard     bigint NOT NULL,
    seqno     bigint NOT NULL,
    frame     bytea  NOT NULL,
    PRIMARY KEY (workchain, shard, seqno)
);
-- Hashes cannot be compressed.
ALTER TABLE frames ALTER COLUMN frame SET STORAGE EXTERNAL;

-- +goose Down
DROP TABLE frames;
