-- +goose Up

-- Rows of earlier versions are brought into the form of this one in the background, in small transactions, in the order of
-- masterchain blocks: raw transactions from transaction_bocs into transactions.boc, compressed; columns that the raw transaction makes
-- unnecessary to NULL; states from account_states into transactions.states. Every row is readable in both forms, so readers need not
-- know the position.

-- One row: the last transaction that was examined, what was done so far, and when the last row was examined.
CREATE TABLE transactions_move (
    only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    mc_seqno     bigint  NOT NULL DEFAULT 0,
    lt           bigint  NOT NULL DEFAULT 0,
    account      bytea   NOT NULL DEFAULT '',
    moved        bigint  NOT NULL DEFAULT 0, -- rows that were changed
    without_raw  bigint  NOT NULL DEFAULT 0, -- rows that stay: there is no raw transaction,
    differing    bigint  NOT NULL DEFAULT 0, -- the raw transaction or the row is damaged, or they contradict each other,
    without_rest bigint  NOT NULL DEFAULT 0, -- the state has no rest, which tonql index complete adds
    done_at      timestamptz,
    freed        boolean NOT NULL DEFAULT false -- transaction_bocs takes no room any more, or has rows that stay
);
INSERT INTO transactions_move DEFAULT VALUES;
UPDATE transactions_move SET done_at = now(), freed = true WHERE NOT EXISTS (SELECT FROM transactions);

-- +goose Down
-- Earlier versions read both forms.
DROP TABLE transactions_move;
