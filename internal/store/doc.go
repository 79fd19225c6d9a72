// Package store is the only package that speaks SQL. It keeps the index in PostgreSQL: a [Writer] puts one or many
// masterchain blocks into it in one database transaction, a [Reader] reads it. The two have a
// connection pool each, so that reading may go to a replica.
//
// The packages below it hold the rows of one subject each: blocks, transactions, contracts, traces, names, payments and verdicts; digests and days have what is computed from them. Package sqlbuild has
// what they share, package batch the work of one transaction of the writer, package locks the right to write, package indexrange
// which masterchain blocks are there, package observe how long statements take, and package readers which database a request reads, and its snapshots,
// and package moves brings rows of earlier versions into their present form.
//
// # Files
//
// The Reader begins in reader.go, the Writer in writer.go. The other files by the first part of their names:
//
//   - account, cell, library, message, raw, transaction: the step of the writer for these rows, and queries for them;
//   - name, metadata, trait, token: names of accounts, the queue of the metadata of tokens, traits, and counts of tokens;
//   - drop: removal of old blocks; cold: their moves to other servers and back, and the drop of such a server;
//   - computed: what is computed from rows beside the writer, as digests and sums per day;
//   - complete, retrace, verdict: what commands change in indexed blocks;
//   - memory: how long the writer may rely on what it has read;
//   - access and pending: API keys, and messages that were sent.
//
// # Statements
//
// Every value is bound, and optional filters are put together by one small builder from constant clauses, so the texts
// form a small closed family that stays prepared on its connection. Rows travel in PostgreSQL's binary format and are
// read and written by hand, column by column: see [sqlbuild.Row] and [sqlbuild.CopyBuffer].
//
// The planner of a reading connection is held to what the statements are made for: generic plans, nested loops over
// index scans that deliver rows in the order of the list. So no plan depends on statistics being fresh. Where a condition
// selects a bounded number of rows, to be sorted, it stands in a separate subquery that the planner cannot see through
// (OFFSET 0), see [sqlbuild.Statement.Fence]; where a condition must not choose the index, it is written with IS TRUE.
//
// # Lists
//
// Every list has a total order. A page is cut by keyset: a cursor names a row by its natural key, and whatever else the
// order needs is read from that row. Offsets count rows and serve the REST contracts only.
//
// Times are not indexed twice. The LT of a block grows with its gen_utime, so a range of times is translated into a
// slightly wider range of LTs through the blocks, and the time itself stays as a filter; see [sqlbuild.Span].
//
// # Writing
//
// A masterchain block outside the indexed ranges has no rows, so its own rows are copied without a lookup.
// Rows that others share (messages whose other side is indexed already, states, cells) are looked up first and copied
// only when missing. An advisory lock lets one transaction of that kind run at a time.
//
// # Contracts
//
// Only the newest detection about an account is stored: the one about the newest state, and of several about this state the
// one at the newest masterchain block. The table contracts has a row for it even where nothing was detected, so that no
// older block, indexed later, brings a record back; see [contracts.Step]. Balances of Jetton wallets and owners of items have
// a history too. Transfers and burns are rows of transactions.
//
// The contents of tokens are fetched apart from the index ([MetadataQueue]): off-chain documents are no part of the chain.
package store
