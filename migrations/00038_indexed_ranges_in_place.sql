-- +goose Up

-- Every response reads the newest block from indexed_ranges, and every block updates a row of it in place: with free space
-- in the page, old versions of a row are pruned before there are many.
ALTER TABLE indexed_ranges SET (fillfactor = 10);

-- +goose Down
ALTER TABLE indexed_ranges RESET (fillfactor);
