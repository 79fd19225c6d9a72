-- +goose Up

-- What each migration means to gateways that do not have it. Gateways read all tables, and write merchants, keys, deliveries, limits and
-- sent messages. Each migration after this one inserts its row, so that the row and the change are committed together; a migration
-- without a row stops older gateways. Processes that write the index need exactly their own schema and do not read this table.
CREATE TABLE schema_gateways (
    migration bigint PRIMARY KEY,
    needed    bigint -- the migration that a gateway must have to continue; NULL: none, the migration only adds (it expands the schema)
);

COMMENT ON TABLE schema_gateways IS 'migrations after which gateways of earlier versions may continue';

-- +goose Down
DROP TABLE schema_gateways;
