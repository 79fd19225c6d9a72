// What both scripts need of the network: coins, time, and the tokens that are there.
import assert from 'node:assert/strict';

export const [base, admin] = process.argv.slice(2);
export const endpoint = `${base}/api/v2/jsonRPC`;

// eventually asks again until the answer is truthy.
export async function eventually(what, ask, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((r) => setTimeout(r, 300))) {
    const answer = await ask().catch(() => undefined);
    if (answer) return answer;
  }
  throw new Error(`${what}: not within ${seconds} s`);
}

// fund lets the faucet pay.
export async function fund(address, nano) {
  const r = await fetch(`${admin}faucet`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ to: address, amount: nano, comment: 'for tests' }),
  });
  assert.equal(r.status, 200, await r.text());
}

// index asks the other interface, which lists what there is.
export async function index(path) {
  const r = await fetch(`${base}/api/v3/${path}`);
  assert.equal(r.status, 200, path);
  return r.json();
}

// done is what the test of this script reads.
export function done(facts) {
  console.log(JSON.stringify(facts));
}
