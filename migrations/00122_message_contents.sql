-- +goose Up
SET LOCAL lock_timeout = '2s';

-- Bodies and state-inits of messages are compressed from now on, with the dictionaries of raw transactions: each is a BoC, or the byte 1, the
-- id of a dictionary (4 bytes) and a block of S2 (internal/store/transactions/message_content.go). Rows before stay as they are. The names
-- change, so that a gateway that does not read the new form fails instead of responding with compressed bytes.
ALTER TABLE messages RENAME COLUMN body TO body_boc;
ALTER TABLE messages RENAME COLUMN init TO init_boc;

INSERT INTO schema_gateways (migration, needed) VALUES (122, 122);

-- +goose Down
-- PostgreSQL cannot decompress: going back would lose bodies. A BoC begins with none of these bytes.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM messages WHERE substr(body_boc, 1, 1) IN ('\x00', '\x01') OR substr(init_boc, 1, 1) IN ('\x00', '\x01')) THEN
        RAISE EXCEPTION 'bodies of messages are compressed; an earlier version cannot read them';
    END IF;
END
$$;
-- +goose StatementEnd
DELETE FROM schema_gateways WHERE migration = 122;
ALTER TABLE messages RENAME COLUMN body_boc TO body;
ALTER TABLE messages RENAME COLUMN init_boc TO init;
