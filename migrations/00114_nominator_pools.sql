-- +goose Up

SET LOCAL lock_timeout = '2s';

-- The record of each pool of nominators, from the data of its newest state. `tonql index redetect` fills it for blocks of earlier versions.
CREATE TABLE nominator_pools (
    address    bytea  PRIMARY KEY CHECK (length(address) = 33),
    last_tx_lt bigint NOT NULL,
    validator  bytea  NOT NULL,
    nominators bytea  NOT NULL, -- the rows of nominator_positions: 66 bytes a nominator, ascending
    code_hash  bytea  NOT NULL,
    data_hash  bytea  NOT NULL
);

COMMENT ON TABLE nominator_pools IS 'pools of nominators: their validators, and the last state that was read';

-- staking/nominatorPools/validatorEvents?validator.
CREATE INDEX nominator_pools_validator ON nominator_pools (validator, address);
COMMENT ON INDEX nominator_pools_validator IS 'pools of a validator';

-- What each nominator has in each pool. staking/nominatorPools/nominator.
CREATE TABLE nominator_positions (
    nominator bytea   NOT NULL,
    pool      bytea   NOT NULL,
    balance   numeric NOT NULL,
    pending   numeric NOT NULL,
    requested boolean NOT NULL,
    PRIMARY KEY (nominator, pool)
);

COMMENT ON TABLE nominator_positions IS 'what nominators have in pools';
COMMENT ON INDEX nominator_positions_pkey IS 'pools of a nominator';

-- The positions of a pool whose record changes.
CREATE INDEX nominator_positions_pool ON nominator_positions (pool);
COMMENT ON INDEX nominator_positions_pool IS 'positions in a pool whose record changes';

INSERT INTO schema_gateways (migration, needed) VALUES (114, NULL) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 114;
DROP TABLE nominator_positions, nominator_pools;
