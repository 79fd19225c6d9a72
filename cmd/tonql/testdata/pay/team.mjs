// A merchant's first payment with the guide, payment links with the pages of buyers, the team, second factors and alerts, in a real
// browser, on a running devnet:
//   node team.mjs BASE ADMIN LINK SCREENSHOT_FOLDER
// Prints one JSON object with what it saw.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import http from 'node:http';
import { inspect, launch } from './browser.mjs';

const [base, admin, link, shots] = process.argv.slice(2);
const seen = { axe: [], outside: [], console: [] };
const pages = [];

const arrived = { hook: [], alert: [] };
let broken = false;
const receiver = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (d) => parts.push(d));
  request.on('end', () => {
    const kind = request.url.slice(1);
    arrived[kind].push({ raw: Buffer.concat(parts).toString(), headers: request.headers });
    if (kind === 'hook' && broken) response.statusCode = 503;
    response.end('well received');
  });
});
await new Promise((r) => receiver.listen(0, '127.0.0.1', r));
const server = `http://127.0.0.1:${receiver.address().port}`;

// totp is RFC 6238 with SHA-1, 6 digits and 30 seconds.
function totp(secret, time = Date.now()) {
  const bits = [...secret].map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g).map((b) => Number.parseInt(b, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(time / 30000)));
  const mac = createHmac('sha1', bytes).update(step).digest();
  const at = mac[19] & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1e6).padStart(6, '0');
}

const patience = 120000; // ms; a machine that runs other tests is slow
const browser = await launch();
try {
  const home = new URL(base).host;
  let lost = false; // requests fail on purpose
  async function person() {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    pages.push(page);
    page.on('request', (r) => { const u = new URL(r.url()); if (/^http/.test(u.protocol) && u.host !== home) seen.outside.push(r.url()); });
    page.on('console', (m) => { if (m.type() === 'error' && !lost) seen.console.push(`${m.text()} ${m.location().url}`); });
    page.on('pageerror', (e) => seen.console.push(String(e)));
    return page;
  }
  const look = async (page, name) => seen.axe.push(...await inspect(page, name, shots));
  const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
  const until = async (what, fn) => {
    for (let i = 0; i < 300; i++) {
      if (fn()) return;
      await new Promise((r) => setTimeout(r, 100));
    }
    throw new Error(`${what} did not happen`);
  };
  const pay = async (to, amount, comment) => {
    const paid = await fetch(`${admin}faucet`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ to, amount, comment }) });
    assert.equal(paid.status, 200);
  };

  // The guide, from an empty dashboard to the webhook of a paid payment.
  const owner = await person();
  await owner.goto(link);
  await press(owner, 'Sign in');
  await owner.getByLabel(/New password/).fill('correct horse battery');
  await owner.locator('form[action$="password"] button').click();
  await owner.getByRole('heading', { name: 'Overview' }).waitFor();
  await owner.getByRole('main').getByRole('link', { name: 'First steps' }).click();
  await look(owner, 'guide-start');
  await owner.getByLabel(/URL of your server/).fill(`${server}/hook`);
  await press(owner, 'Create');
  await press(owner, 'Send a sample');
  await owner.locator('li:nth-child(2).done').waitFor({ timeout: patience });
  assert.equal(arrived.hook.length, 1);
  await press(owner, 'Register a test payment');
  await press(owner, 'Pay from the faucet');
  await owner.getByText('All steps are done.').waitFor({ timeout: patience });
  assert.equal(await owner.locator('ol.steps > li.done').count(), 5);
  const paid = JSON.parse(arrived.hook.at(-1).raw);
  assert.equal(paid.event, 'transfer.completed');
  assert.equal(paid.data.status, 'success');
  assert.equal(paid.data.amount, '1.5');
  await look(owner, 'guide-done');

  // The overview has the volume of the day.
  await owner.getByRole('link', { name: 'Overview' }).click();
  seen.volume = await owner.locator('section[aria-labelledby=volume]').innerText();
  seen.rate = await owner.locator('section[aria-labelledby=rate]').innerText();
  await look(owner, 'overview');

  // A payment link, and its page as a buyer sees it.
  const wallet = `0:${'ab'.repeat(32)}`;
  await owner.getByRole('link', { name: 'shop' }).click();
  await owner.getByLabel(/Default wallet/).fill(wallet);
  await owner.locator('form[action$="receiving"] button').click();
  await owner.getByRole('link', { name: 'Payment links', exact: true }).click();
  await owner.getByLabel('What is paid for').fill('A coffee');
  await owner.getByLabel('Amount').fill('2.5');
  await press(owner, 'Create');
  const url = await owner.locator('tbody a').first().getAttribute('href');
  await look(owner, 'links');
  const buyer = await person();
  await buyer.goto(url);
  await buyer.getByRole('heading', { name: 'A coffee' }).waitFor();
  await look(buyer, 'pay-link');
  await press(buyer, 'Pay');
  await buyer.locator('svg.qr').waitFor();
  const deep = new URL(await buyer.getByRole('link', { name: 'Open in a wallet' }).getAttribute('href'));
  assert.equal(deep.protocol, 'ton:');
  assert.equal(deep.searchParams.get('amount'), '2500000000');
  assert.equal(await buyer.locator('script:not([src^="/pay/"])').count(), 0, 'no foreign script');
  assert.equal((await buyer.context().cookies()).length, 0);
  await look(buyer, 'pay-open');
  // Less than the amount, then the complete amount: the page follows by itself, also when the link that opened the wallet has the focus.
  await buyer.getByRole('link', { name: 'Open in a wallet' }).focus();
  await pay(wallet, '1000000000', deep.searchParams.get('text'));
  await buyer.getByText('1.5 TON is missing').waitFor({ timeout: patience });
  await look(buyer, 'pay-missing');
  // By hand: what has to be sent can be copied, and the page says that it has arrived while the part is still open.
  await buyer.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await buyer.getByText('Pay by hand').click();
  await buyer.getByRole('button', { name: 'Copy Comment' }).click();
  await buyer.getByRole('button', { name: 'Copied Comment' }).waitFor({ timeout: patience });
  assert.equal(await buyer.evaluate(() => navigator.clipboard.readText()), deep.searchParams.get('text'));
  assert.equal(await buyer.getByLabel('Amount in TON').inputValue(), '2.5');
  await look(buyer, 'pay-by-hand');
  // A page that cannot be updated says so, until it can.
  lost = true;
  await buyer.route('**/pay/*', (route) => route.abort());
  await buyer.getByText('The service cannot be reached').waitFor({ timeout: patience });
  await look(buyer, 'pay-lost');
  await buyer.unroute('**/pay/*');
  await buyer.getByText('The service cannot be reached').waitFor({ state: 'hidden', timeout: patience });
  lost = false;
  await pay(wallet, '2500000000', deep.searchParams.get('text'));
  await buyer.getByText('Paid. Thank you.').waitFor({ timeout: patience });
  await look(buyer, 'pay-done');
  seen.paidPage = await buyer.locator('main').innerText();
  await until('the webhook of the link', () => arrived.hook.some(({ raw }) => JSON.parse(raw).data.amount === '2.5'));
  assert.equal(JSON.parse(arrived.hook.at(-1).raw).data.commentToRecipient, 'A coffee');

  // The payment with what was requested, received and is a surplus, and the transfer that refunds it.
  await owner.goto(`${base}/dashboard/payments/${deep.searchParams.get('text')}`);
  await owner.getByText('Further payments').waitFor();
  const decided = await owner.locator('dt:text-is("Transaction") + dd code').innerText();
  seen.payment = await owner.locator('main').innerText();
  await owner.locator('summary', { hasText: 'Refund' }).click();
  await look(owner, 'payment-refund');

  // It is found by the hash of the transaction, and a search that finds nothing does not say that there are no payments.
  await owner.goto(`${base}/dashboard/payments?q=${decided.toUpperCase()}`);
  assert.equal(await owner.locator('tbody tr').count(), 1);
  await owner.goto(`${base}/dashboard/payments?q=${'0'.repeat(64)}`);
  await owner.getByText('No payment matches.').waitFor();
  await look(owner, 'payments-none');

  // Types of events: without failures, a payment below the amount makes no delivery.
  await owner.goto(`${base}/dashboard/webhooks/1`);
  await owner.getByLabel(/that fail/).uncheck();
  await owner.getByLabel(/transfer.refunded/).check();
  await owner.locator('form.card button', { hasText: 'Save' }).click();
  await owner.getByText('Saved.').waitFor();
  assert.equal(await owner.getByLabel(/that fail/).isChecked(), false);

  // An alert about the endpoint when it fails.
  await owner.getByRole('link', { name: 'Alerts' }).click();
  await owner.getByLabel('URL of a webhook').fill(`${server}/alert`);
  await press(owner, 'Save');
  await owner.getByText('Saved.').waitFor();
  await look(owner, 'alerts');
  await press(owner, 'Send a test message');
  await until('the test alert', () => arrived.alert.length === 1);
  assert.equal(JSON.parse(arrived.alert[0].raw).event, 'alert.test');
  broken = true;
  await owner.goto(`${base}/dashboard/guide`);
  await press(owner, 'Send a sample');
  await until('the alert', () => arrived.alert.length === 2);
  broken = false;
  seen.alert = JSON.parse(arrived.alert[1].raw);
  await owner.goto(`${base}/dashboard/`);
  seen.failures = await owner.locator('section[aria-labelledby=failures]').innerText();

  // A second factor.
  await owner.getByRole('link', { name: 'shop' }).click();
  await press(owner, 'Set up a second factor');
  const secret = await owner.getByLabel('Secret').inputValue();
  await look(owner, 'totp');
  await owner.getByRole('textbox', { name: 'Code' }).fill(totp(secret));
  await press(owner, 'Turn on');
  await owner.getByText('The second factor is on.').waitFor();
  const recovery = await owner.locator('.codes code').first().innerText();
  await look(owner, 'codes');

  // A member is invited as a viewer, and reads without changing.
  await owner.getByRole('link', { name: 'Team' }).click();
  await owner.getByLabel('Name of a new member').fill('alice');
  await press(owner, 'Add');
  const invitation = await owner.getByLabel(/signs the member in once/).inputValue();
  await look(owner, 'team');
  const alice = await person();
  await alice.goto(invitation);
  await press(alice, 'Sign in');
  await alice.getByLabel(/New password/).fill('another long password');
  await alice.locator('form[action$="password"] button').click();
  await alice.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal(await alice.getByRole('link', { name: 'API keys' }).count(), 0);
  await alice.goto(`${base}/dashboard/webhooks/1`);
  assert.equal(await alice.getByRole('button', { name: 'Reveal' }).count(), 0);
  await look(alice, 'endpoint-viewer');
  seen.viewer = await alice.evaluate(async () => (await fetch('/dashboard/keys')).status);
  // With another role, alice signs in again.
  await owner.getByLabel('Role of alice', { exact: true }).selectOption('developer');
  await owner.getByRole('button', { name: 'Change the role of alice' }).click();
  await owner.getByText('The role is changed.').waitFor();
  await alice.goto(`${base}/dashboard/`);
  await alice.getByLabel('Merchant').fill('shop');
  await alice.getByLabel(/Your name/).fill('alice');
  await alice.getByLabel('Password').fill('another long password');
  await press(alice, 'Sign in');
  await alice.getByRole('link', { name: 'API keys' }).waitFor();

  // The owner signs in with the second factor.
  await press(owner, 'Sign out');
  await owner.getByLabel('Merchant').fill('shop');
  await owner.getByLabel('Password').fill('correct horse battery');
  await press(owner, 'Sign in');
  await owner.getByRole('heading', { name: 'Enter a code' }).waitFor();
  await look(owner, 'code');
  await owner.getByLabel(/Code of your/).fill(recovery);
  await press(owner, 'Sign in');
  await owner.getByRole('heading', { name: 'Overview' }).waitFor();
  // Tables on a phone: each row is a block with the names of its columns.
  await owner.setViewportSize({ width: 375, height: 800 });
  await owner.goto(`${base}/dashboard/payments`);
  seen.cell = await owner.locator('tbody td').nth(1).evaluate((cell) => getComputedStyle(cell, '::before').content);
  await look(owner, 'payments-filled');
  // Refusals are the only errors that the console may have.
  seen.console = seen.console.filter((text) => !/status of 40[013]/.test(text));
} catch (error) {
  for (const page of pages) console.error(page.url(), await page.locator('main').innerText({ timeout: patience }).catch(() => ''));
  throw error;
} finally {
  await browser.close();
  receiver.close();
  receiver.closeAllConnections();
}
console.log(JSON.stringify(seen));
