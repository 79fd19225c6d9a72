-- +goose Up

SET LOCAL lock_timeout = '2s';

-- Code, data and libraries of 64 cells and more are stored in parts from now on, so that states share what they have in common: a row may
-- have pruned branches for others. Rows before stay as they are. A gateway that does not join parts would respond with pruned branches.
COMMENT ON TABLE cells IS 'code, data and libraries of accounts; in a row of a large one, pruned branches stand for other rows';

INSERT INTO schema_gateways (migration, needed) VALUES (107, 107) ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM schema_gateways WHERE migration = 107;
COMMENT ON TABLE cells IS NULL;
