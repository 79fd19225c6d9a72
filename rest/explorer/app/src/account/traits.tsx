// The filter of a gallery by trait.
import { useState } from 'preact/hooks';
import { grouped } from '../format';
import { Loaded, useQuery } from '../load';
import { T, fill } from '../text';

export type Trait = { name: string; value: string };

type Counts = { name: string; values: { value: string; items: { count: number; more: boolean } }[]; moreValues: boolean };

function Choice({ address, chosen, choose }: { address: string; chosen: Trait | null; choose: (trait: Trait | null) => void }) {
  const names = useQuery<{ nftTraits: Counts[] }>('collection_traits', { address });
  const keyOf = (t: Trait) => JSON.stringify([t.name, t.value]);
  const take = (key: string) => {
    if (!key) return choose(null);
    const [name, value] = JSON.parse(key) as [string, string];
    return choose({ name, value });
  };
  return (
    <Loaded of={names} rows={1} within>
      {({ nftTraits }) => nftTraits.length === 0 ? <p class="empty">{T.nfts.noTraits}</p> : (
        <form class="filters" onSubmit={(e) => e.preventDefault()}>
          <label class="field"><span>{T.nfts.trait}</span>
            <select value={chosen ? keyOf(chosen) : ''} onChange={(e) => take(e.currentTarget.value)}>
              <option value="">{T.nfts.allTraits}</option>
              {nftTraits.map(({ name, values, moreValues }) => (
                <optgroup key={name} label={fill(moreValues ? T.nfts.someValues : T.nfts.allValues, { name: name || T.nfts.noName })}>
                  {values.map(({ value, items }) => <option key={value} value={keyOf({ name, value })}>{`${value} (${grouped(items.count)}${items.more ? '+' : ''})`}</option>)}
                </optgroup>
              ))}
            </select>
          </label>
        </form>
      )}
    </Loaded>
  );
}

/** Chooses one of the traits that the items of a collection have. They are read when the reader opens the choice. */
export function TraitFilter({ address, chosen, choose }: { address: string; chosen: Trait | null; choose: (trait: Trait | null) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="opened" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{T.nfts.byTrait}</summary>
      {open && <Choice address={address} chosen={chosen} choose={choose} />}
    </details>
  );
}
