-- +goose Up

-- What each state of a sale or auction that was looked at said: the classification of traces needs it as of a block, and
-- most often of contracts that are gone by then.
CREATE TABLE nft_sale_records (
    address     bytea    NOT NULL CHECK (length(address) = 33),
    lt          bigint   NOT NULL,
    mc_seqno    bigint   NOT NULL, -- that committed the state
    kind        smallint NOT NULL,
    nft         bytea,
    nft_owner   bytea,
    marketplace bytea,
    price       numeric,           -- the full price, or the last bid
    PRIMARY KEY (address, lt)
);

-- +goose Down
DROP TABLE nft_sale_records;
