-- +goose Up

-- What an account held as of a block: the Jetton wallets it ever owned, and the items. Equal keys share their place, so
-- that a change of balance adds a row number and no key.
CREATE INDEX jetton_balances_owner ON jetton_balances (owner, wallet);
CREATE INDEX nft_owners_owner ON nft_owners (owner, item) WHERE owner IS NOT NULL;

-- +goose Down
DROP INDEX nft_owners_owner, jetton_balances_owner;
