-- +goose Up

-- Number of transactions by verification, stored with every block, because counting them takes as long as reading them.
CREATE TABLE verification_counts (
    verification smallint PRIMARY KEY, -- as in transactions
    transactions bigint   NOT NULL
) WITH (fillfactor = 10); -- a few rows that every block changes in place
INSERT INTO verification_counts SELECT verification, count(*) FROM transactions GROUP BY verification;

-- +goose Down
DROP TABLE verification_counts;
