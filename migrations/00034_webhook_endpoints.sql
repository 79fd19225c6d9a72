-- +goose Up

-- Endpoints that a merchant removed stay for the log of their deliveries; nothing is sent to them.
ALTER TABLE webhook_endpoints ADD COLUMN removed_at timestamptz;

-- What an attempt was sent with, as header lines.
ALTER TABLE webhook_attempts ADD COLUMN headers text NOT NULL DEFAULT '';

CREATE INDEX webhook_deliveries_exhausted ON webhook_deliveries (endpoint_id, id) WHERE state = 3; -- exhausted deliveries, to be listed and sent again

-- +goose Down
DROP INDEX webhook_deliveries_exhausted;
ALTER TABLE webhook_attempts DROP COLUMN headers;
ALTER TABLE webhook_endpoints DROP COLUMN removed_at;
