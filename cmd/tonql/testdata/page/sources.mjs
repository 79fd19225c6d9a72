// Verifies the code of two contracts in the explorer of a running tonql, in a real browser:
//   node sources.mjs BASE_URL SCREENSHOT_FOLDER FUNC_ACCOUNT FUNC_FOLDER TOLK_ACCOUNT TOLK_FOLDER
// Prints one JSON object with what it saw.
import { chromium } from 'playwright-core';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [base, shots, funcAccount, funcFolder, tolkAccount, tolkFolder] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const patience = 120000; // ms; a machine that runs other tests is slow
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
const seen = { outside: [], console: [], axe: [], overflow: [], scripts: [] };
try {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.setDefaultTimeout(patience);
  const home = new URL(base).host;
  page.on('request', (r) => {
    const url = new URL(r.url());
    if (/^(http|ws)s?:$/.test(url.protocol) && url.host !== home) seen.outside.push(r.url());
    if (/verify\.js|compile\.js|compilers\//.test(url.pathname)) seen.scripts.push(url.pathname);
  });
  const noisy = (m) => { if (m.type() === 'error') seen.console.push(`${m.text()} ${m.location().url}`); };
  page.on('console', noisy);
  page.on('pageerror', (e) => seen.console.push(String(e)));
  const look = async (name) => {
    await page.evaluate(axe);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      seen.axe.push(...violations.map((v) => `${name} ${colorScheme}: ${v.id} ${v.nodes[0]?.html}`));
    }
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) seen.overflow.push(`${name}: ${over} px at ${width}`);
      if (shots) await page.screenshot({ path: `${shots}/sources-${name}-${width}.png`, fullPage: true });
    }
  };
  const open = (title) => page.locator('summary', { hasText: title }).click();
  const form = page.locator('form.call', { has: page.getByRole('button', { name: 'Compile and compare' }) });
  const file = (folder, name, change = (text) => text) => ({ name: name.split('/').pop(), mimeType: 'text/plain', buffer: Buffer.from(change(readFileSync(join(folder, name), 'utf8'))) });
  const result = async () => {
    await form.getByRole('button', { name: 'Compile and compare' }).click();
    await form.locator('.callout').first().waitFor({ timeout: patience });
    return form.locator('[aria-live]').innerText();
  };

  // The record of the registry, and the files that it names.
  await page.goto(`${base}/explorer/account/${funcAccount}/contract`);
  await open('Verified sources');
  await page.locator('.badge.ok', { hasText: 'verifier.ton.org' }).waitFor({ timeout: patience });
  seen.early = seen.scripts.length;
  await open('Show the files');
  await page.locator('.files summary').first().waitFor({ timeout: patience });
  seen.files = await page.locator('.files summary').allInnerTexts();
  await page.locator('.files summary').first().click();
  seen.text = await page.locator('.files pre').first().innerText();

  // Compiled from the registry, then with a change, then with a mistake.
  await open('Verify with sources');
  await form.waitFor({ timeout: patience });
  seen.compilers = await form.locator('option').allInnerTexts();
  await form.getByRole('button', { name: 'Take those of the registry' }).click();
  await form.locator('.files li').nth(1).waitFor({ timeout: patience });
  seen.chosen = await form.locator('option:checked').innerText();
  seen.remark = await form.locator('.callout').count();
  seen.fetched = await result();
  await look('same');
  const choose = async (files) => form.getByLabel('Files', { exact: true }).setInputFiles(files).then(() => form.locator('.files li').nth(files.length - 1).waitFor({ timeout: patience }));
  const clear = async () => { while (await form.locator('.files li').count() > 0) await form.getByRole('button', { name: /^Remove/ }).first().click(); };
  const place = async (name, path) => {
    const inputs = form.locator('.files .field input');
    for (let i = 0; i < await inputs.count(); i++) if (await inputs.nth(i).inputValue() === name) await inputs.nth(i).fill(path);
  };
  await clear();
  await choose([file(funcFolder, 'registry.fc', (t) => t.replace('impure {\n}', 'impure {\n  accept_message();\n}')), file(funcFolder, 'imports/stdlib.fc')]);
  await place('stdlib.fc', 'imports/stdlib.fc');
  seen.changed = await result();
  await clear();
  await choose([file(funcFolder, 'registry.fc', (t) => t.replace('accept_message();', 'accept_massage();')), file(funcFolder, 'imports/stdlib.fc')]);
  await place('stdlib.fc', 'imports/stdlib.fc');
  seen.mistake = await result();
  await look('mistake');
  await clear();
  await form.getByLabel('Files', { exact: true }).setInputFiles([{ name: 'registry.fc', mimeType: 'text/plain', buffer: Buffer.from([0xff, 0xfe, 0x00]) }]);
  await form.locator('.callout').waitFor({ timeout: patience });
  seen.notText = await form.locator('.callout').innerText();
  await choose([file(funcFolder, 'registry.fc')]);
  await form.locator('.files .field input').fill('../registry.fc');
  seen.badName = await result();

  // Tolk, with imports.
  await page.goto(`${base}/explorer/account/${tolkAccount}/contract`);
  await open('Verify with sources');
  await form.waitFor({ timeout: patience });
  const tolkFiles = ['jetton-minter.tolk', 'jetton-messages.tolk', 'jetton-sharing.tolk'];
  await choose(tolkFiles.map((name) => file(tolkFolder, name)));
  seen.tolkChosen = await form.locator('.files li', { has: page.locator('input:checked') }).locator('.field input').inputValue();
  seen.tolk = await result();
  await clear();
  await choose(tolkFiles.map((name) => file(tolkFolder, name, (t) => t.replace('storage.totalSupply -= msg.amount', 'storage.totalSupply += msg.amount'))));
  seen.tolkChanged = await result();
  await look('tolk');

  // The worker may compile WebAssembly and send nothing; the page may not compile it.
  const wasm = '0061736d01000000';
  page.off('console', noisy);
  const compiles = (hex) => WebAssembly.compile(Uint8Array.from(hex.match(/../g), (b) => parseInt(b, 16))).then(() => 'compiled', (e) => e.name);
  seen.pageWasm = await page.evaluate(compiles, wasm);
  const [worker] = await Promise.all([page.waitForEvent('worker'), page.evaluate(() => { window.worker = new Worker('/explorer/compile.js'); })]);
  seen.workerWasm = await worker.evaluate(compiles, wasm);
  seen.workerFetch = await worker.evaluate(() => fetch('/api/v3/masterchainInfo').then((r) => `${r.status}`, (e) => e.name));
  seen.workerOther = await worker.evaluate(() => { try { importScripts('https://example.com/x.js'); return 'loaded'; } catch (e) { return e.name; } });

  // A compiler that does not come ends after its time.
  await page.context().route('**/explorer/compilers/**', () => {});
  await page.clock.install();
  await page.goto(`${base}/explorer/account/${tolkAccount}/contract`);
  await open('Verify with sources');
  await form.waitFor({ timeout: patience });
  await choose([file(tolkFolder, 'jetton-minter.tolk')]);
  await form.getByRole('button', { name: 'Compile and compare' }).click();
  await form.getByRole('button', { name: 'Stop' }).waitFor({ timeout: patience });
  await page.clock.fastForward(121_000);
  await form.locator('.callout').waitFor({ timeout: patience });
  seen.timeout = await form.locator('[aria-live]').innerText();
  for (let i = 0; i < 100 && page.workers().length > 0; i++) await new Promise((r) => setTimeout(r, 100)); // the browser reports their end later
  seen.workers = page.workers().length;
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
