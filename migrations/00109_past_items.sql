-- +goose Up
SET LOCAL lock_timeout = '2s';

-- What an item was besides its owner: nft_items has no row of an item that was destroyed. NULL in rows before.
ALTER TABLE nft_owners ADD COLUMN item_index numeric, ADD COLUMN collection bytea; -- empty for an item of its own

INSERT INTO schema_gateways (migration, needed) VALUES (109, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 109;
ALTER TABLE nft_owners DROP COLUMN collection, DROP COLUMN item_index;
