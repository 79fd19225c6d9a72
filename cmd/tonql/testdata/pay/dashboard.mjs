// A merchant's first day at the dashboard, in a real browser, on a running devnet:
//   node dashboard.mjs BASE ADMIN LINK KEY SCREENSHOT_FOLDER
// Prints one JSON object with what it saw.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { inspect, launch } from './browser.mjs';

const [base, admin, link, key, shots] = process.argv.slice(2);
const seen = { axe: [], outside: [], console: [] };

const arrived = [];
const receiver = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (d) => parts.push(d));
  request.on('end', () => {
    arrived.push({ raw: Buffer.concat(parts).toString(), headers: request.headers });
    response.end('well received');
  });
});
await new Promise((r) => receiver.listen(0, '127.0.0.1', r));
const hook = `http://127.0.0.1:${receiver.address().port}/hook`;

const patience = 120000; // ms; a machine that runs other tests is slow
const browser = await launch();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const home = new URL(base).host;
  page.on('request', (r) => { const u = new URL(r.url()); if (/^http/.test(u.protocol) && u.host !== home) seen.outside.push(r.url()); });
  const listen = (to) => {
    to.on('console', (m) => { if (m.type() === 'error') seen.console.push(`${m.text()} ${m.location().url}`); });
    to.on('pageerror', (e) => seen.console.push(String(e)));
  };
  listen(page);

  const look = async (name) => seen.axe.push(...await inspect(page, name, shots));
  const press = (name) => page.getByRole('button', { name, exact: true }).click();

  // Sign in by the link, choose a password, sign out, sign in with it.
  await page.goto(`${base}/dashboard/`);
  await look('signin');
  assert.equal((await context.cookies()).length, 0, 'nobody has a session who has not signed in');
  await page.goto(link);
  await press('Sign in');
  await page.getByLabel(/New password/).fill('correct horse battery');
  await look('account');
  await page.locator('form[action$="password"] button').click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const cookie = async () => (await context.cookies()).find((c) => c.name === 'tonql_session')?.value;
  const ended = await cookie();
  // A page that stays open while its session ends says so, and leads to the form.
  const left = await context.newPage();
  listen(left);
  await left.goto(`${base}/dashboard/`);
  await press('Sign out');
  await left.getByRole('link', { name: 'Sign in again' }).waitFor();
  await left.getByRole('link', { name: 'Sign in again' }).click();
  await left.getByLabel('Merchant').waitFor();
  await left.close();
  // Somebody has put a session of his choice into the browser: signing in does not take it over.
  const planted = 'planted-by-somebody-else';
  await context.addCookies([{ name: 'tonql_session', value: planted, url: base }]);
  await page.getByLabel('Merchant').fill('shop');
  await page.getByLabel('Password').fill('correct horse battery');
  await press('Sign in');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.ok(![planted, ended, undefined].includes(await cookie()), 'a token of our own, drawn anew');
  for (const token of [planted, ended]) {
    const answer = await fetch(`${base}/dashboard/payments`, { headers: { Cookie: `tonql_session=${token}` }, redirect: 'manual' });
    assert.equal(answer.status, 303, 'nobody is signed in by a token from before');
    assert.match(answer.headers.get('location'), /signin$/);
  }

  // Set the URL, reveal and rotate the secret.
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByLabel(/URL that events/).fill(hook);
  await press('Add');
  await page.getByRole('heading', { name: 'Webhook endpoint' }).waitFor();
  const endpoint = page.url();
  await press('Reveal');
  const first = await page.getByLabel('Secret', { exact: true }).inputValue();
  await page.getByRole('link', { name: 'Rotate…' }).click();
  await page.getByLabel(/to confirm/).waitFor();
  await look('rotate');
  await page.getByLabel(/to confirm/).fill('rotate');
  await press('Rotate now');
  await page.getByText('The new secret signs').waitFor();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  assert.match(secret, /^whsec_/);
  assert.notEqual(first, secret);
  await look('endpoint');
  // A second endpoint has a secret of its own; nobody listens there, and it is removed again.
  await page.goto(`${base}/dashboard/webhooks`);
  await page.getByLabel(/URL that events/).fill('http://127.0.0.1:9/second');
  await press('Add');
  await press('Reveal');
  assert.notEqual(await page.getByLabel('Secret', { exact: true }).inputValue(), secret);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('link', { name: 'http://127.0.0.1:9/second' }).waitFor();
  await look('webhooks');
  await page.getByRole('link', { name: 'http://127.0.0.1:9/second' }).click();
  await page.getByText('Remove this endpoint').click();
  await press('Remove');
  await page.getByText('The endpoint is removed.').waitFor();
  await page.goto(endpoint);

  // A test send: the answer is seen in the log, then it is sent again.
  await press('Send sample: success');
  await page.locator('.badge', { hasText: 'delivered' }).first().waitFor({ timeout: patience });
  assert.match(await page.locator('main').innerText(), /well received/);
  assert.match(await page.locator('main').innerText(), /X-Pay-Signature: sha256=[0-9a-f]{64}/, 'the headers that were sent');
  assert.match(await page.locator('pre').last().textContent(), /^\{"event":"transfer.completed","timestamp":"/, 'the bytes that were sent');
  assert.ok((await page.locator('pre').nth(1).innerText()).startsWith('{\n  "event": "transfer.completed",\n'), 'the body is formatted');
  await look('delivery');
  await press('Send again');
  await page.locator('.badge', { hasText: 'delivered' }).first().waitFor({ timeout: patience });
  await page.goto(endpoint);
  await press('Send sample: failed');
  await page.locator('.badge', { hasText: 'delivered' }).first().waitFor({ timeout: patience });
  assert.equal(arrived.length, 3);
  for (const { raw, headers } of arrived) {
    assert.equal(headers['x-pay-signature'], `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
    assert.equal(headers['x-tonpay-test'], '1');
  }
  assert.equal(arrived[0].raw, arrived[1].raw);
  assert.equal(arrived[0].headers['webhook-id'], arrived[1].headers['webhook-id']);
  assert.match(arrived[2].raw, /"status":"failed".*"errorCode":37/);
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  seen.deliveries = await page.locator('tbody tr').count();
  await look('deliveries');

  // A key.
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByLabel('Name of a new key').fill('web shop');
  await press('Create');
  assert.match(await page.getByLabel(/The new key/).inputValue(), /^tqpay_/);
  await look('keys');

  // A payment turns to success while one looks at it.
  const answer = await fetch(`${base}/api/merchant/v1/create-transfer`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ amount: 1.5, asset: 'TON', recipientAddr: `0:${'cd'.repeat(32)}`, senderAddr: `0:${'ef'.repeat(32)}`, commentToRecipient: 'a coffee' }),
  });
  const transfer = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(transfer));
  await page.goto(`${base}/dashboard/payments/${transfer.reference}`);
  await page.locator('.badge', { hasText: 'pending' }).first().waitFor();
  const paid = await fetch(`${admin}faucet`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ to: `0:${'cd'.repeat(32)}`, amount: '1500000000', comment: transfer.reference }) });
  assert.equal(paid.status, 200);
  await page.locator('dd .badge.success').waitFor({ timeout: patience });
  await page.locator('li .badge', { hasText: 'delivered' }).waitFor({ timeout: patience });
  seen.payment = await page.locator('main').innerText();
  await look('payment');
  // The trace and the transaction open in the explorer.
  assert.match(await page.locator('dt:text-is("Transaction") + dd a').getAttribute('href'), /^\/explorer\/tx\/[0-9a-f]{64}$/);
  assert.match(await page.locator('dt:text-is("Trace") + dd a').getAttribute('href'), /^\/explorer\/trace\/[0-9a-f]{64}$/);
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByRole('heading', { name: 'Payments' }).waitFor();
  assert.equal(await page.locator('svg rect.success').evaluateAll((list) => list.filter((r) => Number(r.getAttribute('height')) > 0).length), 1, 'one bar of the chart');
  await look('payments');
  // Filters, and what they export.
  await page.getByLabel('Status').selectOption('failed');
  await press('Show');
  await page.getByText('No payment matches').waitFor();
  await page.getByLabel('Status').selectOption('success');
  await page.getByLabel(/Reference, comment/).fill('a coffee');
  await press('Show');
  await page.getByRole('link', { name: transfer.reference }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export CSV' }).click()]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
  assert.equal(lines.length, 2);
  assert.ok(lines[1].startsWith(`${transfer.reference},success,1.5,TON`), lines[1]);
  // The event is replayed from its place.
  const before = arrived.length;
  await page.goto(endpoint);
  await page.getByLabel(/after number/).fill('0');
  await press('Replay');
  await page.getByText('1 events are resent.').waitFor();
  for (let i = 0; i < 50 && arrived.length === before; i++) await new Promise((r) => setTimeout(r, 200));
  assert.equal(arrived.length, before + 1);
  assert.equal(arrived[before].raw, arrived[before - 1].raw);

  // Forms that are not ours.
  const session = (await context.cookies()).find((c) => c.name === 'tonql_session');
  assert.equal(session.httpOnly, true);
  assert.equal(session.sameSite, 'Lax');
  seen.forged = await page.evaluate(async () => {
    const r = await fetch('/dashboard/webhooks/1/rotate', { method: 'POST', body: new URLSearchParams({ csrf: 'forged' }) });
    return r.status;
  });
  const evil = http.createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<form method="post" action="${base}/dashboard/webhooks/1/rotate"><button>x</button></form>`);
  });
  await new Promise((r) => evil.listen(0, '127.0.0.1', r));
  const other = await context.newPage();
  await other.goto(`http://localhost:${evil.address().port}/`);
  const [crossed] = await Promise.all([other.waitForResponse((r) => r.url().includes('/rotate')), other.click('button')]);
  seen.crossSite = crossed.status();
  await other.close();
  evil.close();
  evil.closeAllConnections();
  // The attempt's own answer is the only error the console may tell of.
  seen.console = seen.console.filter((text) => !text.includes('status of 403'));
} finally {
  await browser.close();
  receiver.close();
  receiver.closeAllConnections();
}
console.log(JSON.stringify(seen));
