import type { Ref } from '../types';
import { Loaded, useQuery } from '../load';
import { Address } from '../parts/address';
import { Icon } from '../parts/icon';
import { Coins } from '../parts/money';

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
            <div class="body"><div class="kind">Multisig <Address of={m.account.address} /></div><div class="what">{m.threshold} of {m.signers.length} signatures</div></div></li>
        ))}
        {a.vestings.nodes.map((v) => (
          <li key={v.account.address} class="row"><span class="mark"><Icon name="lock" /></span>
            <div class="body"><div class="kind">Vesting <Address of={v.account.address} /></div><div class="what">from <Address of={v.sender.address} me={address} /> to <Address of={v.owner.address} me={address} /></div></div>
            <div class="side"><div class="sum"><Coins of={v.totalAmount} /></div>{v.progress && <div class="dim"><Coins of={v.progress.lockedAmount} /> still locked</div>}</div></li>
        ))}
      </ul>
    )}</Loaded>
  );
}
