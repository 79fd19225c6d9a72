// Downloads of the code and the data of a contract as bags of cells. They are requested when a button is pressed.
import { useState } from 'preact/hooks';
import { request, sentence } from '../load';
import { save } from '../save';
import { T, fill } from '../text';

type Cells = { account: { state: { code: string | null; data: string | null } | null } };

/** The bytes of a bag of cells in base64. */
const fileOf = (text: string): Blob => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'application/octet-stream' });

export function Cells({ address }: { address: string }) {
  const [error, setError] = useState('');
  const download = (part: 'code' | 'data') => {
    setError('');
    request<Cells>('account_cells', { address }).then(
      ({ account }) => {
        const cells = account.state?.[part];
        if (cells) save(`${address.slice(address.indexOf(':') + 1)}-${part}.boc`, fileOf(cells));
        else setError(T.contract.notStored);
      }, (e: unknown) => setError(sentence(e)));
  };
  return (
    <>
      <p class="inline">{(['code', 'data'] as const).map((part) => <button key={part} type="button" class="quiet" onClick={() => download(part)}>{fill(T.contract.download, { part })}</button>)}</p>
      {error && <p class="callout bad" role="alert">{error}</p>}
    </>
  );
}
