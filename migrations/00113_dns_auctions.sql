-- +goose Up

SET LOCAL lock_timeout = '2s';

-- The auction of a domain, open or not claimed by its winner: who bid most, how much, and when it ends; NULL: there is none, or
-- the item was read by a version that did not read it.
ALTER TABLE dns_records
    ADD COLUMN bidder      bytea,
    ADD COLUMN bid         numeric,
    ADD COLUMN auction_end bigint;

-- dns/activeAuctions: those of a bidder, the first to end first. Only rows with an auction are in it.
CREATE INDEX dns_records_bidder ON dns_records (bidder, auction_end, item) WHERE bidder IS NOT NULL;

COMMENT ON INDEX dns_records_bidder IS 'auctions of domains by bidder';

INSERT INTO schema_gateways (migration, needed) VALUES (113, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 113;
DROP INDEX dns_records_bidder;
ALTER TABLE dns_records DROP COLUMN auction_end, DROP COLUMN bid, DROP COLUMN bidder;
