// Sends the example of every operation from the pages of the APIs of a running tonql, in a real browser:
//   node reference.mjs BASE_URL
// Prints one JSON object with what it saw.
import { chromium } from 'playwright-core';
import { existsSync } from 'node:fs';

const [base] = process.argv.slice(2);
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const patience = 120000; // ms; a machine that runs other tests is slow
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
const seen = { statuses: {}, missing: [], console: [], undescribed: [] };
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.on('console', (m) => { if (m.type() === 'error' && !/status of (4|5)\d\d/.test(m.text())) seen.console.push(`${m.text()} ${m.location().url}`); });
  page.on('pageerror', (e) => seen.console.push(String(e)));
  for (const api of ['v2', 'v3', 'merchant/v1']) {
    await page.goto(`${base}/api/${api}/`);
    const ops = page.locator('.op[data-path]');
    await ops.first().waitFor();
    // Each operation is sent as it stands, by its button.
    const list = await ops.evaluateAll((elements) => elements.map((e) => ({ method: e.dataset.method, path: e.dataset.path, id: e.querySelector('.inside').id })));
    for (const { method, path, id } of list) {
      const inside = page.locator(`[id="${id}"]`);
      await page.evaluate((at) => { document.getElementById(at).closest('details').open = true; }, id);
      if (await inside.getByText('The index has no object').count() > 0) seen.missing.push(`${method} ${path}`);
      seen.undescribed.push(...await inside.locator('.parameter').evaluateAll((all) => all.filter((p) => p.querySelector('p').innerText.trim() === '').map((p) => p.innerText)));
      await inside.locator('.send').click();
      await inside.locator('.status').filter({ hasText: /\S/ }).waitFor({ timeout: patience });
      seen.statuses[`${method} ${path}`] = Number.parseInt(await inside.locator('.status').innerText(), 10);
    }
  }

  // A link to an operation opens it; a request has what the reader sets, the key included, and nothing else.
  await page.goto(`${base}/api/v3/#get-blocks`);
  const blocks = page.locator('#get-blocks');
  await blocks.locator('.send').waitFor({ state: 'visible' });
  seen.example = await blocks.locator('.example').innerText();
  await page.getByLabel('API key').fill('a reader\'s key');
  await blocks.getByLabel('mc_seqno').fill('');
  await blocks.getByLabel('limit').fill('2');
  seen.command = await blocks.locator('.command').innerText();
  const [request] = await Promise.all([page.waitForRequest(/v3\/blocks/), blocks.locator('.send').click()]);
  seen.sent = request.url().replace(base, '');
  seen.key = request.headers()['x-api-key'];
  await blocks.locator('.status').filter({ hasText: /\S/ }).waitFor();
  seen.refused = await blocks.locator('.content').innerText();
  await page.reload();
  seen.retained = await page.getByLabel('API key').inputValue();
  await page.getByLabel('API key').fill('');

  // A large number of a response stays as it is.
  await page.route('**/api/v3/blocks*', (route) => route.fulfill({ contentType: 'application/json', body: '{"lt":18446744073709551615,"empty":[],"text":"a\\"{,"}' }));
  await page.evaluate(() => { document.getElementById('get-blocks').closest('details').open = true; });
  await blocks.locator('.send').click();
  await blocks.getByText('18446744073709551615').waitFor();
  seen.printed = await blocks.locator('.content').innerText();

  // The filter, and a copy where browsers offer no clipboard.
  await page.getByLabel('Filter').fill('jetton burns');
  seen.filtered = await page.locator('.op:visible').evaluateAll((elements) => elements.map((e) => e.dataset.path));
  await page.getByLabel('Filter').fill('no such thing');
  await page.getByText('No operation matches the filter.').waitFor();
  await page.getByLabel('Filter').fill('');
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    document.addEventListener('copy', () => { window.copied = document.activeElement.value; });
  });
  await blocks.getByRole('button', { name: 'Copy the command' }).click();
  await blocks.getByRole('button', { name: 'Copied' }).waitFor();
  seen.copied = await page.evaluate(() => window.copied);

  // The way back, and the other pages.
  await page.getByRole('link', { name: 'REST v2' }).click();
  await page.waitForURL(`${base}/api/v2/`);
  await page.getByRole('link', { name: 'tonql', exact: true }).click();
  await page.waitForURL(`${base}/`);

  // Without scripts the page is complete, and its examples are links.
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`${base}/api/v3/`);
  await plain.locator('.op summary').first().click();
  const href = await plain.locator('.example a').first().getAttribute('href');
  seen.plain = (await (await fetch(base + href)).json()).last !== undefined;
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
