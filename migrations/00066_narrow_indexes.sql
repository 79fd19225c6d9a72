-- +goose NO TRANSACTION
-- +goose Up

-- Indexes of derived tables have 7 bytes of an id or of a hash where they had ids and addresses in full: with their length they
-- fill 8 bytes of an index entry. Statements compare the full value in each row that an entry leads to, and sort the rows whose
-- entries are equal, so lists and their order are the same.
--
-- The indexes are built beside those that they replace, while the database serves: CONCURRENTLY works outside of transactions
-- only. An interrupted migration continues when it is repeated: it builds the indexes that are missing or were not finished.

-- +goose StatementBegin
DO $$
DECLARE name regclass;
BEGIN
    SET LOCAL lock_timeout = '5s';
    FOR name IN SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace AND c.relname IN (
            'actions_trace_end_lt', 'actions_trace_end_utime', 'actions_type_end_lt', 'traces_lt', 'traces_utime', 'traces_mc_seqno',
            'accounts_code', 'jetton_transfers_by_source', 'jetton_transfers_by_destination', 'jetton_transfers_by_jetton',
            'jetton_transfers_by_source_jetton', 'jetton_transfers_by_destination_jetton', 'jetton_burns_by_owner',
            'jetton_burns_by_jetton', 'jetton_burns_by_owner_jetton', 'nft_transfers_by_old_owner', 'nft_transfers_by_new_owner',
            'nft_transfers_by_collection', 'nft_transfers_by_old_owner_collection', 'nft_transfers_by_new_owner_collection',
            'messages_to', 'messages_body') LOOP
        EXECUTE format('DROP INDEX %s', name);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- actions, newest first, and LT ranges; the actions of a trace, whose end is known.
CREATE INDEX CONCURRENTLY IF NOT EXISTS actions_trace_end_lt ON actions (trace_end_lt, substr(trace_id, 1, 7));
-- actions?start_utime&end_utime.
CREATE INDEX CONCURRENTLY IF NOT EXISTS actions_trace_end_utime ON actions (trace_end_utime, substr(trace_id, 1, 7));
-- actions?action_type: something rare among much. A hash of the type takes 4 bytes, its name up to 31. The end is an expression, so
-- that no other index has the order of a walk along one type: it would read the actions of all others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS actions_type_end_lt ON actions (hashtext(type), (trace_end_lt + 0), substr(trace_id, 1, 7));

-- traces, newest first, and LT ranges; the trace to which an entry of account_traces leads.
CREATE INDEX CONCURRENTLY IF NOT EXISTS traces_lt ON traces (end_lt, substr(trace_id, 1, 7)) WHERE pending = 0;
-- traces?start_utime&end_utime.
CREATE INDEX CONCURRENTLY IF NOT EXISTS traces_utime ON traces (end_utime, substr(trace_id, 1, 7)) WHERE pending = 0;
-- traces?mc_seqno, actions?mc_seqno: all of a block are read. Traces of one block share an entry.
CREATE INDEX CONCURRENTLY IF NOT EXISTS traces_mc_seqno ON traces (mc_seqno_end) WHERE pending = 0;

-- accountStates?code_hash, by address.
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_code ON accounts (substr(code_hash, 1, 7), substr(account, 1, 7)) WHERE code_hash IS NOT NULL;

-- jetton/transfers, jetton/burns and nft/transfers by owner, by token, and by both. Anyone may send to an address of their choice,
-- so the key is of a hash of the address: no address can be made to begin as another.
CREATE INDEX CONCURRENTLY IF NOT EXISTS jetton_transfers_by_source ON jetton_transfers (substr(sha256(source), 1, 7), tx_lt) WHERE NOT tx_aborted;
CREATE INDEX CONCURRENTLY IF NOT EXISTS jetton_transfers_by_destination ON jetton_transfers (substr(sha256(destination), 1, 7), tx_lt)
    WHERE NOT tx_aborted AND destination IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS jetton_transfers_by_jetton ON jetton_transfers (substr(sha256(jetton), 1, 7), tx_lt) WHERE NOT tx_aborted;
CREATE INDEX CONCURRENTLY IF NOT EXISTS jetton_transfers_by_source_jetton ON jetton_transfers (substr(sha256(source || jetton), 1, 7), tx_lt)
    WHERE NOT tx_aborted;
CREATE INDEX CONCURRENTLY IF NOT EXISTS jetton_transfers_by_destination_jetton ON jetton_transfers (substr(sha256(destination || jetton), 1, 7), tx_lt)
    WHERE NOT tx_aborted AND destination IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS jetton_burns_by_owner ON jetton_burns (substr(sha256(owner), 1, 7), tx_lt);
CREATE INDEX CONCURRENTLY IF NOT EXISTS jetton_burns_by_jetton ON jetton_burns (substr(sha256(jetton), 1, 7), tx_lt);
CREATE INDEX CONCURRENTLY IF NOT EXISTS jetton_burns_by_owner_jetton ON jetton_burns (substr(sha256(owner || jetton), 1, 7), tx_lt);
CREATE INDEX CONCURRENTLY IF NOT EXISTS nft_transfers_by_old_owner ON nft_transfers (substr(sha256(old_owner), 1, 7), tx_lt);
CREATE INDEX CONCURRENTLY IF NOT EXISTS nft_transfers_by_new_owner ON nft_transfers (substr(sha256(new_owner), 1, 7), tx_lt) WHERE new_owner IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS nft_transfers_by_collection ON nft_transfers (substr(sha256(collection), 1, 7), tx_lt) WHERE collection IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS nft_transfers_by_old_owner_collection ON nft_transfers (substr(sha256(old_owner || collection), 1, 7), tx_lt)
    WHERE collection IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS nft_transfers_by_new_owner_collection ON nft_transfers (substr(sha256(new_owner || collection), 1, 7), tx_lt)
    WHERE new_owner IS NOT NULL AND collection IS NOT NULL;

-- messages?destination: transfers to an account, by the hash of its address for the same reason.
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_to ON messages (substr(sha256(destination), 1, 7), COALESCE(created_lt, lt))
    WHERE destination IS NOT NULL;
-- messages?body_hash, and transactionsByMessage.
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_body ON messages (substr(body_hash, 1, 7), COALESCE(created_lt, lt));

DROP INDEX CONCURRENTLY IF EXISTS messages_destination;
DROP INDEX CONCURRENTLY IF EXISTS messages_body_hash;
DROP INDEX CONCURRENTLY IF EXISTS actions_end_lt;
DROP INDEX CONCURRENTLY IF EXISTS actions_end_utime;
DROP INDEX CONCURRENTLY IF EXISTS actions_type;
DROP INDEX CONCURRENTLY IF EXISTS traces_end_lt;
DROP INDEX CONCURRENTLY IF EXISTS traces_end_utime;
DROP INDEX CONCURRENTLY IF EXISTS traces_mc_seqno_end;
DROP INDEX CONCURRENTLY IF EXISTS accounts_code_hash;
DROP INDEX CONCURRENTLY IF EXISTS jetton_transfers_source;
DROP INDEX CONCURRENTLY IF EXISTS jetton_transfers_destination;
DROP INDEX CONCURRENTLY IF EXISTS jetton_transfers_jetton;
DROP INDEX CONCURRENTLY IF EXISTS jetton_transfers_source_jetton;
DROP INDEX CONCURRENTLY IF EXISTS jetton_transfers_destination_jetton;
DROP INDEX CONCURRENTLY IF EXISTS jetton_burns_owner;
DROP INDEX CONCURRENTLY IF EXISTS jetton_burns_jetton;
DROP INDEX CONCURRENTLY IF EXISTS jetton_burns_owner_jetton;
DROP INDEX CONCURRENTLY IF EXISTS nft_transfers_old_owner;
DROP INDEX CONCURRENTLY IF EXISTS nft_transfers_new_owner;
DROP INDEX CONCURRENTLY IF EXISTS nft_transfers_collection;
DROP INDEX CONCURRENTLY IF EXISTS nft_transfers_old_owner_collection;
DROP INDEX CONCURRENTLY IF EXISTS nft_transfers_new_owner_collection;

-- The key of actions found the actions of a trace, which the end of the trace finds as well. That an action exists once follows from
-- the key of its trace: both are written and deleted together. A constraint needs a lock on its table; a wait for it holds up readers,
-- so it is short and repeated.
-- +goose StatementBegin
DO $$
BEGIN
    FOR attempt IN 1..120 LOOP
        BEGIN
            SET LOCAL lock_timeout = '1s';
            ALTER TABLE actions DROP CONSTRAINT IF EXISTS actions_pkey;
            RETURN;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(1);
        END;
    END LOOP;
    RAISE EXCEPTION 'actions is read by transactions that last for minutes; repeat the migration when they have ended';
END
$$;
-- +goose StatementEnd

-- +goose Down
CREATE INDEX IF NOT EXISTS messages_body_hash ON messages (substr(body_hash, 1, 8), COALESCE(created_lt, lt));
CREATE INDEX IF NOT EXISTS messages_destination ON messages (substr(destination, 1, 9), COALESCE(created_lt, lt)) WHERE destination IS NOT NULL;
CREATE INDEX IF NOT EXISTS jetton_transfers_source ON jetton_transfers (source, tx_lt) WHERE NOT tx_aborted;
CREATE INDEX IF NOT EXISTS accounts_code_hash ON accounts (code_hash, account) WHERE code_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS jetton_transfers_destination ON jetton_transfers (destination, tx_lt) WHERE NOT tx_aborted AND destination IS NOT NULL;
CREATE INDEX IF NOT EXISTS jetton_transfers_source_jetton ON jetton_transfers ((source || jetton), tx_lt) WHERE NOT tx_aborted;
CREATE INDEX IF NOT EXISTS jetton_transfers_destination_jetton ON jetton_transfers ((destination || jetton), tx_lt) WHERE NOT tx_aborted AND destination IS NOT NULL;
CREATE INDEX IF NOT EXISTS jetton_transfers_jetton ON jetton_transfers (jetton, tx_lt) WHERE NOT tx_aborted;
CREATE INDEX IF NOT EXISTS jetton_burns_owner ON jetton_burns (owner, tx_lt);
CREATE INDEX IF NOT EXISTS jetton_burns_owner_jetton ON jetton_burns ((owner || jetton), tx_lt);
CREATE INDEX IF NOT EXISTS jetton_burns_jetton ON jetton_burns (jetton, tx_lt);
CREATE INDEX IF NOT EXISTS nft_transfers_old_owner ON nft_transfers (old_owner, tx_lt);
CREATE INDEX IF NOT EXISTS nft_transfers_new_owner ON nft_transfers (new_owner, tx_lt) WHERE new_owner IS NOT NULL;
CREATE INDEX IF NOT EXISTS nft_transfers_old_owner_collection ON nft_transfers ((old_owner || collection), tx_lt) WHERE collection IS NOT NULL;
CREATE INDEX IF NOT EXISTS nft_transfers_new_owner_collection ON nft_transfers ((new_owner || collection), tx_lt) WHERE new_owner IS NOT NULL AND collection IS NOT NULL;
CREATE INDEX IF NOT EXISTS nft_transfers_collection ON nft_transfers (collection, tx_lt) WHERE collection IS NOT NULL;
CREATE INDEX IF NOT EXISTS traces_end_lt ON traces (end_lt, trace_id) WHERE pending = 0;
CREATE INDEX IF NOT EXISTS traces_end_utime ON traces (end_utime, trace_id) WHERE pending = 0;
CREATE INDEX IF NOT EXISTS traces_mc_seqno_end ON traces (mc_seqno_end, trace_id) WHERE pending = 0;
CREATE INDEX IF NOT EXISTS actions_end_lt ON actions (trace_end_lt, trace_id, end_lt, action_id);
CREATE INDEX IF NOT EXISTS actions_end_utime ON actions (trace_end_utime, trace_id, end_utime, action_id);
CREATE INDEX IF NOT EXISTS actions_type ON actions (type, trace_end_lt, trace_id, end_lt, action_id);
-- +goose StatementBegin
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'actions_pkey') THEN
        ALTER TABLE actions ADD PRIMARY KEY (trace_id, action_id);
    END IF;
END
$$;
-- +goose StatementEnd
DROP INDEX IF EXISTS actions_trace_end_lt, actions_trace_end_utime, actions_type_end_lt, traces_lt, traces_utime, traces_mc_seqno, accounts_code,
    jetton_transfers_by_source, jetton_transfers_by_destination, jetton_transfers_by_jetton, jetton_transfers_by_source_jetton,
    jetton_transfers_by_destination_jetton, jetton_burns_by_owner, jetton_burns_by_jetton, jetton_burns_by_owner_jetton,
    nft_transfers_by_old_owner, nft_transfers_by_new_owner, nft_transfers_by_collection, nft_transfers_by_old_owner_collection,
    nft_transfers_by_new_owner_collection, messages_to, messages_body;
