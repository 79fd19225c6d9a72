// Uses the explorer of a running tonql as a person would, in a real browser:
//   node explorer.mjs BASE_URL SCREENSHOT_FOLDER
// Prints one JSON object with what it saw.
import { chromium } from 'playwright-core';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [base, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const patience = 120000; // ms; a machine that runs other tests is slow
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
const seen = { outside: [], console: [], failed: [], axe: [], overflow: [], raw: [], plain: [] };

async function query(document, variables = {}) {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query: document, variables }),
  });
  const body = await response.json();
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

try {
  // axe is put in past the page's policy, which forbids foreign scripts; the page itself runs under it.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(patience);
  await context.addInitScript(() => { delete window.showSaveFilePicker; }); // exports are downloads then, as in other browsers
  const page = await context.newPage();
  const home = new URL(base).host;
  page.on('request', (r) => {
    const url = new URL(r.url());
    if (/^(http|ws)s?:$/.test(url.protocol) && url.host !== home) seen.outside.push(r.url());
  });
  page.on('console', (m) => { if (m.type() === 'error') seen.console.push(`${m.text()} ${m.location().url}`); });
  page.on('pageerror', (e) => seen.console.push(String(e)));
  page.on('response', (r) => { if (r.status() >= 400) seen.failed.push(`${r.status()} ${r.url()}`); });

  const wide = async (name) => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) seen.overflow.push(`${name}: ${over} px`);
  };
  // The pages themselves are looked at in all themes and sizes by pages.mjs; here is what a reader has opened in them.
  const look = async (name) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    seen.axe.push(...violations.map((v) => `${name}: ${v.id} ${v.nodes[0]?.html}`));
    if (shots) await page.screenshot({ path: `${shots}/explorer-${name}.png` });
    await wide(name);
    // Addresses are shown in the form for people; the raw one only among the other forms.
    const text = await page.locator('main').innerText();
    seen.raw.push(...(text.match(/-?\d:[0-9A-F]{6,}\S*/g) ?? []).filter((t) => !/^-?\d:[0-9A-F]{16}$/.test(t)).map((t) => `${name}: ${t}`));
  };
  const box = page.getByLabel('Search', { exact: true });
  const search = async (text) => {
    await box.fill(text);
    await page.keyboard.press('Enter');
  };
  const rows = page.locator('main .rows > li');

  let posts = 0;
  page.on('request', (r) => { if (r.method() === 'POST' && r.url().endsWith('/graphql')) posts++; });
  const opened = Date.now();
  await page.goto(`${base}/explorer`);
  const newest = page.locator('section[aria-labelledby=latest-blocks] li a').first();
  await newest.waitFor({ timeout: patience });
  const before = await newest.innerText();
  await page.waitForFunction((was) => document.querySelector('section[aria-labelledby=latest-blocks] li a')?.innerText !== was, before, { timeout: patience });
  seen.moved = [before, await newest.innerText()];
  const latest = page.locator('section[aria-labelledby=latest-actions] li');
  await latest.first().waitFor({ timeout: patience });
  seen.figures = await page.locator('.figure').allInnerTexts();
  // What comes with every block is hidden until it is requested.
  seen.quiet = (await latest.allInnerTexts()).filter((t) => /System → Elector/.test(t)).length;
  // However much happens, the page makes at most one request a second, after the three it begins with.
  await page.waitForFunction((since) => Date.now() - since > 12000, opened, { timeout: patience });
  seen.requests = posts;
  seen.seconds = (Date.now() - opened) / 1000;
  await look('home');
  await page.getByLabel('Show housekeeping').check();
  await page.getByText('System').first().waitFor({ timeout: patience });

  // Each action says who or how much.
  const said = await latest.evaluateAll((list) => list.map((li) => ['.kind', '.what', '.sum'].map((part) => li.querySelector(part)?.textContent ?? '')));
  seen.plain = said.filter(([, what, sum]) => what + sum === '').map(([kind]) => kind);
  seen.kinds = [...new Set(said.map(([kind]) => kind))];

  // By hash: a transaction of a trace with several, its tree drawn.
  const { traces } = await query('{ traces(first: 50) { nodes { transactionCount root { hash account { address friendly wallet { seqno } getMethods { name } } } } } }');
  // Its wallet has the get-method seqno, which the first versions of wallets lack.
  const big = traces.nodes.filter((t) => t.root?.account.wallet && t.root.account.getMethods?.some((m) => m.name === 'seqno')).sort((a, b) => b.transactionCount - a.transactionCount).find((t) => t.transactionCount <= 100);
  await search(big.root.hash);
  await page.getByRole('heading', { name: 'Transaction', exact: true }).waitFor({ timeout: patience });
  await page.locator('div.tree a.box').first().waitFor({ timeout: patience });
  // Boxes out of sight are not drawn; all of these are in sight once the tree fits.
  await page.locator('.toolbar').getByRole('button', { name: 'Fit', exact: true }).click();
  await page.waitForFunction((n) => document.querySelectorAll('div.tree a.box').length >= n, big.transactionCount);
  seen.boxes = await page.locator('div.tree a.box').count();
  seen.transactions = big.transactionCount;
  seen.phases = await page.locator('.phase').allInnerTexts();
  seen.flow = await page.locator('section[aria-labelledby=flow] li').count();
  await page.getByText('Body and hashes').first().click();
  await page.locator('.decoded').first().waitFor({ timeout: patience });
  await look('transaction');

  // The tree folds by keyboard.
  const fold = page.locator('div.tree [role=button]').first();
  await fold.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction((n) => document.querySelectorAll('div.tree a.box').length < n, seen.boxes, { timeout: patience });
  seen.folded = await page.locator('div.tree a.box').count();

  // Size by buttons and keys, the legend of shapes, the tree as files, and the message in the playground again.
  const sizeOf = () => page.locator('div.tree > svg').evaluate((svg) => svg.getBoundingClientRect().width);
  const natural = await sizeOf();
  await page.getByRole('button', { name: 'Smaller' }).click();
  await page.waitForFunction((w) => document.querySelector('div.tree > svg').getBoundingClientRect().width < w, natural, { timeout: patience });
  await page.locator('div.tree').press('+');
  await page.waitForFunction((w) => document.querySelector('div.tree > svg').getBoundingClientRect().width >= w - 1, natural, { timeout: patience });
  seen.legend = await page.locator('.legend li').allInnerTexts();
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: patience }), page.getByRole('button', { name }).click()]);
    return readFileSync(await download.path());
  };
  await page.locator('div.tree [role=button]').first().press('Enter');
  await page.locator('div.tree .edge').first().waitFor({ timeout: patience });
  seen.edges = await page.locator('div.tree .edge').allTextContents();
  const svg = (await saved('Save as SVG')).toString('utf8');
  seen.svg = [(svg.match(/<g /g) ?? []).length, await page.evaluate((text) => new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('parsererror').length, svg)];
  seen.png = (await saved('Save as PNG')).subarray(1, 4).toString('latin1');
  seen.again = await page.getByRole('link', { name: 'Simulate this again' }).first().getAttribute('href');
  const simulation = await context.newPage();
  await simulation.goto(base + seen.again);
  await simulation.locator('.graphiql-execute-button').click({ timeout: patience });
  await simulation.locator('.result-window').getByText('"accepted"').first().waitFor({ timeout: patience });
  seen.simulated = await simulation.locator('.result-window').innerText();
  await simulation.close();

  // By address, in its raw form; shown in the form for people.
  await search(big.root.account.address);
  await page.getByRole('navigation', { name: 'Account', exact: true }).waitFor({ timeout: patience });
  await page.getByText(big.root.account.friendly, { exact: true }).waitFor({ timeout: patience });
  seen.account = await page.locator('main').innerText();
  await rows.first().waitFor({ timeout: patience });
  const page1 = await rows.count();
  const older = page.getByRole('button', { name: 'Older' });
  if (await older.count() > 0) {
    await older.click();
    await page.waitForFunction((n) => document.querySelectorAll('main .rows > li').length > n, page1, { timeout: patience });
  }
  seen.pages = [page1, await rows.count()];
  seen.priced = await page.locator('.worth').count(); // without a source there are no prices
  await look('account');

  // The requests of the page: what they return is what the page shows. The commands run, and the link opens the playground.
  await page.getByText('Requests of this page').click();
  await page.locator('.source').first().waitFor({ timeout: patience });
  seen.sources = await page.locator('.source h3').allInnerTexts();
  const commands = await page.locator('.source pre').allInnerTexts();
  seen.commands = commands.filter((t) => t.startsWith('curl ')).flatMap((t) => t.split('\n\n'));
  const link = await page.locator('.source a').last().getAttribute('href');
  await look('sources');
  const tester = await context.newPage();
  await tester.goto(base + link);
  await tester.locator('.graphiql-execute-button').waitFor({ timeout: patience });
  await tester.locator('.graphiql-execute-button').click();
  await tester.locator('.result-window').getByText('"actions"').first().waitFor({ timeout: patience });
  seen.playground = await tester.locator('.result-window').innerText();
  await tester.close();

  // A QR code, the network in the header, times in UTC.
  await page.getByText('QR code to pay to this account', { exact: true }).click();
  await page.locator('.qr svg path').waitFor({ timeout: patience });
  seen.qr = (await page.locator('.qr svg path').getAttribute('d')).length;
  seen.network = await page.locator('header .badge').innerText();
  await page.getByLabel('Show times in UTC').check();
  await page.locator('main .rows time', { hasText: 'UTC' }).first().waitFor();
  seen.utc = await page.locator('main .rows time').first().innerText();
  await page.getByLabel('Show times in UTC').uncheck();

  await page.getByText('QR code to pay to this account', { exact: true }).click();
  await page.getByText('Requests of this page').click();

  // Back restores the rows that were loaded and the position, without a request.
  await rows.last().scrollIntoViewIfNeeded();
  await page.waitForTimeout(3000); // an update that had begun before the list was scrolled has ended
  const loaded = await rows.count();
  await rows.last().scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  await rows.last().locator('a').first().click();
  await page.getByRole('navigation', { name: 'Account', exact: true }).waitFor({ state: 'detached', timeout: patience });
  await rows.first().waitFor({ timeout: patience });
  let requestsBefore = -1; // once the page that is left has loaded
  while (requestsBefore !== posts) { requestsBefore = posts; await page.waitForTimeout(1000); }
  await page.goBack();
  await page.getByRole('navigation', { name: 'Account', exact: true }).waitFor({ timeout: patience });
  await page.waitForFunction((y) => Math.abs(scrollY - y) < 40, scrolled, { timeout: patience }).catch(() => {});
  seen.back = [loaded, await rows.count(), scrolled, await page.evaluate(() => scrollY), posts - requestsBefore];

  // Filters of the account's history, and its export. They are in the address, so going back removes them.
  const historyOf = `${base}/explorer/account/${big.root.account.address}/actions`;
  await page.goto(historyOf);
  await rows.first().waitFor({ timeout: patience });
  await page.getByLabel('Kind').selectOption({ label: 'Transfers of TON' });
  await page.waitForURL(/kind=coins/);
  await page.waitForFunction(() => [...document.querySelectorAll('main .rows .kind')].every((k) => k.textContent === 'Transfer'), undefined, { timeout: patience });
  seen.filtered = await page.locator('main .rows .kind').allInnerTexts();
  await page.getByLabel('From', { exact: true }).fill('2001-01-01');
  await page.getByLabel('To', { exact: true }).fill('2001-01-02');
  await page.getByText('Nothing matches the filters.').waitFor({ timeout: patience });
  await look('filters');
  await page.getByRole('button', { name: 'Remove filters' }).click();
  await rows.first().waitFor({ timeout: patience });
  await page.getByRole('navigation', { name: 'Account', exact: true }).getByRole('link', { name: 'Transactions' }).click();
  await page.waitForURL(/transactions$/);
  await rows.first().waitFor({ timeout: patience });
  seen.changes = await page.locator('main .rows .sum').allInnerTexts();
  const read = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: patience }), page.getByRole('button', { name }).click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  seen.csv = (await read('Export CSV')).split('\r\n').filter(Boolean);
  seen.json = (await read('Export JSON')).split('\n').filter(Boolean).map((line) => JSON.parse(line));

  // Copying works on plain HTTP, too, where browsers offer no clipboard.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    document.addEventListener('copy', () => { window.copied = document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd); });
  });
  await page.getByRole('button', { name: 'Copy address' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor({ timeout: patience });
  seen.copied = await page.evaluate(() => window.copied);
  seen.address = big.root.account.friendly;
  await page.getByRole('link', { name: 'Contract', exact: true }).click();
  await page.getByRole('button', { name: 'seqno', exact: true }).click();
  await page.getByText('ended with exit code 0').waitFor({ timeout: patience });
  await look('contract');

  // The contract of a Jetton: a typed argument, typed results, the past, the free form with a tuple, an exit code, the code as text,
  // and who else has it.
  const { jettonWallets } = await query('{ jettonWallets(first: 1) { nodes { account { friendly } owner { address } jettonAccount { address } } } }');
  const wallet = jettonWallets.nodes[0];
  posts = 0;
  await page.goto(`${base}/explorer/account/${wallet.jettonAccount.address}/contract`);
  await page.getByRole('button', { name: 'get_wallet_address', exact: true }).click({ timeout: patience });
  seen.contractRequests = posts;
  await page.getByLabel('Owner address (address)').fill(wallet.owner.address);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('Jetton wallet address').waitFor({ timeout: patience });
  seen.typed = [wallet.account.friendly, await page.locator('.results').innerText()];
  await page.getByRole('button', { name: 'get_jetton_data', exact: true }).click();
  await page.getByText('Total supply').waitFor({ timeout: patience });
  seen.results = await page.locator('.results > div > dt').allInnerTexts();
  await page.getByLabel('As of masterchain block').fill('1');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('at masterchain block 1', { exact: false }).or(page.locator('.methods .callout.bad')).first().waitFor({ timeout: patience });
  await page.getByLabel('As of masterchain block').fill('');
  await page.getByRole('button', { name: 'Another method…' }).click();
  await page.getByLabel('Name or id of the get-method').fill('no_such_method');
  await page.getByRole('button', { name: 'Add an argument' }).click();
  await page.getByLabel('Type of argument 1').selectOption('tuple');
  await page.getByRole('button', { name: 'Add an entry' }).click();
  await page.getByLabel('Value of argument 1.1').fill('42');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('unknown error').waitFor({ timeout: patience });
  seen.exit = await page.locator('.methods').innerText();
  await page.getByText('Code as instructions').click();
  await page.locator('.opened pre').waitFor({ timeout: patience });
  seen.code = await page.locator('.opened pre').innerText();
  await page.getByText('Accounts with the same code').click();
  await rows.first().waitFor({ timeout: patience });
  seen.sameCode = await rows.count();
  await page.getByText('Verified sources').click();
  await page.getByText('not verified').waitFor({ timeout: patience });
  await page.getByText('Verify with sources').click();
  await page.getByText('the operator of this service has set no folder of compilers').waitFor({ timeout: patience });
  seen.verification = await page.getByRole('link', { name: 'How to do so' }).getAttribute('href');
  await look('contract-jetton');
  await page.setViewportSize({ width: 390, height: 800 });
  await look('contract-phone');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${base}/explorer/account/${big.root.account.address}/contract`);
  await page.getByRole('button', { name: 'seqno', exact: true }).waitFor({ timeout: patience });

  // Charts: a picture, and the same values as a table, by keyboard; on a phone, too.
  const table = async () => {
    await page.locator('.days, .plot').first().scrollIntoViewIfNeeded();
    await page.locator('.plot canvas').first().waitFor({ timeout: patience });
    await page.locator('.chart summary').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.chart tbody tr').first().waitFor({ timeout: patience });
    return page.locator('.chart').first().locator('tbody tr').count();
  };
  posts = 0;
  await page.getByRole('link', { name: 'Charts', exact: true }).click();
  seen.charts = [await table()];
  seen.counterparties = await page.getByRole('region', { name: 'Top counterparties' }).locator('tbody tr').count();
  seen.chartRequests = posts;
  await page.setViewportSize({ width: 390, height: 800 });
  await look('charts');
  await page.setViewportSize({ width: 1280, height: 900 });
  // The indexer computes the sums of the chain in the background.
  for (let tries = 0; tries < 60; tries++) {
    const { networkDays } = await query('{ networkDays { days { transactions } } }');
    if (networkDays.days.length > 0) break;
    await page.waitForTimeout(1000);
  }
  await page.goto(`${base}/explorer`);
  seen.charts.push(await table());
  await page.getByRole('button', { name: 'Fees', exact: true }).click();
  await page.getByRole('button', { name: 'Fees', exact: true, pressed: true }).waitFor({ timeout: patience });
  await look('home-charts');

  // By name, from the hits that come while one types, with the arrow keys.
  const { jettonMasters } = await query('{ jettonMasters(first: 30) { nodes { totalSupply account { address metadata { name } } } } }');
  const jetton = jettonMasters.nodes.find((m) => m.account.metadata?.name.length > 3 && m.totalSupply !== '0');
  await box.pressSequentially(jetton.account.metadata.name.slice(0, -1), { delay: 20 });
  await page.getByRole('option').first().waitFor({ timeout: patience });
  await look('search');
  await page.keyboard.press('ArrowDown');
  seen.chosen = await box.getAttribute('aria-activedescendant');
  await page.keyboard.press('Enter');
  await page.getByText('Supply', { exact: true }).waitFor({ timeout: patience });
  seen.jetton = await page.locator('h1').innerText();
  await rows.first().waitFor({ timeout: patience });
  seen.holders = await rows.count();
  await look('jetton');

  // By other texts: a symbol, the beginning of a hash, the id of a block, a system contract, and an address with a mistake.
  seen.groups = {};
  const hitsOf = async (name, text) => {
    await box.fill(text);
    await page.locator('#hits [role=option], .hits p').first().waitFor({ timeout: patience });
    seen.groups[name] = await page.locator('#hits .group').allInnerTexts();
    const first = page.locator('#hits [role=option]').first();
    return (await first.count()) > 0 ? await first.innerText() : '';
  };
  const { jettonMasters: symbols } = await query('{ jettonMasters(first: 30) { nodes { account { metadata { symbol } } } } }');
  await hitsOf('symbol', symbols.nodes.find((m) => m.account.metadata?.symbol.length > 1).account.metadata.symbol.toLowerCase());
  const digits = Buffer.from(big.root.hash, 'base64').toString('hex');
  seen.prefix = [digits.slice(0, 8), await hitsOf('prefix', digits.slice(0, 8))];
  const { blocks: shardBlocks } = await query('{ blocks(first: 1, where: {workchain: 0}) { nodes { workchain shard seqno } } }');
  const b = shardBlocks.nodes[0];
  await hitsOf('block', `(${b.workchain},${b.shard},${b.seqno})`);
  await hitsOf('system', 'elector');
  const right = big.root.account.friendly;
  const wrong = right.slice(0, 20) + (right[20] === 'x' ? 'y' : 'x') + right.slice(21);
  seen.corrected = [right, await hitsOf('mistyped', wrong)];
  seen.mark = await page.locator('#hits mark').first().innerText();
  seen.checksum = await page.locator('.hits p').innerText();
  await page.keyboard.press('Enter'); // a similar address is not opened before it is chosen
  await page.waitForTimeout(300);
  seen.stayed = await page.locator('#hits [role=option]').count();
  await look('mistyped');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText(right, { exact: true }).waitFor({ timeout: patience });

  // A collection with its items, an item, the lists.
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'NFTs' }).click();
  await rows.first().waitFor({ timeout: patience });
  await look('collections');
  const { nftItems } = await query('{ nftItems(first: 100) { nodes { account { address } collection { account { address } } } } }');
  const item = nftItems.nodes.find((n) => n.collection);
  await page.goto(`${base}/explorer/account/${item.collection.account.address}`);
  await page.locator('.cards li').first().waitFor({ timeout: patience });
  seen.items = await page.locator('.cards li').count();
  await look('collection');
  await page.locator('.cards a').first().click();
  await page.getByText('Collection', { exact: true }).waitFor({ timeout: patience });
  await look('item');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Top accounts' }).click();
  await rows.first().waitFor({ timeout: patience });
  await look('accounts');

  // A vesting wallet: what is still locked, and one kind of wallet.
  const { topAccounts } = await query('{ topAccounts(first: 100) { nodes { address interfaces vesting { totalAmount progress { lockedAmount } } } } }');
  const vesting = topAccounts.nodes.find((a) => a.vesting);
  await page.goto(`${base}/explorer/account/${vesting.address}`);
  await page.getByText('Still locked', { exact: true }).waitFor({ timeout: patience });
  seen.claims = vesting.interfaces;
  seen.chips = await page.locator('.chips .chip').allInnerTexts();
  await look('vesting');

  // A domain: its records, and until when it is paid for.
  const until = async (what, find) => {
    for (let tries = 0; tries < 60; tries++) {
      const found = await find();
      if (found) return found;
      await page.waitForTimeout(1000);
    }
    throw new Error(`no ${what}`);
  };
  const domain = await until('domain with a lease', async () =>
    (await query('{ nftItems(first: 100) { nodes { domain account { address } dns { expiresAt } } } }')).nftItems.nodes.find((n) => n.dns?.expiresAt));
  await page.goto(`${base}/explorer/account/${domain.account.address}`);
  await page.getByText('Expires', { exact: true }).waitFor({ timeout: patience });
  seen.domain = await page.locator('.facts').first().innerText();
  await look('domain');

  // A multisig wallet: each order says what became of it.
  const order = await until('order that was executed', async () => {
    const { actions } = await query('{ actions(where: {types: ["multisig_execute"]}, first: 20) { nodes { details { ... on MultisigExecuteDetails { destination } } } } }');
    for (const { details } of actions.nodes) {
      const { account } = await query('query($a: Address!) { account(address: $a) { address multisig { orders(first: 20) { nodes { state } } } } }', { a: details.destination });
      if (account.multisig?.orders.nodes.some((o) => o.state === 'EXECUTED' || o.state === 'FAILED')) return account;
    }
    return undefined;
  });
  await page.goto(`${base}/explorer/account/${order.address}`);
  await rows.first().waitFor({ timeout: patience });
  seen.orders = await page.locator('main .rows .badge').allInnerTexts();
  await look('multisig');

  // Coins that came to an account without code have arrived.
  const credited = await until('transfer to an account without code', async () =>
    (await query('{ transactions(first: 100) { nodes { hash description { outcome compute { reason } } } } }')).transactions.nodes.find(
      (n) => n.description.outcome === 'CREDITED' && n.description.compute?.reason === 'NO_STATE')).catch(() => undefined);
  if (credited) {
    await page.goto(`${base}/explorer/tx/${credited.hash.replaceAll('+', '-').replaceAll('/', '_')}`);
    await page.getByRole('heading', { name: 'Transaction', exact: true }).waitFor({ timeout: patience });
    seen.credited = await page.locator('.title .badge').first().innerText();
    seen.drawn = await page.locator('div.tree .failed.current').count();
    await look('credited');
  }

  // A failed transaction: its exit code has a name and a cause.
  const failed = await until('transaction with a code of the TVM', async () => {
    let after = null;
    for (let pages = 0; pages < 20; pages++) {
      const { transactions } = await query('query($after: String) { transactions(first: 100, after: $after) { nodes { hash description { outcome compute { skipped exitCode } } } pageInfo { hasNextPage endCursor } } }', { after });
      const found = transactions.nodes.find(({ description: d }) => d.compute && !d.compute.skipped && d.compute.exitCode > 1);
      if (found || !transactions.pageInfo.hasNextPage) return found;
      after = transactions.pageInfo.endCursor;
    }
    return undefined;
  });
  await page.goto(`${base}/explorer/tx/${failed.hash.replaceAll('+', '-').replaceAll('/', '_')}`);
  await page.locator('.phase .cause').first().waitFor({ timeout: patience });
  seen.failedCode = failed.description.compute.exitCode;
  seen.cause = await page.locator('.phase.bad').first().innerText();
  await look('failed');

  // A limited page says so in plain words, tries again by itself, and shows what was requested. What it takes for refusals
  // are this test's own, on a page of their own.
  const patient = await context.newPage();
  let refusals = 2, renewed = 0;
  await patient.route('**/graphql', (route) => (refusals-- > 0
    ? route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, contentType: 'application/json', body: '{"errors":[{"message":"Ratelimit exceed"}]}' })
    : route.continue()));
  patient.on('request', (r) => { if (r.method() === 'HEAD') renewed++; });
  await patient.goto(`${base}/explorer/jettons`);
  await patient.getByText('The page retries in').waitFor({ timeout: patience });
  await patient.locator('main .rows > li').first().waitFor({ timeout: patience });
  await patient.getByText('The page retries in').waitFor({ state: 'detached', timeout: patience });
  seen.renewed = renewed;
  await patient.close();

  // A trace of 4000 transactions scrolls smoothly, and only what is in sight is in the document. The chain has none so large: the
  // responses are this test's own, in a page of their own.
  const large = await context.newPage();
  const digest = (i) => Buffer.from(String(i).padStart(32, '0')).toString('base64');
  const steps = Array.from({ length: 4000 }, (_, i) => ({
    hash: digest(i), parent: i === 0 ? null : Math.floor((i - 1) / 3), address: `0:${i.toString(16).toUpperCase().padStart(64, '0')}`, outcome: i % 7 === 6 ? 'FAILED' : 'SUCCESS', exitCode: i % 7 === 6 ? 37 : 0,
    skipReason: null, resultCode: 0, totalFees: '1000000', balanceChange: String(i), messageKind: 'INTERNAL', value: '1500000000', messageFee: '400000', opcode: null, decodedOpcode: 'jetton_transfer', bounced: i % 11 === 10,
  }));
  await large.route('**/graphql', (route) => {
    const { query: text, variables } = JSON.parse(route.request().postData() ?? '{}');
    if (/^query Trace\(/.test(text)) return route.fulfill({ json: { data: { indexStatus: { lagSeconds: 1, first: { seqno: 1, genUtime: '2026-01-01T00:00:00Z' }, ranges: [{ first: 1, last: 2 }] }, trace: { hash: digest(0), externalHash: null, state: 'COMPLETE', finality: 'FINALIZED', startUtime: '2026-01-01T00:00:00Z', endUtime: '2026-01-01T00:01:00Z', mcSeqnoStart: 1, mcSeqnoEnd: 2, transactionCount: 4000, warning: null, actions: { nodes: [], pageInfo: { hasNextPage: false } } } } } });
    if (/^query TraceSteps\(/.test(text)) return route.fulfill({ json: { data: { trace: { steps: steps.slice(variables.skip, variables.skip + 2000) } } } });
    return route.continue();
  });
  await large.goto(`${base}/explorer/trace/${digest(0).replaceAll('+', '-').replaceAll('/', '_')}`);
  await large.locator('div.tree a.box').first().waitFor({ timeout: patience });
  // The best of some runs, as other work on the machine only makes frames longer.
  const scroll = () => large.evaluate(async () => {
    const frame = document.querySelector('div.tree');
    frame.scrollIntoView();
    frame.scrollTop = 0;
    frame.scrollLeft = frame.scrollWidth; // where the leaves are
    const times = [];
    let most = 0, last = performance.now();
    for (let i = 0; i < 120; i++) {
      frame.scrollTop += 60;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      times.push(now - last);
      last = now;
      most = Math.max(most, frame.querySelectorAll('a.box').length);
    }
    times.sort((a, b) => a - b);
    return { boxes: most, median: times[60], height: frame.scrollHeight, last: frame.querySelectorAll('a.box').length };
  });
  for (let tries = 0; tries < 10 && !(seen.large?.median < 20); tries++) seen.large = await scroll();
  seen.largeSVG = await (async () => {
    const [download] = await Promise.all([large.waitForEvent('download', { timeout: patience }), large.getByRole('button', { name: 'Save as SVG' }).click()]);
    return (readFileSync(await download.path(), 'utf8').match(/<g /g) ?? []).length;
  })();
  if (shots) await large.screenshot({ path: `${shots}/explorer-large-trace.png` });
  await large.close();

  // A block, and what is not there.
  await search('3');
  await page.getByRole('heading', { name: 'Masterchain block 3' }).waitFor({ timeout: patience });
  await look('block');
  await search('no such thing at all');
  await page.getByText('Nothing found.').waitFor({ timeout: patience });

  await page.goto(`${base}/explorer/tx/${'A'.repeat(43)}=`);
  await page.getByRole('heading', { name: 'Transaction not found' }).waitFor({ timeout: patience });
  await look('absent');

  // A phone.
  await page.setViewportSize({ width: 390, height: 800 });
  for (const [name, path] of [['phone', ''], ['phone-account', `/account/${big.root.account.address}`], ['phone-collection', `/account/${item.collection.account.address}`]]) {
    await page.goto(`${base}/explorer${path}`);
    await page.locator('main .rows > li, main .cards > li').first().waitFor({ timeout: patience });
    await look(name);
  }
} catch (e) { // with what the pages show
  for (const page of browser.contexts().flatMap((c) => c.pages())) console.error(page.url(), (await page.locator('body').innerText().catch(() => '')).slice(0, 3000));
  console.error(seen.console, seen.failed);
  throw e;
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
