// The head of an account's page: picture, name, address, balance and kind.
import { shown, who } from '../addressbook';
import { words } from '../format';
import { Facts } from '../parts/facts';
import { FullAddress } from '../parts/address';
import { Coins, Currencies, Money } from '../parts/money';
import { Pattern } from '../parts/pattern';
import { factsOf } from './facts';
import type { Account } from './types';

/** A contract that implements more interfaces than this is not named after any of them. */
const maxNamedInterfaces = 4;

/** Names the kind of an account in one or two words. */
export function kindOf(a: Account): string {
  if (who(a.address).kind === 'system') return 'System contract';
  if (a.jettonMaster) return 'Jetton';
  if (a.jettonWallet) return 'Jetton wallet';
  if (a.nftCollection) return 'NFT collection';
  if (a.nftItem) return a.nftItem.domain ? 'Domain' : a.nftItem.sbt ? 'Soul-bound NFT' : 'NFT';
  if (a.nftSale) return a.nftSale.kind === 'FIXED_PRICE' ? 'NFT sale' : 'NFT auction';
  if (a.multisig) return 'Multisig wallet';
  if (a.multisigOrder) return 'Multisig order';
  if (a.vesting) return 'Vesting wallet';
  if (a.wallet) return words(a.wallet.name);
  if (a.mainInterfaces[0] && a.mainInterfaces.length <= maxNamedInterfaces) return words(a.mainInterfaces[0]);
  return a.state?.codeHash ? 'Contract' : 'Account';
}

/** Compares names without regard to case and order: "Wallet vesting" equals "Vesting wallet". */
const sameWords = (a: string, b: string): boolean => a.toLowerCase().split(' ').sort().join() === b.toLowerCase().split(' ').sort().join();

export function Head({ a }: { a: Account }) {
  const { name, bounceable, scam } = who(a.address);
  const status = a.state?.status.toLowerCase() ?? 'unseen';
  return (
    <div class="card account">
      <div class="who">
        <Pattern of={a.address} />
        <div>
          <h1>{name || kindOf(a)}{a.metadata?.symbol && a.metadata.symbol !== name && <span class="dim"> {a.metadata.symbol}</span>}</h1>
          <FullAddress of={shown(a.address)} />
          <p class="chips">
            {name && <span class="chip strong">{kindOf(a)}</span>}
            {scam && <span class="chip bad">marked as a fraud</span>}
            <span class={status === 'active' ? 'chip ok' : status === 'frozen' ? 'chip bad' : 'chip'}>{status}</span>
            {who(a.address).kind !== 'system' && a.mainInterfaces.filter((i) => !sameWords(words(i), kindOf(a))).map((i) => <span key={i} class="chip">{words(i)}</span>)}
            {a.domain && a.domain !== name && <span class="chip">{a.domain}</span>}
          </p>
        </div>
        <div class="balance">
          <span class="dim">Balance</span>
          {a.jettonWallet
            ? <><strong><Money of={a.jettonWallet.balance} master={a.jettonWallet.jettonAccount.address} /></strong><Coins of={a.state?.balance ?? '0'} /></>
            : <strong><Coins of={a.state?.balance ?? '0'} full /></strong>}
          <Currencies of={a.state?.extraCurrencies} />
        </div>
      </div>
      {a.metadata?.description && <p class="wrap">{a.metadata.description.slice(0, 500)}</p>}
      <Facts of={factsOf(a)} />
      <details class="forms">
        <summary>Other forms of the address</summary>
        <Facts of={[
          [bounceable ? 'Not bounceable' : 'Bounceable', <FullAddress of={bounceable ? a.nonBounceable : a.bounceable} />],
          ['Raw', <FullAddress of={a.address} what="raw address" />],
        ]} />
      </details>
    </div>
  );
}
