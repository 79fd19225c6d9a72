// Downloads of the code and the data of a contract as bags of cells. They are requested when a button is pressed.
import { useState } from 'preact/hooks';
import { request, sentence } from '../load';
import { T, fill } from '../text';

type Cells = { account: { state: { code: string | null; data: string | null } | null } };

/** Saves a bag of cells in base64 as a file. */
function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function Cells({ address }: { address: string }) {
  const [error, setError] = useState('');
  const download = (part: 'code' | 'data') => {
    setError('');
    request<Cells>('account_cells', { address }).then(
      ({ account }) => {
        const cells = account.state?.[part];
        if (cells) save(`${address.slice(address.indexOf(':') + 1)}-${part}.boc`, cells);
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
