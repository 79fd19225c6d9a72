// The shapes that several queries of this page select.
import type { Outcome } from './parts/outcome';

export type Ref = { address: string };
export type Body = { [name: string]: unknown };
/** An amount of an extra currency in its smallest unit. */
export type Currency = { id: number; amount: string };
export type Message = {
  hash: string; value: string | null; valueExtraCurrencies: Currency[]; opcode: string | null; decodedOpcode: string | null; bounced: boolean | null;
  source?: Ref | null; destination?: Ref | null;
};
export type FullMessage = Message & {
  kind: string; fwdFee: string | null; importFee: string | null; bounce: boolean | null; bodyHash: string; decoded: Body | null;
};
export type Tx = {
  hash: string; lt: string; now: string; totalFees: string; verification: string; account: Ref;
  description: { kind: string } & Outcome;
  inMessage: Message | null; outMessages: Message[];
};
export type Balance = { balance: string } | null;
export type Action = { hash: string; type: string; success: boolean; endUtime: string; traceHash: string; details: Details };
export type Details = ({ __typename: string } & Body) | null;
export type BlockId = { workchain: number; shard: string; seqno: number };
export type Block = BlockId & { genUtime: string; txCount: number; rootHash: string; mcSeqno: number };
export type Page<T> = { nodes: T[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
export type Token = { valid: boolean; name: string; symbol: string; description: string; decimals: number | null; scam: boolean | null; traits?: { name: string; value: string }[] } | null;
