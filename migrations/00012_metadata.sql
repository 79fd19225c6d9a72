-- +goose Up

-- What tokens' contents lead to, and the queue of those to be followed. A row comes and goes with the token's record;
-- the result depends on responses of other servers and their time, so it is no part of the index's digest.
CREATE TABLE metadata (
    address    bytea    NOT NULL CHECK (length(address) = 33),
    kind       smallint NOT NULL, -- 1 Jetton master, 3 collection, 4 item
    content    json     NOT NULL, -- on the chain
    indexed    boolean  NOT NULL, -- the content was followed at least once
    valid      boolean  NOT NULL, -- and a try succeeded
    result     json,              -- what the last successful try of this content found
    fetched_at timestamptz,       -- of the last try
    reason     text     NOT NULL, -- of the last failure, a word; empty when there is none
    error      text     NOT NULL, -- and the sentence
    tries      int      NOT NULL, -- that failed since the content changed
    next_try   timestamptz,       -- NULL: not again until the content changes
    PRIMARY KEY (address, kind)
);

-- The queue, the longest due first.
CREATE INDEX metadata_queue ON metadata (next_try, address, kind) WHERE next_try IS NOT NULL;

-- +goose Down
DROP TABLE metadata;
