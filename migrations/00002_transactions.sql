-- +goose Up

-- One row per transaction with its complete description; absent phases are NULL columns, which cost one bit each.
-- mc_seqno, workchain, shard and block_seqno name the block. account carries no foreign key: rows are written with COPY
-- in one transaction per masterchain block, and their consistency is checked by `tonql verify`.
-- Columns stand by width, which saves padding; what belongs together has one prefix.
CREATE TABLE transactions (
    lt                    bigint   NOT NULL,
    mc_seqno              bigint   NOT NULL,
    shard                 bigint   NOT NULL,
    block_seqno           bigint   NOT NULL,
    prev_lt               bigint   NOT NULL,
    now                   bigint   NOT NULL,
    total_fees            bigint   NOT NULL,
    in_msg_lt             bigint,            -- with in_msg_account the key of the in-message, see messages
    -- storage phase: present when storage_status_change is
    storage_fees          bigint,
    storage_fees_due      bigint,
    -- credit phase: present when credit is
    credit                bigint,
    credit_due_fees       bigint,
    -- compute phase: present when compute_skipped is
    gas_fees              bigint,
    gas_used              bigint,
    gas_limit             bigint,
    gas_credit            bigint,
    vm_steps              bigint,
    -- action phase: present when action_success is
    action_fwd_fees       bigint,
    action_fees           bigint,
    action_cells          bigint,
    action_bits           bigint,
    -- bounce phase: present when bounce_kind is
    bounce_cells          bigint,
    bounce_bits           bigint,
    bounce_req_fwd_fees   bigint,
    bounce_msg_fees       bigint,
    bounce_fwd_fees       bigint,
    exit_code             int,
    exit_arg              int,
    action_result         int,
    action_arg            int,
    action_total          int,
    action_special        int,
    action_skipped        int,
    action_messages       int,
    orig_status           smallint NOT NULL,
    end_status            smallint NOT NULL,
    out_msg_count         smallint NOT NULL, -- out-messages have keys (account, lt+1 … lt+out_msg_count)
    verification          smallint NOT NULL, -- 0 proven, 1 replayed, 2 mismatch
    kind                  smallint NOT NULL,
    storage_status_change smallint,
    compute_reason        smallint,
    compute_mode          smallint,
    action_status_change  smallint,
    bounce_kind           smallint,
    credit_first          boolean  NOT NULL,
    is_tock               boolean  NOT NULL,
    aborted               boolean  NOT NULL,
    destroyed             boolean  NOT NULL,
    installed             boolean  NOT NULL,
    compute_skipped       boolean,
    compute_success       boolean,
    compute_state_used    boolean,
    compute_activated     boolean,
    action_success        boolean,
    action_valid          boolean,
    action_no_funds       boolean,
    account               bytea    NOT NULL CHECK (length(account) = 33),
    hash                  bytea    NOT NULL CHECK (length(hash) = 32),
    prev_hash             bytea    NOT NULL,
    state_hash_before     bytea    NOT NULL,
    state_hash_after      bytea    NOT NULL,
    in_msg_account        bytea,
    vm_init_hash          bytea,             -- NULL for the zeros that validators write here
    vm_final_hash         bytea,
    action_list_hash      bytea,
    split                 bytea,             -- pfx_len, acc_split_depth (a byte each), this_addr, sibling_addr
    total_fees_extra      jsonb,
    credit_extra          jsonb,
    PRIMARY KEY (account, lt)                -- an account's transactions, newest first: read backwards
);

-- transactions?hash, adjacentTransactions. A hash index is half as large as a tree of hashes.
CREATE INDEX transactions_hash ON transactions USING hash (hash);
-- transactionsByMasterchainBlock, transactions?mc_seqno, transactions of a block.
CREATE INDEX transactions_mc_seqno ON transactions (mc_seqno, lt);
-- The list of all transactions, newest first, and LT ranges.
CREATE INDEX transactions_lt ON transactions (lt);
-- transactions?start_utime&end_utime. A second has many rows, which are sorted by LT as they are read; so the index holds
-- each second once with a list of rows (7 bytes a row) and grows at its end only.
CREATE INDEX transactions_now ON transactions (now);

-- Raw transaction cells, in a table of their own so that lists stay dense in memory.
CREATE TABLE transaction_bocs (
    account bytea  NOT NULL,
    lt      bigint NOT NULL,
    boc     bytea  NOT NULL,
    PRIMARY KEY (account, lt)
);

-- What our own execution gave where it differs from the chain.
CREATE TABLE replay_mismatches (
    account   bytea  NOT NULL,
    lt        bigint NOT NULL,
    mc_seqno  bigint NOT NULL,
    hash      bytea  NOT NULL,
    got       bytea,
    got_state bytea,
    reason    text   NOT NULL,
    PRIMARY KEY (account, lt)
);

-- +goose Down
DROP TABLE replay_mismatches, transaction_bocs, transactions;
