// Reads pages of the explorer as people who do not know its words: an index that begins late, an account that was never used, a failed
// transaction, tokens with names of others, a service that cannot be reached.
//   node readers.mjs BASE_URL LATE_BASE_URL SCREENSHOT_FOLDER OBJECTS
// OBJECTS are addresses and hashes by name, as JSON. Prints one JSON object with what it saw.
import { chromium } from 'playwright-core';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [base, late, shots, objects] = process.argv.slice(2);
const known = JSON.parse(objects);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const patience = 60000; // ms; a machine that runs other tests is slow
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const seen = { axe: [], overflow: [], console: [], texts: {}, titles: {} };

/** Opens a page on a phone, and looks at it in both themes. */
async function open(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, timezoneId: 'Asia/Kolkata', ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.on('pageerror', (e) => seen.console.push(`${url}: ${e}`));
  if (options.before) await options.before(page);
  await page.goto(url);
  return page;
}

/** Closes a page; requests that are being changed are left alone. */
async function shut(page) {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
}

async function look(page, name, ready) {
  await page.locator(ready).first().waitFor({ timeout: patience });
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    seen.axe.push(...violations.map((v) => `${name} ${colorScheme}: ${v.id} ${v.nodes[0]?.html}`));
    if (shots) await page.screenshot({ path: `${shots}/readers-${name}-${colorScheme}.png`, fullPage: true });
  }
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (over > 0) seen.overflow.push(`${name}: ${over} px`);
  seen.texts[name] = await page.locator('main').innerText();
  seen.titles[name] = await page.title();
}

/** Changes the JSON of the responses of GraphQL on their way to the page. */
const changing = (change) => (page) => page.route('**/graphql', async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, body: change(await response.text()) });
});

try {
  // An index that begins late: the state of an account that it lacks is the network's, in its form of the address.
  let page = await open(`${late}/explorer/account/${known.wallet}`);
  await page.getByText('its balance was read from the network').waitFor({ timeout: patience });
  await look(page, 'late', '.balance');
  seen.balance = (await page.locator('.balance strong').innerText()).replace(/[^\d.]/g, '');
  await shut(page);

  // Where the node cannot be reached, the balance is not 0 but unknown, and a button reads it again.
  let refused = 0;
  page = await open(`${late}/explorer/account/${known.contract}`, { before: (p) => p.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query AccountState') || refused > 2) return route.continue();
    refused++;
    return route.fulfill({ json: { errors: [{ message: 'no liteserver responds', extensions: { code: 'UNAVAILABLE' } }] } });
  }) });
  await page.getByText('the network cannot be reached').waitFor({ timeout: patience });
  await look(page, 'unreachable', '.balance');
  seen.unknown = await page.locator('.balance strong').innerText();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('its balance was read from the network').waitFor({ timeout: patience });
  seen.form = await page.locator('.account .full').first().innerText();
  await shut(page);

  page = await open(`${late}/explorer/tx/${known.old}`);
  await look(page, 'before', '.callout');
  await shut(page);

  // An account that was never used, opened by the form for another network.
  page = await open(`${base}/explorer/account/${known.nobody}`);
  await look(page, 'nobody', '.account');
  seen.forms = [await page.locator('.filterbox').count(), await page.getByRole('button', { name: 'Export CSV' }).count()];
  await shut(page);

  // The same by a search, whose address stays the one that was typed.
  page = await open(`${base}/explorer`);
  await page.getByLabel('Search', { exact: true }).fill(known.other);
  await page.keyboard.press('Enter');
  await page.getByText('is another form of this account').waitFor({ timeout: patience });
  seen.opened = page.url();
  // Filters do not stand before the list on a phone, and open by keyboard.
  seen.filters = [await page.getByLabel('Counterparty').isVisible()];
  await page.locator('.filterbox summary').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Counterparty').waitFor({ timeout: patience });
  seen.filters.push(await page.getByLabel('Counterparty').isVisible());
  await shut(page);

  // A hash that is in no block: of nothing, of a message on its way, and of one that expired.
  seen.hashes = [];
  for (const finality of ['', 'PENDING', 'INVALIDATED']) {
    page = await open(`${base}/explorer`, { before: (p) => p.route('**/graphql', (route) => (finality && route.request().postData()?.includes('query Pending')
      ? route.fulfill({ json: { data: { pendingTraces: [{ finality }] } } }) : route.continue())) });
    await page.getByLabel('Search', { exact: true }).fill('ab'.repeat(32));
    await page.locator('.hits p').waitFor({ timeout: patience });
    seen.hashes.push(await page.locator('.hits p').innerText());
    await shut(page);
  }

  // What is no address, or one with a mistake, is said in words; so is a path that does not exist.
  for (const [name, path] of Object.entries({ word: '/explorer/account/alice', mistyped: `/explorer/account/${known.wallet.slice(0, 20)}${known.wallet[20] === 'x' ? 'y' : 'x'}${known.wallet.slice(21)}`, cut: '/explorer/tx/abcdef', nowhere: '/explore' })) {
    page = await open(base + path);
    await look(page, name, 'main h1');
    await shut(page);
  }

  for (const name of ['failedAction', 'bounced']) {
    page = await open(`${base}/explorer/tx/${known[name]}`);
    await look(page, name, '.phase');
    seen[name] = [await page.locator('.title .badge').first().innerText(), await page.locator('.card > .callout').first().innerText()];
    await shut(page);
  }

  // Anyone can name a token like another, and with characters that reverse or hide text.
  const names = ['TON', 'ТОN', 'U\u200bSDT', 'USD₮', 'T\u202eON', 'Harbour', 'Claim at ton-gift.com', 'mayor.ton'];
  seen.names = {};
  for (const name of names) {
    const body = (text) => text.replace(/("valid":\s*)\w+(,\s*"name":\s*)"[^"]*"(,\s*"symbol":\s*)"[^"]*"/g, (_, a, b, c) => `${a}true${b}${JSON.stringify(name)}${c}${JSON.stringify(name)}`);
    page = await open(`${base}/explorer/account/${known.jetton}`, { before: changing(body) });
    await page.locator('.account h1').waitFor({ timeout: patience });
    seen.names[name] = [await page.locator('.account h1').innerText(), (await page.locator('.account .chips').innerText()).replace(/\s+/g, ' '), await page.locator('.facts dd').first().innerText()];
    if (name === 'ТОN') await look(page, 'imitation', '.account');
    await shut(page);
  }

  // While its metadata is not read, the decimals of a Jetton are not known, and its amounts are in its smallest units.
  const unread = (text) => text.replace(/("valid":\s*)true/g, '$1false').replace(/("decimals":\s*)\d+/g, '$1null');
  page = await open(`${base}/explorer/account/${known.jetton}`, { before: changing(unread) });
  await look(page, 'undecided', '.facts');
  seen.supply = (await page.locator('.facts dd').first().innerText()).replace(/\u202f/g, '');
  await shut(page);

  // An index that is behind the network says so where there are balances.
  page = await open(`${base}/explorer/account/${known.wallet}`, { before: changing((text) => text.replace(/"lagSeconds":\s*\d+/, '"lagSeconds":11000')) });
  await look(page, 'stale', '.callout.warn');
  await shut(page);

  // Without scripts, and while they load, a page says what it waits for.
  page = await open(`${base}/explorer/account/${known.wallet}`, { javaScriptEnabled: false });
  seen.texts.noscript = await page.locator('main').innerText();
  await shut(page);

  // A trace with more actions than are shown says so.
  page = await open(`${base}/explorer/tx/${known.bounced}`, { before: changing((text) => text.replace(/("actions":\{"nodes":\[.*?\],"pageInfo":\{"hasNextPage":)false/, '$1true')) });
  await look(page, 'more', '.tree');
  await shut(page);

  // The hash of a transaction names no trace; the page leads to the transaction.
  page = await open(`${base}/explorer/trace/${known.bounced}`);
  await page.getByRole('link', { name: 'Open it as a transaction' }).click();
  await page.locator('.phase').first().waitFor({ timeout: patience });
  await shut(page);

  // Without the service a page says so, keeps what it shows, and a button tries again.
  page = await open(`${base}/explorer/account/${known.wallet}`);
  await page.locator('.rows > li').first().waitFor({ timeout: patience });
  await page.route('**/graphql', (route) => route.abort());
  await page.getByRole('link', { name: 'Transactions', exact: true }).click();
  await page.getByRole('alert').first().waitFor({ timeout: patience });
  await look(page, 'offline', 'main [role=alert]');
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.locator('.rows > li').first().waitFor({ timeout: patience });
  seen.recovered = await page.locator('.rows > li').count();
  await shut(page);
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
