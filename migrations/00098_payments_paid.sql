-- +goose NO TRANSACTION
-- +goose Up

-- Built while the database serves; an interrupted migration is repeated.

-- +goose StatementBegin
DO $$
DECLARE name regclass;
BEGIN
    SET LOCAL lock_timeout = '5s';
    FOR name IN SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
            AND c.relname IN ('payments_paid', 'payments_payer') LOOP
        EXECUTE format('DROP INDEX %s', name);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- the volume of a merchant's day
CREATE INDEX CONCURRENTLY IF NOT EXISTS payments_paid ON payments (merchant_id, tx_now) WHERE status = 1;
-- payments that a transfer from the recipient to the payer may refund
CREATE INDEX CONCURRENTLY IF NOT EXISTS payments_payer ON payments (recipient, coalesce(paid_by, sender), tx_lt DESC) WHERE status = 1;

INSERT INTO schema_gateways (migration, needed) VALUES (98, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 98;
DROP INDEX IF EXISTS payments_payer;
DROP INDEX IF EXISTS payments_paid;
