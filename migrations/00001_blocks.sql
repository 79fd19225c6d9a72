-- +goose Up

-- Binary keys throughout: a hash is 32 bytes, an address 33 (workchain + 128, then the account id), so that keys are
-- half the size of text and sort by workchain. Shards and LTs are bigint: a shard's top bit makes it negative, LTs stay
-- below 2^63. No key comes from a sequence.

-- One row per block of any chain. mc_seqno is the masterchain block that committed it (its own for the masterchain).
CREATE TABLE blocks (
    workchain                 int         NOT NULL,
    shard                     bigint      NOT NULL,
    seqno                     bigint      NOT NULL,
    root_hash                 bytea       NOT NULL CHECK (length(root_hash) = 32),
    file_hash                 bytea       NOT NULL CHECK (length(file_hash) = 32),
    mc_seqno                  bigint      NOT NULL,
    gen_utime                 bigint      NOT NULL,
    start_lt                  bigint      NOT NULL,
    end_lt                    bigint      NOT NULL,
    tx_count                  int         NOT NULL,
    global_id                 int         NOT NULL,
    version                   bigint      NOT NULL,
    flags                     int         NOT NULL,
    after_merge               boolean     NOT NULL,
    before_split              boolean     NOT NULL,
    after_split               boolean     NOT NULL,
    want_merge                boolean     NOT NULL,
    want_split                boolean     NOT NULL,
    key_block                 boolean     NOT NULL,
    vert_seqno_incr           boolean     NOT NULL,
    vert_seqno                bigint      NOT NULL,
    validator_list_hash_short bigint      NOT NULL,
    gen_catchain_seqno        bigint      NOT NULL,
    min_ref_mc_seqno          bigint      NOT NULL,
    prev_key_block_seqno      bigint      NOT NULL,
    master_ref_seqno          bigint,
    rand_seed                 bytea       NOT NULL,
    created_by                bytea       NOT NULL,
    prev_shards               bigint[]    NOT NULL, -- one parent, two after a merge; parallel to prev_seqnos
    prev_seqnos               bigint[]    NOT NULL,
    PRIMARY KEY (workchain, shard, seqno)
);

-- blocks?mc_seqno, masterchainBlockShards, checks of the indexed ranges.
CREATE INDEX blocks_mc_seqno ON blocks (mc_seqno, workchain, shard, seqno);
-- blocks?root_hash, blocks?file_hash.
CREATE INDEX blocks_root_hash ON blocks (root_hash);
CREATE INDEX blocks_file_hash ON blocks (file_hash);
-- The list of blocks, newest first, and ranges of time everywhere: they become ranges of LT.
CREATE INDEX blocks_gen_utime ON blocks (gen_utime, workchain, shard, seqno);
-- Ranges of LT in lists that are ordered by time.
CREATE INDEX blocks_start_lt ON blocks (start_lt);
-- blocks?seqno without shard.
CREATE INDEX blocks_seqno ON blocks (seqno, workchain, shard);
-- transactions?workchain&shard walks the blocks of the shard that have any.
CREATE INDEX blocks_busy ON blocks (workchain, shard, seqno) INCLUDE (mc_seqno) WHERE tx_count > 0;

-- The latest block of every shard as the masterchain state records it: masterchainBlockShardState.
CREATE TABLE shards (
    mc_seqno  bigint NOT NULL,
    workchain int    NOT NULL,
    shard     bigint NOT NULL,
    seqno     bigint NOT NULL,
    root_hash bytea  NOT NULL,
    file_hash bytea  NOT NULL,
    PRIMARY KEY (mc_seqno, workchain, shard)
);

-- Configuration dictionaries by the key block that put them in force.
CREATE TABLE configs (
    mc_seqno bigint PRIMARY KEY,
    root     bytea  NOT NULL CHECK (length(root) = 32),
    boc      bytea  NOT NULL
);

-- Public libraries of the masterchain.
CREATE TABLE libraries (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    boc  bytea NOT NULL
);

-- Indexed ranges: runs of masterchain seqnos whose blocks are completely in the database. Rows never touch or overlap; a run
-- grows, and two runs merge, in the transaction that writes the block between them. What lies between rows is a gap.
CREATE TABLE indexed_ranges (
    first bigint PRIMARY KEY,
    last  bigint NOT NULL CHECK (last >= first)
);

-- +goose Down
DROP TABLE indexed_ranges, libraries, configs, shards, blocks;
