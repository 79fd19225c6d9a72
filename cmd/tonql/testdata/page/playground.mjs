// Opens the pages of a running tonql in a real browser and fails on anything a person would complain of:
//   node playground.mjs BASE_URL SCREENSHOT_FOLDER
// Prints one JSON object with what it saw.
import { chromium } from 'playwright-core';
import { existsSync } from 'node:fs';

const [base, shots] = process.argv.slice(2);
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const patience = 120000; // ms; a machine that runs other tests is slow
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
const seen = { outside: [], console: [], failed: [] };
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(patience);
  const home = new URL(base).host;
  page.on('request', (r) => {
    const url = new URL(r.url());
    if (/^(http|ws)s?:$/.test(url.protocol) && url.host !== home) seen.outside.push(r.url());
  });
  page.on('console', (m) => { if (m.type() === 'error') seen.console.push(`${m.text()} ${m.location().url}`); });
  page.on('pageerror', (e) => seen.console.push(String(e)));
  page.on('response', (r) => { if (r.status() >= 400) seen.failed.push(`${r.status()} ${r.url()}`); });

  await page.goto(base);
  seen.landing = await page.title();
  seen.links = await page.$$eval('a[href]', (as) => as.map((a) => a.getAttribute('href')));
  if (shots) await page.screenshot({ path: `${shots}/landing.png` });

  await page.goto(`${base}/playground`);
  const run = page.locator('.graphiql-execute-button');
  await run.waitFor({ timeout: patience });
  await run.click();
  const result = page.locator('.result-window');
  await result.getByText('"hash"').first().waitFor({ timeout: patience });
  seen.result = (await result.innerText()).slice(0, 4000);

  // The documentation explorer needs introspection to work.
  await page.getByLabel('Show Documentation Explorer').click();
  await page.getByRole('link', { name: 'AccountConnection' }).waitFor({ timeout: patience });
  if (shots) await page.screenshot({ path: `${shots}/playground.png` });

  // A subscription from the shelf: one event after the other, until it is stopped.
  await page.getByLabel('Examples').selectOption({ label: 'Live: transactions' });
  await run.waitFor();
  await run.click();
  seen.events = [];
  for (const late = Date.now() + 60000; seen.events.length < 3 && Date.now() < late; await page.waitForTimeout(50)) {
    const cursor = (await result.innerText()).match(/"cursor": "([^"]+)"/)?.[1];
    if (cursor && !seen.events.includes(cursor)) seen.events.push(cursor);
  }
  seen.event = (await result.innerText()).slice(0, 4000);
  if (shots) await page.screenshot({ path: `${shots}/playground-subscription.png` });
  await run.click(); // stops it
  await page.waitForTimeout(500);
  const stopped = await result.innerText();
  await page.waitForTimeout(3000);
  seen.stopped = (await result.innerText()) === stopped;

  // Each root field has an example with values of this service. What was sent is in the history; headers can be set.
  seen.examples = await page.locator('#examples option').allInnerTexts();
  await page.getByLabel('Examples').selectOption('Query.jettonMaster');
  await page.waitForURL(/jettonMaster/);
  await run.click();
  await result.getByText('"totalSupply"').first().waitFor({ timeout: patience });
  seen.example = await result.innerText();
  await page.getByRole('button', { name: 'Headers' }).click();
  await page.getByLabel('Show History').click();
  await page.locator('.graphiql-history-items').getByText('JettonMaster').first().waitFor({ timeout: patience });
  if (shots) await page.screenshot({ path: `${shots}/playground-example.png` });

  // On a phone: a link opens its query, which runs; nothing is wider than the screen.
  const shared = page.url();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(shared);
  await run.click({ timeout: patience });
  await result.getByText('"totalSupply"').first().waitFor({ timeout: patience });
  seen.phone = await page.evaluate(() => {
    const box = (s) => document.querySelector(s).getBoundingClientRect();
    const editor = box('.graphiql-query-editor'), response = box('.graphiql-response');
    return [document.documentElement.scrollWidth - innerWidth, editor.width, response.width, response.top - editor.bottom];
  });
  if (shots) await page.screenshot({ path: `${shots}/playground-phone.png` });
  await page.setViewportSize({ width: 1280, height: 900 });

} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
