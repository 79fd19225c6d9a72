-- +goose Up

-- Sums per day for charts, computed in the background. A day is a UTC date, as its number since 1970-01-01, and a transaction belongs to that
-- of its `now`. Nothing is added to a stored sum: sums of 1,000 masterchain blocks are computed from their rows, in one piece, and a
-- transaction of the writer that changes these rows deletes the row of the blocks here. So they do not depend on the order of indexing.

-- One row for 1,000 masterchain blocks, or for those of them that are indexed without a gap from the first on.
CREATE TABLE day_ranges (
    number     bigint PRIMARY KEY, -- seqno / 1000 of its blocks
    token      bigint NOT NULL,    -- of the latest computation, and
    target     bigint NOT NULL,    -- the last block that it covers
    version    smallint,           -- of the definition of the sums; NULL, as all that follow, until the first computation has ended
    first      bigint,             -- masterchain blocks that the sums cover
    last       bigint,
    content    bigint,             -- hash of what the sums were computed from
    from_utime bigint,             -- earlier blocks have no transaction after this time,
    until_utime bigint             -- later ones none before this time
);
-- The ranges of the days of a chart.
CREATE INDEX day_ranges_until ON day_ranges (until_utime) WHERE version IS NOT NULL;

-- Sums of the blocks of a row of day_ranges. Rows without one are not valid.
CREATE TABLE day_totals (
    day          int     NOT NULL,
    number       bigint  NOT NULL,
    transactions bigint  NOT NULL,
    fees         numeric NOT NULL,
    PRIMARY KEY (day, number)
);
-- Replacing the sums of blocks.
CREATE INDEX day_totals_number ON day_totals (number);

-- Days with transactions. What needs all of a day is computed from its rows when its blocks are all there, and is valid while the blocks
-- are those that the two sums of hashes name; they are NULL until then.
CREATE TABLE day_states (
    day      int     PRIMARY KEY,
    own      numeric,          -- of the blocks of the day: active, and transfers of Jettons
    earlier  numeric,          -- of these and all earlier blocks: changes of holders and supply
    active   bigint,           -- accounts with transactions
    settled  boolean NOT NULL  -- earlier is that of the blocks that are there
);

-- Jettons on the days of day_states.
CREATE TABLE jetton_days (
    jetton    bytea   NOT NULL CHECK (length(jetton) = 33),
    day       int     NOT NULL,
    transfers bigint  NOT NULL, -- executed
    amount    numeric NOT NULL, -- of these transfers
    holders   bigint  NOT NULL, -- change of the number of wallets with a balance
    supply    numeric NOT NULL, -- change of the sum of all balances
    PRIMARY KEY (jetton, day)   -- the chart of a Jetton
);
-- Replacing the rows of a day.
CREATE INDEX jetton_days_day ON jetton_days (day);

COMMENT ON TABLE day_ranges IS 'masterchain blocks whose sums per day are computed';
COMMENT ON TABLE day_totals IS 'transactions and fees per day, by 1,000 masterchain blocks';
COMMENT ON TABLE day_states IS 'active accounts per day, and what they were counted from';
COMMENT ON TABLE jetton_days IS 'transfers, and changes of holders and supply, per Jetton and day';

-- +goose Down
DROP TABLE jetton_days, day_states, day_totals, day_ranges;
