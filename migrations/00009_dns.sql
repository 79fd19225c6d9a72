-- +goose Up

-- Domains of the zones whose names are NFT items, and what they stand for.
CREATE TABLE dns_records (
    item          bytea  PRIMARY KEY CHECK (length(item) = 33),
    last_tx_lt    bigint NOT NULL,
    owner         bytea,
    domain        text   COLLATE "C" NOT NULL, -- the full name with its zone
    next_resolver bytea,
    wallet        bytea,
    site_adnl     bytea,
    storage_bag   bytea,
    text          text
);

-- dns/records?domain.
CREATE INDEX dns_records_domain ON dns_records (domain, item);
-- dns/records?wallet, shortest name first.
CREATE INDEX dns_records_wallet ON dns_records (wallet, length(domain), domain, item) WHERE wallet IS NOT NULL;
-- The name of an account in the address book: it owns the domain, and the domain stands for it.
CREATE INDEX dns_records_own ON dns_records (wallet, length(domain), domain, item) WHERE owner = wallet;

-- +goose Down
DROP TABLE dns_records;
