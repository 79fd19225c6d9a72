import type { Ref } from '../types';
import { Loaded, useQuery } from '../load';
import { Address } from '../parts/address';
import { Icon } from '../parts/icon';
import { Coins } from '../parts/money';
import { T, fill, render } from '../text';

type Data = { account: {
  multisigs: { nodes: { account: Ref; threshold: number; signers: Ref[] }[] };
  vestings: { nodes: { account: Ref; totalAmount: string; progress: { lockedAmount: string } | null; owner: Ref; sender: Ref }[] };
} };

/** Lists the multisig and vesting wallets that the account is a party of. */
export function Boards({ address }: { address: string }) {
  return (
    <Loaded within of={useQuery<Data>('account_boards', { address })}>{({ account: a }) => (
      <ul class="rows">
        {a.multisigs.nodes.map((m) => (
          <li key={m.account.address} class="row"><span class="mark"><Icon name="pen" /></span>
            <div class="body"><div class="kind">{render(T.boards.multisig, { account: <Address of={m.account.address} /> })}</div><div class="what">{fill(T.boards.signatures, { n: m.threshold, all: m.signers.length })}</div></div></li>
        ))}
        {a.vestings.nodes.map((v) => (
          <li key={v.account.address} class="row"><span class="mark"><Icon name="lock" /></span>
            <div class="body"><div class="kind">{render(T.boards.vesting, { account: <Address of={v.account.address} /> })}</div><div class="what">{render(T.boards.parties, { sender: <Address of={v.sender.address} me={address} />, owner: <Address of={v.owner.address} me={address} /> })}</div></div>
            <div class="side"><div class="sum"><Coins of={v.totalAmount} /></div>{v.progress && <div class="dim">{render(T.boards.locked, { coins: <Coins of={v.progress.lockedAmount} /> })}</div>}</div></li>
        ))}
      </ul>
    )}</Loaded>
  );
}
