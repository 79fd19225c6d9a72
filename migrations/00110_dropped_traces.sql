-- +goose Up
SET LOCAL lock_timeout = '2s';

-- Large traces that were dropped with the blocks they end in, while transactions of them are left, which are removed in pieces.
CREATE TABLE dropped_traces (
    trace_id       bytea  PRIMARY KEY CHECK (length(trace_id) = 32),
    end_lt         bigint NOT NULL,
    mc_seqno_start bigint NOT NULL, -- the first masterchain block that has transactions of it
    mc_seqno_end   bigint NOT NULL
);

INSERT INTO schema_gateways (migration, needed) VALUES (110, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 110;
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM dropped_traces) THEN
        RAISE EXCEPTION 'transactions of dropped traces are left; let the indexer remove them first';
    END IF;
END
$$;
-- +goose StatementEnd
DROP TABLE dropped_traces;
