-- +goose Up

-- Lists of an account find their rows by an 8-byte key of the account and the first 8 bytes of the trace's id, one row for
-- an account and a trace; the row that is found holds the addresses and is compared with the account. They replace
-- trace_accounts and action_accounts, which have the address, the ids and the type in full, in the table and in its index.
--
-- Moving the rows of a large index takes longer than a service may be down, so the indexer moves them in the background, in
-- small transactions. Until it is done the writer writes both forms and readers use the old one; then the indexer drops
-- the old tables. Where they are empty, there is nothing to wait for.

-- traces?account: the account has a transaction in a complete trace.
CREATE TABLE account_traces (
    account_key  bigint NOT NULL, -- first 8 bytes of SHA-256 of the 33 bytes of the address
    end_lt       bigint NOT NULL,
    trace_prefix bigint NOT NULL, -- first 8 bytes of the trace_id, the highest bit flipped: signed in the order of the ids
    PRIMARY KEY (account_key, end_lt, trace_prefix)
);

-- actions?account: the account takes part in an action of the trace. The types of these actions are a set of bits, so that
-- looking for a rare one reads no actions of traces without it.
CREATE TABLE account_actions (
    account_key  bigint NOT NULL,
    trace_end_lt bigint NOT NULL,
    trace_prefix bigint NOT NULL,
    types        bigint NOT NULL,
    PRIMARY KEY (account_key, trace_end_lt, trace_prefix) INCLUDE (types)
);

-- The accounts of complete traces whose transactions are too many for traces.nodes. traces?account compares with these.
CREATE TABLE large_trace_accounts (
    trace_id bytea NOT NULL,
    account  bytea NOT NULL CHECK (length(account) = 33),
    PRIMARY KEY (trace_id, account)
);

-- One row: the last old row that is moved, and when all were.
CREATE TABLE account_keys_move (
    only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    actions   boolean NOT NULL DEFAULT false, -- trace_accounts is moved, the position is one in action_accounts
    account   bytea   NOT NULL DEFAULT '',
    lt        bigint  NOT NULL DEFAULT 0,
    trace_id  bytea   NOT NULL DEFAULT '',
    action_lt bigint  NOT NULL DEFAULT 0,
    action_id bytea   NOT NULL DEFAULT '',
    done_at   timestamptz
);
INSERT INTO account_keys_move DEFAULT VALUES;

-- Whether an account is one of a list of addresses, 33 bytes each.
-- +goose StatementBegin
CREATE FUNCTION account_among(list bytea, account bytea) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM generate_series(1, length(list), 33) n WHERE substr(list, n, 33) = account);
END
$$;
-- +goose StatementEnd

-- Whether an account has a transaction in a complete trace.
-- +goose StatementBegin
CREATE FUNCTION account_in_trace(trace bytea, nodes bytea, account bytea) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN CASE WHEN nodes IS NULL
        THEN EXISTS (SELECT FROM large_trace_accounts g WHERE g.trace_id = trace AND g.account = $3)
        ELSE EXISTS (SELECT FROM generate_series(1, length(nodes), 41) n WHERE substr(nodes, n, 33) = $3) END;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    LOCK TABLE trace_accounts, action_accounts;
    IF NOT EXISTS (SELECT FROM trace_accounts) AND NOT EXISTS (SELECT FROM action_accounts) THEN
        DROP TABLE trace_accounts, action_accounts;
        UPDATE account_keys_move SET done_at = now();
    END IF;
END
$$;
-- +goose StatementEnd

-- +goose Down
CREATE TABLE IF NOT EXISTS trace_accounts (
    end_lt   bigint NOT NULL,
    account  bytea  NOT NULL CHECK (length(account) = 33),
    trace_id bytea  NOT NULL,
    PRIMARY KEY (account, end_lt, trace_id)
);
CREATE TABLE IF NOT EXISTS action_accounts (
    trace_end_lt bigint NOT NULL,
    end_lt       bigint NOT NULL,
    account      bytea  NOT NULL CHECK (length(account) = 33),
    trace_id     bytea  NOT NULL,
    action_id    bytea  NOT NULL,
    type         text   NOT NULL,
    PRIMARY KEY (account, trace_end_lt, trace_id, end_lt, action_id) INCLUDE (type)
);
INSERT INTO trace_accounts (end_lt, account, trace_id)
    SELECT t.end_lt, x.account, t.trace_id FROM traces t CROSS JOIN LATERAL (
        SELECT substr(t.nodes, n, 33) AS account FROM generate_series(1, length(t.nodes), 41) n
        UNION SELECT g.account FROM large_trace_accounts g WHERE g.trace_id = t.trace_id) x
    WHERE t.pending = 0 ON CONFLICT DO NOTHING;
INSERT INTO action_accounts (trace_end_lt, end_lt, account, trace_id, action_id, type)
    SELECT a.trace_end_lt, a.end_lt, substr(a.accounts, n, 33), a.trace_id, a.action_id, a.type
    FROM actions a CROSS JOIN generate_series(1, length(a.accounts), 33) n ON CONFLICT DO NOTHING;
DROP FUNCTION account_in_trace, account_among;
DROP TABLE account_traces, account_actions, large_trace_accounts, account_keys_move;
