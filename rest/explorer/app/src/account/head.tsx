// The head of an account's page: picture, name, address, balance and kind.
import { shown, who } from '../addressbook';
import { words } from '../format';
import { plain } from '../names';
import { Facts } from '../parts/facts';
import { FullAddress } from '../parts/address';
import { QR } from '../parts/qr';
import { Coins, Currencies, Money } from '../parts/money';
import { Badge } from '../parts/badge';
import { Picture } from '../parts/picture';
import { Worth } from '../parts/worth';
import { factsOf } from './facts';
import { StatusChip, StatusNote, type Knowledge } from './status';
import type { Account } from './types';
import { T } from '../text';

/** A contract that implements more interfaces than this is not named after any of them. */
const maxNamedInterfaces = 4;

/** Names the kind of an account in one or two words. */
export function kindOf(a: Account): string {
  if (who(a.address).kind === 'system') return T.kinds.system;
  if (a.jettonMaster) return T.kinds.jetton;
  if (a.jettonWallet) return T.kinds.jettonWallet;
  if (a.nftCollection) return T.kinds.collection;
  if (a.nftItem) return a.nftItem.domain ? T.kinds.domain : a.nftItem.sbt ? T.kinds.sbt : T.kinds.nft;
  if (a.nftSale) return a.nftSale.kind === 'FIXED_PRICE' ? T.kinds.sale : T.kinds.auction;
  if (a.multisig) return T.kinds.multisig;
  if (a.multisigOrder) return T.kinds.order;
  if (a.vesting) return T.kinds.vesting;
  if (a.wallet) return words(a.wallet.name);
  if (a.mainInterfaces[0] && a.mainInterfaces.length <= maxNamedInterfaces) return words(a.mainInterfaces[0]);
  return a.state?.codeHash ? T.kinds.contract : T.kinds.account;
}

/** Compares names without regard to case and order: "Wallet vesting" equals "Vesting wallet". */
const sameWords = (a: string, b: string): boolean => a.toLowerCase().split(' ').sort().join() === b.toLowerCase().split(' ').sort().join();

/** The form of an account's address: of one whose code only the node has, that of its kind. */
export function formOf(a: Account, of: Knowledge): { form: string; bounceable: boolean } {
  const contract = of === 'node' && a.state?.codeHash && !a.wallet;
  return contract ? { form: a.bounceable, bounceable: true } : { form: shown(a.address), bounceable: who(a.address).bounceable };
}

/** Reports whether an account is for payments: a wallet, or an account without code, as a wallet is before it sends anything. */
const isPayable = (a: Account): boolean => who(a.address).kind !== 'system' && (!a.state?.codeHash || [a.wallet, a.multisig, a.vesting].some(Boolean));

export function Head({ a, of, retry }: { a: Account; of: Knowledge; retry: () => void }) {
  const { name, symbol } = who(a.address);
  const { form, bounceable } = formOf(a, of);
  return (
    <div class="card account">
      <div class="who">
        <Picture of={a.address} size="medium" />
        <div>
          <h1>{name || kindOf(a)}{symbol && symbol !== name && <span class="dim"> {symbol}</span>}</h1>
          <FullAddress of={form} />
          <p class="chips">
            {name && <span class="chip strong">{kindOf(a)}</span>}
            <Badge of={a.address} />
            <StatusChip a={a} of={of} />
            {who(a.address).kind !== 'system' && a.mainInterfaces.filter((i) => !sameWords(words(i), kindOf(a))).map((i) => <span key={i} class="chip">{words(i)}</span>)}
            {a.domain && a.domain !== name && <span class="chip">{a.domain}</span>}
          </p>
        </div>
        <div class="balance">
          <span class="dim">{T.account.balance}</span>
          {a.jettonWallet
            ? <><strong><Money of={a.jettonWallet.balance} master={a.jettonWallet.jettonAccount.address} /></strong><Worth of={a.jettonWallet.balance} master={a.jettonWallet.jettonAccount.address} /><Coins of={a.state?.balance ?? '0'} /></>
            : of === 'unknown' || of === 'loading' ? <strong class="dim">{of === 'loading' ? T.load.loading : T.account.unknown}</strong>
            : <><strong><Coins of={a.state?.balance ?? '0'} full /></strong><Worth of={a.state?.balance} /></>}
          <Currencies of={a.state?.extraCurrencies} />
        </div>
      </div>
      <StatusNote a={a} of={of} retry={retry} />
      {a.metadata?.description && <p class="wrap">{plain(a.metadata.description).slice(0, 500)}</p>}
      <Facts of={factsOf(a)} />
      {of === 'unknown' || of === 'loading' ? null : isPayable(a) ? <QR text={`ton://transfer/${form}`} what={form} /> : <p class="dim">{a.jettonWallet ? T.account.ofJettonWallet : a.jettonMaster ? T.account.ofJetton : T.account.ofContract}</p>}
      <details class="forms">
        <summary>{T.account.forms}</summary>
        <Facts of={[
          [bounceable ? T.account.nonBounceable : T.account.bounceable, <FullAddress of={bounceable ? a.nonBounceable : a.bounceable} />],
          [T.account.raw, <FullAddress of={a.address} what={T.copy.raw} />],
        ]} />
      </details>
    </div>
  );
}
