// Uses the client against a running server, and prints what it read as one JSON object:
//   node out/test/run.js BASE_URL
import WebSocket from 'ws';
import {
  AccountDocument, ActionsDocument, BlockEventsDocument, BlocksDocument, ConnectionError, HeadDocument, JettonWalletsDocument, MasterchainBlockDocument,
  OperationError, StatusError, TransactionDocument, TransactionsDocument, createClient, type BlockFieldsFragment, type TransactionFieldsFragment,
} from '../src/index.js';

const base = process.argv[2];
if (base === undefined) throw new Error('usage: run.js BASE_URL');
const client = createClient({ url: `${base}/graphql`, webSocket: WebSocket });
const seen: Record<string, number> = {};

function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`no ${what}`);
  return value;
}

/** Returns the error of a call that has to fail. */
async function failure(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call();
  } catch (e) {
    return e;
  }
  throw new Error('a call succeeded that has to fail');
}

const head = must((await client.query(HeadDocument)).masterchain, 'masterchain');
seen.head = head.block.seqno;

const at = must((await client.query(MasterchainBlockDocument, { seqno: head.block.seqno })).masterchain, 'block');
const shards: readonly BlockFieldsFragment[] = at.shards;
seen.shards = shards.length;
if (at.block.rootHash !== head.block.rootHash) throw new Error('two blocks with one seqno');

// All pages up to fifty transactions, by cursor.
const transactions: TransactionFieldsFragment[] = [];
let after: string | null | undefined;
do {
  const page = (await client.query(TransactionsDocument, { first: 10, sort: 'DESC', after: after ?? null })).transactions;
  transactions.push(...page.nodes);
  after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
} while (after && transactions.length < 50);
seen.transactions = new Set(transactions.map((tx) => tx.hash)).size;

const first = must(transactions[0], 'transaction');
const lt: string = first.lt;
const again = must((await client.query(TransactionDocument, { hash: first.hash })).transaction, 'transaction by hash');
seen.same = again.lt === lt && again.account.address === first.account.address ? 1 : 0;

const account = (await client.query(AccountDocument, { address: first.account.address })).account;
seen.balance = BigInt(must(account.state, 'state').balance) > 0n ? 1 : 0;
seen.actions = (await client.query(ActionsDocument, { first: 5 })).actions.nodes.length;
seen.wallets = (await client.query(JettonWalletsDocument, { first: 5 })).jettonWallets.nodes.length;

const { extensions } = await client.execute(BlocksDocument, { first: 1, where: { workchain: -1 } });
seen.mcSeqno = must(extensions.mcSeqno, 'mcSeqno');
seen.cost = must(extensions.cost, 'cost').requested;

// Five blocks by subscription, two of them after a break.
const seqnos: number[] = [];
let cursor: string | null = null;
for (const count of [3, 2]) {
  let n = 0;
  for await (const event of client.subscribe(BlockEventsDocument, { where: { workchain: -1 }, after: cursor, afterMcSeqno: cursor === null ? head.block.seqno - 1 : null })) {
    seqnos.push(event.blocks.node.seqno);
    cursor = event.blocks.cursor;
    if (++n === count) break;
  }
}
seen.events = seqnos.filter((seqno, i) => seqno === head.block.seqno + i).length;

const refused = await failure(() => client.query(TransactionDocument, { hash: 'zz' }));
seen.invalid = refused instanceof OperationError && refused.code === 'INVALID' ? 1 : 0;
const lost = await failure(async () => {
  for await (const event of client.subscribe(BlockEventsDocument, { after: 'elsewhere' })) throw new Error(`an event: ${event.blocks.cursor}`);
});
seen.invalidCursor = lost instanceof OperationError && lost.code === 'INVALID' ? 1 : 0;
const nowhere = await failure(() => createClient({ url: `${base}/nowhere`, webSocket: WebSocket }).query(HeadDocument));
seen.status = nowhere instanceof StatusError ? nowhere.status : 0;
const unreachable = await failure(() => createClient({ url: 'http://127.0.0.1:1/graphql', webSocket: WebSocket }).query(HeadDocument));
seen.unreachable = unreachable instanceof ConnectionError ? 1 : 0;
const late = await failure(() => createClient({ url: `${base}/graphql`, timeout: 0, webSocket: WebSocket }).query(HeadDocument));
seen.late = late instanceof ConnectionError ? 1 : 0;

// Mistakes that the compiler finds.
// @ts-expect-error a hash is required
if (seen.head < 0) await client.query(TransactionDocument);
// @ts-expect-error no such member
if (seen.head < 0) console.log(account.balances);
// @ts-expect-error a sort direction is ASC or DESC
if (seen.head < 0) await client.query(TransactionsDocument, { sort: 'UP' });

await client.close();
console.log(JSON.stringify(seen));
