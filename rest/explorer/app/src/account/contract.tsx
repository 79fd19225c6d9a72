// The contract of an account: what is known of its code, the code itself, and its get-methods, which the service executes.
import { Loaded, useQuery } from '../load';
import { coins, grouped, moment, words } from '../format';
import { FullHash } from '../parts/address';
import { Facts } from '../parts/facts';
import { Cells } from './cells';
import { Code } from './code';
import { Methods, type Method } from './methods';
import type { Account } from './types';
import { T, fill } from '../text';

type Contract = { account: { interfaces: string[]; getMethods: Method[] } };

export function Contract({ a }: { a: Account }) {
  const query = useQuery<Contract>('contract', { address: a.address });
  const s = a.state!;
  return (
    <Loaded of={query} within>{({ account: { interfaces, getMethods } }) => (
      <>
        <Facts of={[
          [T.contract.kind, a.wallet && (a.wallet.seqno !== null ? fill(T.contract.kindSeqno, { name: words(a.wallet.name), n: a.wallet.seqno }) : words(a.wallet.name))],
          [T.contract.standards, interfaces.length > 0 ? interfaces.map((i) => words(i.trim())).join(', ') : <span class="dim">{T.contract.unknown}</span>],
          [T.contract.walletId, a.wallet?.walletId !== null && a.wallet?.walletId !== undefined && String(a.wallet.walletId)],
          [T.contract.publicKey, a.wallet?.publicKey && <FullHash of={a.wallet.publicKey} what={T.copy.publicKey} />],
          [T.contract.codeHash, s.codeHash && <FullHash of={s.codeHash} what={T.copy.codeHash} />],
          [T.contract.dataHash, s.dataHash && <FullHash of={s.dataHash} what={T.copy.dataHash} />],
          [T.contract.size, fill(T.contract.cells, { cells: grouped(s.usedCells), bits: grouped(s.usedBits) })],
          [T.contract.storagePaid, moment(s.lastPaid)],
          [T.contract.debt, s.duePayment && s.duePayment !== '0' && coins(s.duePayment)],
          [T.contract.changed, fill(T.contract.atLt, { lt: grouped(s.lt) })],
        ]} />
        <Cells address={a.address} />
        {s.codeHash && <Code address={a.address} codeHash={s.codeHash} />}
        <Methods address={a.address} interfaces={a.mainInterfaces} methods={getMethods} />
      </>
    )}</Loaded>
  );
}
