-- +goose NO TRANSACTION
-- +goose Up

-- The newest block up to last that was never indexed, NULL without one, and the end LT of the indexed block before its gap. Nothing fills the gap any
-- more: an account whose newest state is older than that LT may have changed in it.
-- +goose StatementBegin
DO $$
BEGIN
    SET LOCAL lock_timeout = '2s';
    ALTER TABLE dropped_blocks
        ADD COLUMN IF NOT EXISTS gap_last bigint, -- masterchain seqno
        ADD COLUMN IF NOT EXISTS gap_lt   bigint;
END
$$;
-- +goose StatementEnd

-- No query reads claims by the contract that they are about: the writer reads those of an account. The indexes go beside writers.
DROP INDEX CONCURRENTLY IF EXISTS contract_claims_open;
DROP INDEX CONCURRENTLY IF EXISTS contract_claims_other;

INSERT INTO schema_gateways (migration, needed) VALUES (117, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 117;
CREATE INDEX IF NOT EXISTS contract_claims_open ON contract_claims (other, account, interface) WHERE NOT refuted;
CREATE INDEX IF NOT EXISTS contract_claims_other ON contract_claims (other, account, interface);
ALTER TABLE dropped_blocks DROP COLUMN gap_lt, DROP COLUMN gap_last;
