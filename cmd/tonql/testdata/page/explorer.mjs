// Uses the explorer of a running tonql as a person would, in a real browser:
//   node explorer.mjs BASE_URL SCREENSHOT_FOLDER
// Prints one JSON object with what it saw.
import { chromium } from 'playwright-core';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [base, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
const seen = { outside: [], console: [], failed: [], axe: [] };

async function ask(query, variables = {}) {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query, variables }),
  });
  const answer = await response.json();
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return answer.data;
}

try {
  // axe is put in past the page's policy, which forbids foreign scripts; the page itself runs under it.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const home = new URL(base).host;
  page.on('request', (r) => {
    const url = new URL(r.url());
    if (/^(http|ws)s?:$/.test(url.protocol) && url.host !== home) seen.outside.push(r.url());
  });
  page.on('console', (m) => { if (m.type() === 'error') seen.console.push(m.text()); });
  page.on('pageerror', (e) => seen.console.push(String(e)));
  page.on('response', (r) => { if (r.status() >= 400) seen.failed.push(`${r.status()} ${r.url()}`); });

  const look = async (name) => {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      seen.axe.push(...violations.map((v) => `${name} ${colorScheme}: ${v.id} ${v.nodes[0]?.html}`));
      await page.screenshot({ path: `${shots}/explorer-${name}-${colorScheme}.png` });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  };
  const search = async (text) => {
    await page.getByLabel('Search').fill(text);
    await page.keyboard.press('Enter');
  };

  await page.goto(`${base}/explorer`);
  const newest = page.locator('#latest-blocks + ul li a').first();
  await newest.waitFor({ timeout: 20000 });
  const before = await newest.innerText();
  await page.waitForFunction((was) => document.querySelector('#latest-blocks + ul li a')?.innerText !== was, before, { timeout: 20000 });
  seen.moved = [before, await newest.innerText()];
  await page.locator('#latest-actions + ul li').first().waitFor({ timeout: 20000 });
  await look('home');

  // By hash: a transaction of a trace with several, its tree drawn.
  const { traces } = await ask('{ traces(first: 50) { nodes { transactionCount root { hash account { address } } } } }');
  const big = traces.nodes.filter((t) => t.root).sort((a, b) => b.transactionCount - a.transactionCount).find((t) => t.transactionCount <= 100);
  await search(big.root.hash);
  await page.getByRole('heading', { name: 'Transaction', exact: true }).waitFor({ timeout: 10000 });
  await page.locator('.tree rect').first().waitFor({ timeout: 10000 });
  seen.boxes = await page.locator('.tree rect').count();
  seen.transactions = big.transactionCount;
  await look('transaction');

  // The tree folds by keyboard.
  const fold = page.locator('.tree [role=button]').first();
  await fold.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction((n) => document.querySelectorAll('.tree rect').length < n, seen.boxes, { timeout: 5000 });
  seen.folded = await page.locator('.tree rect').count();

  // By address.
  await search(big.root.account.address);
  await page.getByText(big.root.account.address, { exact: true }).waitFor({ timeout: 10000 });
  seen.account = await page.locator('main').innerText();
  await look('account');

  // By name: a Jetton's.
  const { jettonMasters } = await ask('{ jettonMasters(first: 20) { nodes { account { address metadata { name } } } } }');
  const jetton = jettonMasters.nodes.find((m) => m.account.metadata?.name.length > 3);
  await search(jetton.account.metadata.name);
  const hit = page.locator('.hits a').first();
  await Promise.race([hit.waitFor({ timeout: 10000 }).then(() => hit.click()), page.getByText('Supply').waitFor({ timeout: 10000 })]);
  await page.getByText('Supply').waitFor({ timeout: 10000 });
  seen.jetton = await page.locator('h1').innerText();
  await look('jetton');

  // A block, and what is not there.
  await search('3');
  await page.getByRole('heading', { name: 'Masterchain block 3' }).waitFor({ timeout: 10000 });
  await look('block');
  await search('no such thing at all');
  await page.getByText('Nothing of that name').waitFor({ timeout: 10000 });

  // A phone.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${base}/explorer`);
  await page.locator('#latest-actions + ul li').first().waitFor({ timeout: 20000 });
  seen.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await look('phone');
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
