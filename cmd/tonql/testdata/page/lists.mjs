// Uses the lists of the explorer of a running tonql as a person would, in a real browser:
//   node lists.mjs BASE_URL SCREENSHOT_FOLDER
// Prints one JSON object with what it saw.
import { chromium } from 'playwright-core';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [base, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const seen = { outside: [], console: [], failed: [], axe: [], overflow: [] };
const patience = 120000; // ms; a machine that runs other tests is slow

async function query(document, variables = {}) {
  const response = await fetch(`${base}/graphql`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query: document, variables }) });
  const body = await response.json();
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

async function until(what, find) {
  for (let tries = 0; tries < 90; tries++) {
    const found = await find();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 1000));
  }
  throw new Error(`no ${what}`);
}

try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const home = new URL(base).host;
  page.on('request', (r) => { const url = new URL(r.url()); if (/^(http|ws)s?:$/.test(url.protocol) && url.host !== home) seen.outside.push(r.url()); });
  page.on('console', (m) => { if (m.type() === 'error') seen.console.push(`${m.text()} ${m.location().url}`); });
  page.on('pageerror', (e) => seen.console.push(String(e)));
  page.on('response', (r) => { if (r.status() >= 400) seen.failed.push(`${r.status()} ${r.url()}`); });
  // The pages themselves are looked at in both themes by pages.mjs; here is what a reader has opened in them.
  const look = async (name) => {
    for (const [size, width] of [['desktop', 1280], ['phone', 390]]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      seen.axe.push(...violations.map((v) => `${name} ${size}: ${v.id} ${v.nodes[0]?.html}`));
      if (shots) await page.screenshot({ path: `${shots}/lists-${name}-${size}.png` });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) seen.overflow.push(`${name} ${size}: ${over} px`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  const rows = page.locator('main .rows > li');
  const settled = () => page.waitForFunction(() => !document.querySelector('main .skeleton') && document.querySelector('main .rows > li, main .empty'), undefined, { timeout: patience });

  // An account that sends and receives, and one of its counterparties.
  const busy = await until('busy wallet', async () => {
    const { transactions } = await query('{ transactions(first: 100, where: {direction: OUT, success: true}) { nodes { account { address wallet { seqno } } } } }');
    const counts = new Map();
    for (const { account } of transactions.nodes) if (account.wallet) counts.set(account.address, (counts.get(account.address) ?? 0) + 1);
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    return most?.[1] > 2 ? most[0] : undefined;
  });
  const { account } = await query('query($a: Address!) { account(address: $a) { sentMessages(first: 50, where: {kind: INTERNAL}) { nodes { value destination { address } } } } }', { a: busy });
  const other = account.sentMessages.nodes[0].destination.address;

  // Filters of transactions: each is one of the page's address, and what is shown is what the service finds with it.
  const history = `${base}/explorer/account/${busy}/transactions`;
  await page.goto(history);
  await rows.first().waitFor({ timeout: patience });
  seen.directions = await page.locator('main .rows .kind + .badge').allInnerTexts();
  seen.changes = await page.locator('main .rows .sum').allInnerTexts();
  await page.getByLabel('Direction').selectOption({ label: 'sent' });
  await page.waitForURL(/direction=OUT/);
  await page.getByLabel('Counterparty').fill(other);
  await page.keyboard.press('Tab');
  await page.waitForURL(/counterparty=/);
  await settled();
  const named = async (where) => (await query(`query($a: Address!) { transactions(first: 20, where: {accounts: [$a], ${where}}) { nodes { hash } } }`, { a: busy })).transactions.nodes.length;
  seen.counterparty = [await rows.count(), await named(`direction: OUT, counterparties: ["${other}"]`)];
  await look('filters');
  await page.getByLabel('Least amount').fill('9000000000');
  await page.keyboard.press('Tab');
  await page.getByText('Nothing matches the filters.').waitFor({ timeout: patience });
  seen.searched = new URL(page.url()).searchParams.get('min');
  await page.goBack();
  await rows.first().waitFor({ timeout: patience });
  seen.restored = [await rows.count(), await page.getByLabel('Least amount').inputValue()];
  await page.getByRole('button', { name: 'Remove filters' }).click();
  await rows.first().waitFor({ timeout: patience });
  await page.locator('label.field', { hasText: /^Result/ }).locator('select').selectOption({ label: 'failed' });
  await page.waitForURL(/result=failed/);
  await settled();
  seen.failedRows = [(await page.locator('main .rows > li .badge.bad, main .rows > li .mark.bad').count()) > 0, await rows.count(), await named('outcomes: [FAILED, BOUNCED]')];
  await page.getByRole('button', { name: 'Remove filters' }).click();
  await page.getByLabel('Counterparty').fill('nonsense');
  await page.keyboard.press('Tab');
  await page.getByRole('alert').waitFor({ timeout: patience });
  seen.refused = await page.getByRole('alert').innerText();

  // The export has what the filters leave: the complete list, whatever the page shows.
  await page.goto(`${history}?direction=OUT`);
  await rows.first().waitFor({ timeout: patience });
  // The dialog of the browser, in which a person chooses the file, is replaced; the rows are written as they come.
  await page.evaluate(() => {
    window.written = [];
    window.showSaveFilePicker = async ({ suggestedName }) => ({ createWritable: async () => ({ write: async (text) => { window.written.push(text); }, close: async () => { window.written.push(suggestedName); } }) });
  });
  await page.getByRole('button', { name: 'Export JSON' }).click();
  await page.waitForFunction(() => window.written.at(-1)?.endsWith('.jsonl'), undefined, { timeout: patience });
  const written = await page.evaluate(() => window.written);
  seen.file = written.at(-1);
  seen.exported = written.slice(0, -1).join('').split('\n').filter(Boolean).map((line) => JSON.parse(line).hash);
  // A failure keeps what was written; the export continues at the cursor.
  await page.evaluate(() => { window.written = []; });
  let broken = 1;
  await page.route('**/graphql', (route) => (route.request().postData()?.includes('"first":100') && broken-- > 0 ? route.fulfill({ contentType: 'application/json', body: '{"errors":[{"message":"broken"}]}' }) : route.continue()));
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.getByRole('button', { name: 'Continue' }).click({ timeout: patience });
  await page.waitForFunction(() => window.written.at(-1)?.endsWith('.csv'), undefined, { timeout: patience });
  seen.resumed = (await page.evaluate(() => window.written)).slice(0, -1).join('').split('\r\n').filter(Boolean);
  await page.unroute('**/graphql');
  let after = null;
  seen.sent = [];
  do {
    const { transactions } = await query('query($a: Address!, $after: String) { transactions(first: 100, after: $after, where: {accounts: [$a], direction: OUT}) { nodes { hash } pageInfo { hasNextPage endCursor } } }', { a: busy, after });
    seen.sent.push(...transactions.nodes.map((n) => Buffer.from(n.hash, 'base64').toString('hex')));
    after = transactions.pageInfo.hasNextPage ? transactions.pageInfo.endCursor : null;
  } while (after);

  // The list of an account that receives transactions grows by itself.
  const live = await until('account with traffic', async () => (await query('{ transactions(first: 1, where: {direction: IN, success: true}) { nodes { account { address } } } }')).transactions.nodes[0]?.account.address);
  await page.goto(`${base}/explorer/account/${busy}/transactions`);
  await rows.first().waitFor({ timeout: patience });
  const newest = await rows.first().locator('a.kind').getAttribute('href');
  await page.waitForFunction((was) => document.querySelector('main .rows > li a.kind')?.getAttribute('href') !== was, newest, { timeout: 120000 });
  seen.live = [newest, await rows.first().locator('a.kind').getAttribute('href'), live];

  // Jettons: by holders, by transfers, by supply; the numbers stand on the rows.
  await until('counted Jettons', async () => (await query('{ jettonMasters(orderBy: HOLDERS, first: 5) { nodes { counts { holders } } } }')).jettonMasters.nodes.length > 1);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Jettons' }).click();
  await rows.first().waitFor({ timeout: patience });
  seen.jettons = await page.locator('main .rows .what').allInnerTexts();
  seen.orders = {};
  for (const [order, label] of [['TRANSFERS', 'transfers of the day'], ['SUPPLY', 'supply'], ['HOLDERS', 'holders']]) {
    await Promise.all([
      page.waitForResponse((r) => r.request().postData()?.includes(`"order":"${order}"`) === true, { timeout: patience }),
      page.getByLabel('Sort by').selectOption({ label }),
    ]);
    await page.waitForURL(new RegExp(`order=${order}`));
    await settled();
    seen.orders[order] = await page.locator('main .rows .what').allInnerTexts();
  }
  await look('jettons');

  // A Jetton: how its holders share its supply; a master may say that there is none.
  const jetton = await until('Jetton with several holders', async () => (await query('{ jettonMasters(orderBy: HOLDERS, first: 10) { nodes { totalSupply account { address } counts { holders } wallets(first: 2, excludeZero: true, byBalance: true) { nodes { balance } } } } }')).jettonMasters.nodes.find((j) => j.wallets.nodes.length > 1 && j.totalSupply > 0));
  await page.goto(`${base}/explorer/account/${jetton.account.address}`);
  await page.getByRole('heading', { name: 'Distribution' }).waitFor({ timeout: patience });
  seen.distribution = await page.locator('.distribution tbody tr').allInnerTexts();
  const share = (j) => Number((BigInt(j.wallets.nodes[0].balance) * 10000n) / BigInt(j.totalSupply)) / 100;
  const { jettonMaster } = await query('query ($a: Address!) { jettonMaster(address: $a) { totalSupply wallets(first: 1, excludeZero: true, byBalance: true) { nodes { balance } } } }', { a: jetton.account.address });
  seen.largest = [share(jetton), share(jettonMaster)]; // before and after the page
  await look('distribution');
  // The list is replaced while the page is open: a holder whose balance changes is there once.
  await page.evaluate(() => scrollTo(0, 0));
  const balances = (was) => {
    const now = [...document.querySelectorAll('main ol.rows .sum')].map((e) => e.textContent).join();
    return now !== was && now;
  };
  await page.waitForFunction(balances, await page.evaluate(balances, ''), { timeout: 120000 });
  seen.holders = await page.locator('main ol.rows .grow a').evaluateAll((links) => links.map((a) => a.getAttribute('href')));

  // Collections, an item with its traits, its owners.
  await page.goto(`${base}/explorer/collections`);
  await rows.first().waitFor({ timeout: patience });
  seen.collections = await page.locator('main .rows .what').allInnerTexts();
  const item = await until('item with an owner', async () => (await query('{ nftItems(first: 100) { nodes { owner { address } account { address metadata { traits { name value } } } collection { account { address } } ownerHistory(first: 1) { nodes { owner { address } } } } } }')).nftItems.nodes.find((n) => n.owner && n.ownerHistory.nodes.length > 0));
  await page.goto(`${base}/explorer/account/${item.account.address}/owners`);
  await rows.first().waitFor({ timeout: patience });
  seen.owners = await rows.allInnerTexts();

  // The local chain has no items with traits, so this page gets some for its items.
  const gallery = await context.newPage();
  const { nftItems } = await query('{ nftItems(first: 100) { nodes { collection { account { address } } } } }');
  const sizes = new Map();
  for (const { collection } of nftItems.nodes) if (collection) sizes.set(collection.account.address, (sizes.get(collection.account.address) ?? 0) + 1);
  const [collection] = [...sizes].sort(([, a], [, b]) => b - a)[0];
  const traits = [{ name: 'Colour', values: [{ value: 'red', items: { count: 1, more: false } }, { value: 'grey', items: { count: 1000, more: true } }], moreValues: true }, { name: '', values: [{ value: '<b>x</b>', items: { count: 2, more: false } }], moreValues: false }];
  let loaded = [];
  seen.chosen = [];
  await gallery.route('**/graphql', async (route) => {
    const sent = route.request().postData() ?? '';
    if (sent.includes('nftTraits')) {
      const received = await route.fetch();
      if ((await received.json()).data.nftTraits.length !== 0) seen.failed.push('traits of a collection without any');
      return route.fulfill({ response: received, json: { data: { nftTraits: traits } } });
    }
    if (!sent.includes('CollectionItems')) return route.continue();
    const { trait } = JSON.parse(sent).variables;
    if (trait) seen.chosen.push(trait);
    const response = await route.fetch();
    const body = await response.json();
    if (trait && body.data.nftItems.nodes.length > 0) seen.failed.push('items with a trait that none has');
    if (trait) body.data.nftItems.nodes = loaded.slice(0, 1);
    else loaded = body.data.nftItems.nodes;
    body.data.nftItems.nodes.forEach((n, i) => { n.account.metadata = { traits: [{ name: 'Colour', value: i === 0 ? 'red' : 'a very long name of a colour that does not fit' }, { name: '', value: '<b>x</b>' }] }; });
    return route.fulfill({ response, json: body });
  });
  await gallery.goto(`${base}/explorer/account/${collection}`);
  await gallery.locator('.cards > li').first().waitFor({ timeout: patience });
  const all = await gallery.locator('.cards > li').count();
  await gallery.getByText('Choose a trait').click();
  await gallery.getByLabel('Trait').selectOption({ value: JSON.stringify(['Colour', 'grey']) });
  await gallery.locator('.cards > li').nth(1).waitFor({ state: 'detached', timeout: patience });
  await gallery.locator('.cards > li').first().waitFor({ timeout: patience });
  seen.traits = [all, await gallery.locator('.cards > li').count(), await gallery.locator('.traits .chip').first().innerText(), await gallery.locator('.traits .chip').nth(1).innerText()];
  if (shots) await gallery.screenshot({ path: `${shots}/lists-traits.png` });
  await gallery.evaluate(axe);
  seen.axe.push(...(await gallery.evaluate(() => window.axe.run())).violations.map((v) => `traits: ${v.id} ${v.nodes[0]?.html}`));
  await gallery.close();

  // A domain: its records and expiry, its auction, its owners.
  const domain = await until('domain', async () => (await query('{ nftItems(first: 100) { nodes { domain account { address } dns { expiresAt } } } }')).nftItems.nodes.find((n) => n.dns));
  await page.goto(`${base}/explorer/account/${domain.account.address}/auction`);
  await page.getByRole('navigation', { name: 'Account', exact: true }).waitFor({ timeout: patience });
  await page.locator('section.card .facts, section.card .empty').first().waitFor({ timeout: patience });
  seen.auction = await page.locator('section.card').last().innerText();
  seen.domainTabs = await page.getByRole('navigation', { name: 'Account', exact: true }).locator('a').allInnerTexts();
  seen.domain = await page.locator('.facts').first().innerText();
  await look('domain');
} catch (e) { // with what the pages show
  for (const page of browser.contexts().flatMap((c) => c.pages())) console.error(page.url(), (await page.locator('body').innerText().catch(() => '')).slice(0, 3000));
  console.error(seen.console, seen.failed);
  throw e;
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
