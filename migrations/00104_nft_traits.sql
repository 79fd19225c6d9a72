-- +goose Up
SET LOCAL lock_timeout = '2s';

-- Traits of NFT items, from their metadata. A row comes and goes with that of metadata, so it is no part of the index's digest. The collection is
-- that of the item's record and changes with it.
CREATE TABLE nft_traits (
    collection bytea    NOT NULL,                      -- empty when the item has none
    name       text     COLLATE "C" NOT NULL,
    value      text     COLLATE "C" NOT NULL,
    item       bytea    NOT NULL CHECK (length(item) = 33),
    kind       smallint NOT NULL DEFAULT 4 CHECK (kind = 4),
    FOREIGN KEY (item, kind) REFERENCES metadata ON DELETE CASCADE
);

-- nftItems by trait, by address; nftTraits: the names, their values, and the numbers of items.
CREATE INDEX nft_traits_value ON nft_traits (collection, name, value, item);
-- Traits of an item that changed, and the foreign key.
CREATE INDEX nft_traits_item ON nft_traits (item, kind);

-- Whether nft_traits has the traits of this metadata; NULL: not yet, also of what was fetched before this migration.
ALTER TABLE metadata ADD COLUMN traits smallint;

COMMENT ON TABLE nft_traits IS 'traits of NFT items, by collection, name and value';

INSERT INTO schema_gateways (migration, needed) VALUES (104, NULL);

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 104;
ALTER TABLE metadata DROP COLUMN traits;
DROP TABLE nft_traits;
