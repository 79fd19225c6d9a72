// Reads the documentation of a running tonql in a real browser, on a desktop and on a phone, light and dark:
//   node documentation.mjs BASE_URL SCREENSHOT_FOLDER
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
const seen = { requests: [], console: [], axe: [], overflow: [] };
const forms = [
  { name: 'desktop-light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 800 }, colorScheme: 'dark' },
];
try {
  for (const { name, ...form } of forms) {
    // axe is put in past the page's policy, which forbids scripts; the pages have none.
    const context = await browser.newContext(form);
    context.setDefaultTimeout(120000); // ms; a machine that runs other tests is slow
    const page = await context.newPage();
    const ours = (r) => new URL(r.url()).pathname.startsWith('/docs') || !r.url().startsWith(base);
    page.on('console', (m) => { if (m.type() === 'error') seen.console.push(`${m.text()} ${m.location().url}`); });
    page.on('request', (r) => { if (!r.isNavigationRequest() && !r.url().startsWith('data:') && ours(r)) seen.requests.push(r.url()); });
    const look = async (what) => {
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      seen.axe.push(...violations.map((v) => `${what} ${name}: ${v.id} ${v.nodes[0]?.html}`));
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) seen.overflow.push(`${what} ${name}: ${over} px`);
      if (shots) await page.screenshot({ path: `${shots}/docs-${what}-${name}.png` });
    };
    await page.goto(`${base}/`);
    await page.locator('a[href="/docs/"]').first().click();
    await look('contents');
    for (const path of ['quick-start', 'explorer-queries', 'proofs', 'configuration', 'network']) {
      await page.goto(`${base}/docs/${path}`);
      await look(path);
    }

    // The keyboard alone: a search, its first result, and the section that it names.
    await page.goto(`${base}/docs/`);
    await page.getByLabel('Search the documentation').focus();
    await page.keyboard.type('pgbouncer transaction');
    await page.keyboard.press('Enter');
    await page.locator('.hits a').first().waitFor();
    await look('search');
    seen.marked = await page.locator('.hits mark').first().innerText();
    await page.locator('.hits a').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('article').waitFor();
    seen.found = new URL(page.url()).pathname;

    await page.getByRole('link', { name: 'tonql', exact: true }).click();
    await page.waitForURL(`${base}/`);
    await context.close();
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
