-- +goose Up

-- Lists of messages go by the LT of creation. It is lt but for messages that no transaction sent (from -1:0…0), whose
-- key has the LT of the transaction that received them. Lists by source need no change: their rows have a sender.

-- messages?body_hash.
DROP INDEX messages_body_hash;
CREATE INDEX messages_body_hash ON messages (substr(body_hash, 1, 8), COALESCE(created_lt, lt));
-- messages?destination.
DROP INDEX messages_destination;
CREATE INDEX messages_destination ON messages (substr(destination, 1, 9), COALESCE(created_lt, lt)) WHERE destination IS NOT NULL;
-- messages?source=-1:0…0, the system's messages.
DROP INDEX messages_system_source;
CREATE INDEX messages_system_source ON messages (source, COALESCE(created_lt, lt)) WHERE source IS NOT NULL;
-- messages?opcode.
DROP INDEX messages_opcode;
CREATE INDEX messages_opcode ON messages (opcode, COALESCE(created_lt, lt)) WHERE opcode IS NOT NULL;
-- The list of all messages, newest first, and LT ranges.
DROP INDEX messages_lt;
CREATE INDEX messages_lt ON messages (COALESCE(created_lt, lt));

-- +goose Down
DROP INDEX messages_body_hash;
CREATE INDEX messages_body_hash ON messages (substr(body_hash, 1, 8), lt);
DROP INDEX messages_destination;
CREATE INDEX messages_destination ON messages (substr(destination, 1, 9), lt) WHERE destination IS NOT NULL;
DROP INDEX messages_system_source;
CREATE INDEX messages_system_source ON messages (source, lt) WHERE source IS NOT NULL;
DROP INDEX messages_opcode;
CREATE INDEX messages_opcode ON messages (opcode, lt) WHERE opcode IS NOT NULL;
DROP INDEX messages_lt;
CREATE INDEX messages_lt ON messages (lt);
