-- +goose Up

-- Which chain this database holds: the zerostate it began with, claimed by the first indexer. One row at most.
CREATE TABLE network (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    root_hash bytea   NOT NULL CHECK (length(root_hash) = 32),
    file_hash bytea   NOT NULL CHECK (length(file_hash) = 32)
);

-- +goose Down
DROP TABLE network;
