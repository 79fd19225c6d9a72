-- +goose Up

-- What the account cell has and the other columns do not have: the end of the last transaction, the hash of the storage
-- dictionary, tick-tock, libraries. With it and the cells the account cell is built again, byte for byte. It is NULL for accounts
-- that do not exist, and in rows of earlier versions.
ALTER TABLE account_states ADD COLUMN rest bytea;

-- +goose Down
ALTER TABLE account_states DROP COLUMN rest;
