-- +goose Up

-- What a raw transaction says is not repeated in columns: they are NULL in rows whose raw transaction can be read, and so they take
-- no room. prev_hash is NULL in these alone. Columns that statements filter and join by are in both. Rows written before
-- keep their columns.
ALTER TABLE transactions
    ALTER COLUMN prev_lt DROP NOT NULL,
    ALTER COLUMN prev_hash DROP NOT NULL,
    ALTER COLUMN total_fees DROP NOT NULL,
    ALTER COLUMN state_hash_before DROP NOT NULL,
    ALTER COLUMN state_hash_after DROP NOT NULL,
    ALTER COLUMN orig_status DROP NOT NULL,
    ALTER COLUMN end_status DROP NOT NULL,
    ALTER COLUMN kind DROP NOT NULL,
    ALTER COLUMN credit_first DROP NOT NULL,
    ALTER COLUMN is_tock DROP NOT NULL,
    ALTER COLUMN destroyed DROP NOT NULL,
    ALTER COLUMN installed DROP NOT NULL;

-- +goose Down
-- PostgreSQL cannot read raw transactions: going back would lose what the columns say.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM transactions WHERE prev_hash IS NULL) THEN
        RAISE EXCEPTION 'the fields of transactions are in raw transactions; an earlier version cannot read them';
    END IF;
END
$$;
-- +goose StatementEnd
ALTER TABLE transactions
    ALTER COLUMN prev_lt SET NOT NULL,
    ALTER COLUMN prev_hash SET NOT NULL,
    ALTER COLUMN total_fees SET NOT NULL,
    ALTER COLUMN state_hash_before SET NOT NULL,
    ALTER COLUMN state_hash_after SET NOT NULL,
    ALTER COLUMN orig_status SET NOT NULL,
    ALTER COLUMN end_status SET NOT NULL,
    ALTER COLUMN kind SET NOT NULL,
    ALTER COLUMN credit_first SET NOT NULL,
    ALTER COLUMN is_tock SET NOT NULL,
    ALTER COLUMN destroyed SET NOT NULL,
    ALTER COLUMN installed SET NOT NULL;
