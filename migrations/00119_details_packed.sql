-- +goose Up
SET LOCAL lock_timeout = '2s';

-- What the packed details of actions are compressed with: details of this database, one after the other. Rows never change. The writer uses
-- the newest; it adds one when that would make details shorter.
CREATE TABLE action_dictionaries (
    id      bigint PRIMARY KEY,     -- the first four bytes of the SHA-256 of content
    number  int    NOT NULL UNIQUE, -- 1 for the first
    content bytea  NOT NULL
);
COMMENT ON TABLE action_dictionaries IS 'dictionaries of actions.details_packed';

-- The details of an action are packed from now on (internal/store/traces/details_packed.go). Rows before stay as they are, and so do details
-- that have no packed form. A row has one of the two columns. The name of the old one changes, so that a gateway that does not read the new
-- one fails instead of responding with an action without details.
ALTER TABLE actions RENAME COLUMN details TO details_json;
ALTER TABLE actions ALTER COLUMN details_json DROP NOT NULL, ADD COLUMN details_packed bytea;
ALTER TABLE actions ALTER COLUMN details_packed SET STORAGE EXTERNAL;

INSERT INTO schema_gateways (migration, needed) VALUES (119, 119);

-- +goose Down
-- PostgreSQL cannot unpack: going back would lose details.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM actions WHERE details_packed IS NOT NULL) THEN
        RAISE EXCEPTION 'details of actions are packed; an earlier version cannot read them';
    END IF;
END
$$;
-- +goose StatementEnd
DELETE FROM schema_gateways WHERE migration = 119;
ALTER TABLE actions DROP COLUMN details_packed, ALTER COLUMN details_json SET NOT NULL;
ALTER TABLE actions RENAME COLUMN details_json TO details;
DROP TABLE action_dictionaries;
