// Looks at the images and badges of tokens in the explorer of a running tonql, in a real browser:
//   node pictures.mjs BASE_URL SCREENSHOT_FOLDER JETTON SCAM ITEM
// Prints one JSON object with what it saw.
import { chromium } from 'playwright-core';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [base, shots, jetton, scam, item] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const patience = 120000; // ms; a machine that runs other tests is slow
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
const seen = { outside: [], console: [], axe: [] };
try {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.setDefaultTimeout(patience);
  const home = new URL(base).host;
  page.on('request', (r) => {
    const url = new URL(r.url());
    if (/^(http|ws)s?:$/.test(url.protocol) && url.host !== home) seen.outside.push(r.url());
  });
  page.on('console', (m) => { if (m.type() === 'error') seen.console.push(`${m.text()} ${m.location().url}`); });
  page.on('pageerror', (e) => seen.console.push(String(e)));
  const look = async (name) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    seen.axe.push(...violations.map((v) => `${name}: ${v.id} ${v.nodes[0]?.html}`));
    if (shots) await page.screenshot({ path: `${shots}/pictures-${name}.png` });
  };
  // The image has pixels, and its size is the one that the page wants.
  const drawn = async (where) => {
    const image = where.locator('img.picture').first();
    await image.waitFor({ timeout: patience });
    await image.scrollIntoViewIfNeeded();
    await image.evaluate((i) => i.decode());
    return image.evaluate((i) => [i.naturalWidth, i.naturalHeight, new URL(i.src).pathname]);
  };
  await page.goto(`${base}/explorer/account/${jetton}`);
  seen.jetton = await drawn(page.locator('.account'));
  seen.badge = await page.locator('.account .badge').first().innerText();
  // What the balance is worth, by the prices of the operator's file.
  await page.locator('.account .worth').waitFor({ timeout: patience });
  seen.worth = [await page.locator('.account .balance .money').first().getAttribute('title'), await page.locator('.account .worth').innerText(), await page.locator('.account .worth').getAttribute('title')];
  await look('jetton');

  // The code and the data of the contract, as files.
  await page.goto(`${base}/explorer/account/${jetton}/contract`);
  seen.files = [];
  for (const part of ['code', 'data']) {
    const saved = page.waitForEvent('download', { timeout: patience });
    await page.getByRole('button', { name: `Download ${part} as BoC` }).click();
    const file = await saved;
    seen.files.push([file.suggestedFilename(), readFileSync(await file.path()).toString('hex')]);
  }
  await look('contract');

  await page.goto(`${base}/explorer/account/${scam}`);
  await page.locator('.account .badge').first().waitFor({ timeout: patience });
  seen.scam = await page.locator('.account .badge').first().innerText();
  seen.scamImages = await page.locator('.account img').count();

  await page.goto(`${base}/explorer/account/${item}`);
  const show = page.locator('.account').getByRole('button', { name: 'Show', exact: true });
  await show.waitFor({ timeout: patience });
  seen.unknown = await page.locator('.account .badge').first().innerText();
  seen.covered = await page.locator('.account img').count();
  await look('covered');
  await show.click();
  seen.revealed = await drawn(page.locator('.account'));
  await look('revealed');
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
