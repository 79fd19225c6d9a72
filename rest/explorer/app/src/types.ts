// The shapes that the queries of this page select.
export type Ref = { address: string };
export type Message = {
  hash: string; value: string | null; opcode: string | null; decodedOpcode: string | null;
  source?: Ref | null; destination?: Ref | null; decoded?: { comment?: string } | null;
};
export type Tx = {
  hash: string; lt: string; now: string; totalFees: string; verification: string; account: Ref;
  description: { kind: string; aborted: boolean; compute: { exitCode: number } | null };
  inMessage: Message | null; outMessages: Message[];
};
export type Details = {
  __typename: string; from?: string; to?: string; value?: string; asset?: string; amount?: string; item?: string;
  opcode?: string; comment?: string;
} | null;
export type Action = { hash: string; type: string; success: boolean; endUtime: string; traceHash: string; details: Details };
export type Block = { workchain: number; shard: string; seqno: number; genUtime: string; txCount: number; rootHash: string };
export type Page<T> = { nodes: T[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
export type Trace = {
  hash: string; state: string; finality: string; startUtime: string; endUtime: string; transactionCount: number;
  warning: string | null; transactions: Page<Tx>; actions: { nodes: Action[] };
};
