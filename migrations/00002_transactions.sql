-- +goose Up

-- One row per transaction with its whole description; absent phases are NULL columns, which cost one bit each.
-- mc_seqno, workchain, shard and block_seqno name the block. account carries no foreign key: rows are written with COPY
-- in one transaction per masterchain block, and their consistency is checked by `tonql verify`.
CREATE TABLE transactions (
    account               bytea    NOT NULL CHECK (length(account) = 33),
    lt                    bigint   NOT NULL,
    hash                  bytea    NOT NULL CHECK (length(hash) = 32),
    mc_seqno              bigint   NOT NULL,
    shard                 bigint   NOT NULL,
    block_seqno           bigint   NOT NULL,
    prev_lt               bigint   NOT NULL,
    prev_hash             bytea    NOT NULL,
    now                   bigint   NOT NULL,
    orig_status           smallint NOT NULL,
    end_status            smallint NOT NULL,
    total_fees            bigint   NOT NULL,
    total_fees_extra      jsonb,
    state_hash_before     bytea    NOT NULL,
    state_hash_after      bytea    NOT NULL,
    in_msg_account        bytea,             -- key of the in-message, see messages
    in_msg_lt             bigint,
    out_msg_count         smallint NOT NULL, -- out-messages have keys (account, lt+1 … lt+out_msg_count)
    verification          smallint NOT NULL, -- 0 proven, 1 replayed, 2 mismatch
    kind                  smallint NOT NULL,
    credit_first          boolean  NOT NULL,
    is_tock               boolean  NOT NULL,
    aborted               boolean  NOT NULL,
    destroyed             boolean  NOT NULL,
    installed             boolean  NOT NULL,
    -- storage phase: present when storage_status_change is
    storage_fees          bigint,
    storage_fees_due      bigint,
    storage_status_change smallint,
    -- credit phase: present when credit is
    credit                bigint,
    credit_extra          jsonb,
    credit_due_fees       bigint,
    -- compute phase: present when compute_skipped is
    compute_skipped       boolean,
    compute_reason        smallint,
    compute_success       boolean,
    compute_state_used    boolean,
    compute_activated     boolean,
    gas_fees              bigint,
    gas_used              bigint,
    gas_limit             bigint,
    gas_credit            bigint,
    compute_mode          smallint,
    exit_code             int,
    exit_arg              int,
    vm_steps              bigint,
    vm_init_hash          bytea,
    vm_final_hash         bytea,
    -- action phase: present when action_success is
    action_success        boolean,
    action_valid          boolean,
    action_no_funds       boolean,
    action_status_change  smallint,
    action_fwd_fees       bigint,
    action_fees           bigint,
    action_result         int,
    action_arg            int,
    action_total          int,
    action_special        int,
    action_skipped        int,
    action_messages       int,
    action_list_hash      bytea,
    action_cells          bigint,
    action_bits           bigint,
    -- bounce phase: present when bounce_kind is
    bounce_kind           smallint,
    bounce_cells          bigint,
    bounce_bits           bigint,
    bounce_req_fwd_fees   bigint,
    bounce_msg_fees       bigint,
    bounce_fwd_fees       bigint,
    split                 bytea,             -- pfx_len, acc_split_depth (a byte each), this_addr, sibling_addr
    PRIMARY KEY (account, lt)                -- an account's transactions, newest first: read backwards
);

-- transactions?hash, adjacentTransactions, node(id).
CREATE INDEX transactions_hash ON transactions (hash);
-- transactionsByMasterchainBlock, transactions?mc_seqno, transactions of a block.
CREATE INDEX transactions_mc_seqno ON transactions (mc_seqno, lt);
-- The list of all transactions, newest first, and LT ranges.
CREATE INDEX transactions_lt ON transactions (lt, account);
-- transactions?start_utime&end_utime. A second has many rows, which are sorted by LT as they are read; so the index holds
-- each second once with a list of rows (7 bytes a row) and grows at its end only.
CREATE INDEX transactions_now ON transactions (now);

-- Raw transaction cells, kept apart so that lists stay dense in memory.
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
