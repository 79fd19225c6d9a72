-- +goose Up

-- What signs the tokens of our own pages. Gateways on one database share it, so that a page may be served by one and its
-- requests by another.
CREATE TABLE access_page_secret (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    secret   bytea   NOT NULL CHECK (length(secret) = 32)
);

-- When a domain of a zone with rent was last paid for (TEP-81 items with get_last_fill_up_time); NULL: it has no rent, or
-- the item was read by a version that did not read it.
ALTER TABLE dns_records ADD COLUMN last_fill_up bigint;
-- The last second of what was paid for; NULL where the lease of the zone is not known.
ALTER TABLE dns_records ADD COLUMN expires_at bigint;

-- +goose Down
ALTER TABLE dns_records DROP COLUMN last_fill_up, DROP COLUMN expires_at;
DROP TABLE access_page_secret;
