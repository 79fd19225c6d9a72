-- +goose Up

SET LOCAL lock_timeout = '2s';

-- Where rows of a step begin, as transactions of its traces can be of earlier blocks; NULL for steps of earlier versions.
ALTER TABLE cold_blocks
    ADD COLUMN first_mc_seqno bigint,
    ADD COLUMN first_lt       bigint,
    ADD COLUMN first_utime    bigint;

-- The newest step of a server, which each request for moved blocks compares.
CREATE INDEX cold_blocks_server_step ON cold_blocks (server, step);

COMMENT ON INDEX cold_blocks_server_step IS 'the newest step of a cold server';

-- The cold server has claim, too, or next_claim after a change that was interrupted. A copy of this database has an older one, and must not write there.
ALTER TABLE cold_servers
    ADD COLUMN claim       text,
    ADD COLUMN next_claim  text,
    ADD COLUMN newest_step bigint NOT NULL DEFAULT 0; -- numbers of steps that were moved back are not used again

INSERT INTO schema_gateways (migration, needed) VALUES (112, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 112;
ALTER TABLE cold_servers DROP COLUMN newest_step, DROP COLUMN next_claim, DROP COLUMN claim;
DROP INDEX cold_blocks_server_step;
ALTER TABLE cold_blocks DROP COLUMN first_utime, DROP COLUMN first_lt, DROP COLUMN first_mc_seqno;
