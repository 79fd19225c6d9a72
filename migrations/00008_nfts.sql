-- +goose Up

-- The record of each NFT collection.
CREATE TABLE nft_collections (
    address         bytea   PRIMARY KEY CHECK (length(address) = 33),
    last_tx_lt      bigint  NOT NULL,
    owner           bytea,
    next_item_index numeric NOT NULL,
    content         json    NOT NULL,
    code_hash       bytea   NOT NULL,
    data_hash       bytea   NOT NULL
);

-- nft/collections?owner_address.
CREATE INDEX nft_collections_owner ON nft_collections (owner, address) WHERE owner IS NOT NULL;

-- The record of each NFT item.
CREATE TABLE nft_items (
    address        bytea   PRIMARY KEY CHECK (length(address) = 33),
    last_tx_lt     bigint  NOT NULL,
    init           boolean NOT NULL,
    item_index     numeric NOT NULL,
    collection     bytea   NOT NULL, -- empty for an item of its own, so that it has a place in every order
    owner          bytea,
    content        json    NOT NULL,
    domain         text,             -- DNS items only
    sbt            boolean NOT NULL,
    sbt_authority  bytea,
    sbt_revoked_at bigint,           -- soul-bound items only
    code_hash      bytea   NOT NULL,
    data_hash      bytea   NOT NULL
);

-- nft/items?owner_address, with collection_address or without.
CREATE INDEX nft_items_owner ON nft_items (owner, collection, item_index, address) WHERE owner IS NOT NULL;
-- nft/items?collection_address, with index or without.
CREATE INDEX nft_items_collection ON nft_items (collection, item_index, address);
-- nft/items?sort_by_last_transaction_lt: of all, of an owner, of a collection.
CREATE INDEX nft_items_lt ON nft_items (last_tx_lt, address);
CREATE INDEX nft_items_owner_lt ON nft_items (owner, last_tx_lt, address) WHERE owner IS NOT NULL;
CREATE INDEX nft_items_collection_lt ON nft_items (collection, last_tx_lt, address);

-- The owner after each state of an item that was looked at: ownership as of a block.
CREATE TABLE nft_owners (
    item     bytea  NOT NULL CHECK (length(item) = 33),
    lt       bigint NOT NULL,
    mc_seqno bigint NOT NULL, -- that committed the state
    owner    bytea,
    PRIMARY KEY (item, lt)
);

-- The record of each contract that sells or auctions an item.
CREATE TABLE nft_sales (
    address     bytea    PRIMARY KEY CHECK (length(address) = 33), -- nft/sales, and the sale that an item's owner is
    last_tx_lt  bigint   NOT NULL,
    kind        smallint NOT NULL,
    nft         bytea,
    nft_owner   bytea,
    marketplace bytea,
    created_at  bigint,
    known       boolean  NOT NULL,
    details     json     NOT NULL,
    code_hash   bytea    NOT NULL,
    data_hash   bytea    NOT NULL
);

-- nft/items?owner_address&include_on_sale: the sales that hold items for an owner.
CREATE INDEX nft_sales_owner ON nft_sales (nft_owner, address) WHERE nft_owner IS NOT NULL AND known;

-- One row per transfer, under the transaction of the item.
CREATE TABLE nft_transfers (
    nft                  bytea   NOT NULL CHECK (length(nft) = 33),
    tx_lt                bigint  NOT NULL,
    tx_hash              bytea   NOT NULL,
    tx_now               bigint  NOT NULL,
    tx_aborted           boolean NOT NULL,
    query_id             bigint  NOT NULL,
    collection           bytea,
    old_owner            bytea   NOT NULL,
    new_owner            bytea,
    response_destination bytea,
    forward_amount       numeric NOT NULL,
    custom_payload       bytea,
    forward_payload      bytea,
    trace_id             bytea,
    PRIMARY KEY (nft, tx_lt)                   -- nft/transfers?item_address
);

-- nft/transfers, newest first.
CREATE INDEX nft_transfers_lt ON nft_transfers (tx_lt, nft);
-- nft/transfers?start_utime&end_utime.
CREATE INDEX nft_transfers_now ON nft_transfers (tx_now, tx_lt, nft);
-- nft/transfers?owner_address, each direction with a walk of its own.
CREATE INDEX nft_transfers_old_owner ON nft_transfers (old_owner, tx_lt);
CREATE INDEX nft_transfers_new_owner ON nft_transfers (new_owner, tx_lt) WHERE new_owner IS NOT NULL;
-- nft/transfers?owner_address&collection_address.
CREATE INDEX nft_transfers_old_owner_collection ON nft_transfers ((old_owner || collection), tx_lt)
    WHERE collection IS NOT NULL;
CREATE INDEX nft_transfers_new_owner_collection ON nft_transfers ((new_owner || collection), tx_lt)
    WHERE new_owner IS NOT NULL AND collection IS NOT NULL;
-- nft/transfers?collection_address.
CREATE INDEX nft_transfers_collection ON nft_transfers (collection, tx_lt) WHERE collection IS NOT NULL;

-- +goose Down
DROP TABLE nft_transfers, nft_sales, nft_owners, nft_items, nft_collections;
