-- +goose Up

-- The states of the account around a transaction lie in its row: the state after it, and what differs in the state before it. They
-- are NULL in rows of earlier versions and where the state after is not known yet; account_states has those, and the states that no
-- indexed transaction left.
ALTER TABLE transactions ADD COLUMN states bytea;

-- +goose Down
-- PostgreSQL cannot read the states: going back would lose them.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM transactions WHERE states IS NOT NULL) THEN
        RAISE EXCEPTION 'account states are in rows of transactions; an earlier version cannot read them';
    END IF;
END
$$;
-- +goose StatementEnd
ALTER TABLE transactions DROP COLUMN states;
