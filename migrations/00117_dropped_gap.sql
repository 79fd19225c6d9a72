-- +goose Up

SET LOCAL lock_timeout = '2s';

-- The newest block up to last that was never indexed, NULL without one, and the end LT of the indexed block before its gap. Nothing fills the gap any
-- more: an account whose newest state is older than that LT may have changed in it.
ALTER TABLE dropped_blocks
    ADD COLUMN gap_last bigint, -- masterchain seqno
    ADD COLUMN gap_lt   bigint;

INSERT INTO schema_gateways (migration, needed) VALUES (117, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 117;
ALTER TABLE dropped_blocks DROP COLUMN gap_lt, DROP COLUMN gap_last;
