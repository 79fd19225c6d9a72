// Package cold has the statements around blocks whose rows are on other PostgreSQL servers.
//
// A cold server is a database with the tables of the index. Rows of the oldest blocks are moved to it in steps: the writer removes them as
// it removes blocks that are not retained, triggers collect what it removes, and this process copies that over a connection of its own, with
// the number of the step. The tables of the index and their plans stay as they are. A second schema has, under the same names, views of all
// rows, here and there through foreign tables of postgres_fdw; a connection whose search path begins with it reads them by the same statements.
//
// There is no commit of two servers at once. The cold server commits a step first. Its number there and here are compared by each
// snapshot that reads both, so that no row is seen twice or not at all, and a step that only the cold server has is removed from it before
// the next one.
package cold
