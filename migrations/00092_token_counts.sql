-- +goose Up
SET LOCAL lock_timeout = '2s';

-- Numbers of holders and transfers of Jettons and NFT collections, by which their lists are sorted. The indexer counts them in the
-- background: nothing is added to a stored number, each is counted from the rows of the index, soon after a change and again from time to
-- time. So they do not depend on the order of indexing.
CREATE TABLE token_counts (
    address       bytea    PRIMARY KEY CHECK (length(address) = 33),
    kind          smallint NOT NULL, -- 1 Jetton master, 3 collection
    listed        smallint NOT NULL, -- 1: it has a name and holders; 0 comes last in all lists
    holders       bigint   NOT NULL, -- Jetton wallets with a balance, or distinct owners of items
    transfers     bigint   NOT NULL, -- executed within 24 hours before counted_utime
    supply        numeric  NOT NULL, -- with regard to decimals, or the number of items
    counted_utime bigint   NOT NULL  -- of the newest masterchain block
);
-- jettonMasters and nftCollections by holders, by transfers, and by supply.
CREATE INDEX token_counts_holders ON token_counts (kind, listed, holders, address);
CREATE INDEX token_counts_transfers ON token_counts (kind, listed, transfers, address);
CREATE INDEX token_counts_supply ON token_counts (kind, listed, supply, address);

COMMENT ON TABLE token_counts IS 'numbers of holders and transfers of Jettons and NFT collections';

INSERT INTO schema_gateways (migration, needed) VALUES (92, NULL);

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 92;
DROP TABLE token_counts;
