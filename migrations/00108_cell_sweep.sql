-- +goose Up

SET LOCAL lock_timeout = '2s';

-- What is known of the removal of cells that no row refers to any more, see --keep. Everything that writes cells reads the row under the
-- writer's lock: with another number than before, cells that it has in memory as stored may be gone.
CREATE TABLE cell_sweep (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    number    bigint  NOT NULL, -- of sweeps that began
    running   boolean NOT NULL,
    dropped   bigint  NOT NULL  -- transactions that were dropped since the last sweep began
);

INSERT INTO cell_sweep (number, running, dropped) VALUES (0, false, 0);

-- Cells that blocks need which were written since the running sweep began, until it has read them.
CREATE TABLE cell_uses (hash bytea NOT NULL);

INSERT INTO schema_gateways (migration, needed) VALUES (108, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 108;
DROP TABLE cell_uses;
DROP TABLE cell_sweep;
