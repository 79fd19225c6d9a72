-- +goose Up
SET LOCAL lock_timeout = '2s';

-- Types of events that an endpoint receives: success, failed, refunded.
ALTER TABLE webhook_endpoints
    ADD COLUMN events     text[] NOT NULL DEFAULT '{success,failed}',
    ADD COLUMN alerted_at timestamptz; -- the newest alert about it

-- Where a merchant is alerted about failing endpoints.
CREATE TABLE merchant_alerts (
    merchant_id bigint PRIMARY KEY REFERENCES merchants,
    email       text   NOT NULL DEFAULT '', -- '' for none
    url         text   NOT NULL DEFAULT ''  -- of a webhook; '' for none
);

INSERT INTO schema_gateways (migration, needed) VALUES (97, NULL);

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 97;
DROP TABLE merchant_alerts;
ALTER TABLE webhook_endpoints DROP COLUMN alerted_at, DROP COLUMN events;
