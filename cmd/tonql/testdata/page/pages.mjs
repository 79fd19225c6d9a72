// Opens every page of pages.json on a running tonql in a real browser:
//   node pages.mjs BASE_URL SCREENSHOT_FOLDER OBJECTS SIGN_IN_LINK [--paint] [PATTERN_OF_NAMES]
// OBJECTS are objects of the index by name, as JSON, which paths name in braces. Prints one JSON object with what it saw of each page;
// with --paint also the time until its first paint, which needs a machine that does nothing else.
//
// A page is a row of the table: name, path, and ready, a selector of what a reader came for. open is clicked before a page is looked
// at, and as names who is signed in. kilobytes and requests are limits other than the usual ones, and ignored are rules of axe with
// the element whose parts cannot be changed from outside; because says why.
import { chromium } from 'playwright-core';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [base, shots, objects, link, ...rest] = process.argv.slice(2);
const timed = rest[0] === '--paint', [only = ''] = timed ? rest.slice(1) : rest;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const known = JSON.parse(objects);
const rows = JSON.parse(readFileSync(new URL('pages.json', import.meta.url), 'utf8')).filter(({ name }) => RegExp(only).test(name));
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const patience = 120000; // ms; a machine that runs other tests is slow
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
const dresses = [
  { name: 'desktop-light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'desktop-dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
];
const maxShot = 6000; // px, the height of a picture
const tries = 6; // of a measurement of time: the machine may be busy with something else
const fast = { 1: 300, 4: 1500 }; // ms until the first paint, by how much slower the processor is
const plain = { name: 'plain', path: '/healthz', ready: 'body' }; // the smallest page: what the machine itself takes

const pathOf = (row) => row.path.replace(/\{(\w+)\}/g, (_, name) => {
  if (!known[name]) throw new Error(`${row.name}: no ${name} in the index`);
  return encodeURIComponent(known[name]);
});

// A reader who is signed in has a cookie; the link works once.
let state;
if (link) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/dashboard\/(account|payments)/);
  state = await context.storageState();
  await context.close();
}
async function newContext(row, options = {}) {
  const context = await browser.newContext({ ...options, ...(row.as && { storageState: state }) });
  context.setDefaultTimeout(patience);
  return context;
}

// paint opens a page with an empty cache and returns the time until its first paint in ms.
async function paint(row, slower) {
  const context = await newContext(row, { viewport: dresses[0].viewport });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.goto(base + pathOf(row), { waitUntil: 'commit' });
    const painted = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    for (let i = 0; i < 200 && (await painted()) === undefined; i++) await page.waitForTimeout(50);
    return await painted();
  } finally {
    await context.close();
  }
}

// quickest returns the least of several times until the first paint, until one is within the limit.
async function quickest(row, slower) {
  let least = Infinity;
  for (let i = 0; i < tries && least > fast[slower]; i++) {
    const took = await paint(row, slower);
    least = Math.min(least, took);
    if (least <= fast[slower]) break;
    // Of a machine that takes long for the smallest page, only what this page takes longer counts.
    const machine = await paint(plain, slower);
    if (machine > fast[slower] / 4) least = Math.min(least, Math.max(0, took - machine) + fast[slower] / 4);
  }
  return least;
}

// count counts the requests of a page and their bytes, until stopped. Images of tokens are counted by nobody: what is in sight decides.
async function count(context, page) {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const kinds = new Map();
  const seen = { requests: [], bytes: 0, stop: () => session.detach() };
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (!/^https?:/.test(request.url)) return;
    kinds.set(requestId, type);
    if (type !== 'Image') seen.requests.push(`${request.method} ${request.url.replace(base, '')}`);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (kinds.has(requestId) && kinds.get(requestId) !== 'Image') seen.bytes += encodedDataLength;
  });
  return seen;
}

// look fills in what is seen of a page.
async function look(row, result) {
  if (timed) for (const slower of [1, 4]) result.paint[slower] = await quickest(row, slower);

  const context = await newContext(row, { viewport: dresses[0].viewport });
  const page = await context.newPage();
  const counted = await count(context, page);
  page.on('request', (r) => { if (/^(http|ws)s?:/.test(r.url()) && !r.url().startsWith(base) && !r.url().startsWith(base.replace('http', 'ws'))) result.outside.push(r.url()); });
  page.on('console', (m) => { if (m.type() === 'error') result.console.push(`${m.text()} ${m.location().url}`); });
  page.on('pageerror', (e) => result.console.push(String(e)));
  await page.goto(base + pathOf(row));
  await page.locator(row.ready).first().waitFor({ timeout: patience }).catch(async (e) => {
    throw new Error(`${e}: the page has ${await page.locator('main').innerText({ timeout: 1000 }).catch(String)}`);
  });
  result.shift = await page.evaluate(() => new Promise((resolve) => {
    let sum = 0;
    // Rows that arrive in a live list move the rows below them, which is no fault of the page.
    const isRow = ({ node }) => (node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement)?.closest('main li') != null;
    const counts = (e) => !e.hadRecentInput && !(e.sources.length > 0 && e.sources.every(isRow));
    new PerformanceObserver((list) => { for (const e of list.getEntries()) if (counts(e)) sum += e.value; }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 200);
  }));
  await counted.stop();
  result.requests = counted.requests;
  result.kilobytes = Math.round(counted.bytes / 102.4) / 10;
  if (row.open) await page.locator(row.open).first().click();
  result.network = await page.locator('header, main').first().innerText();
  await page.evaluate(axe);
  for (const dress of dresses) {
    await page.emulateMedia({ colorScheme: dress.colorScheme });
    await page.setViewportSize(dress.viewport);
    // All rules in one dress of each size; of the others only what depends on colors.
    const options = dress.name.match(/desktop-light|phone-dark/) ? {} : { runOnly: ['color-contrast'] };
    const { violations } = await page.evaluate((o) => window.axe.run(document, { ...o, resultTypes: ['violations'] }), options);
    for (const v of violations) {
      const within = row.ignored?.[v.id];
      for (const node of v.nodes) {
        const theirs = within && await page.evaluate(([at, selector]) => document.querySelector(at)?.closest(selector) != null, [node.target.at(-1), within]).catch(() => false);
        if (!theirs) result.axe.push(`${dress.name}: ${v.id} ${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`);
      }
    }
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) result.overflow.push(`${dress.name}: ${over} px`);
    if (shots) {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.screenshot({ path: `${shots}/page-${row.name}-${dress.name}.png`, fullPage: true, clip: { x: 0, y: 0, width: dress.viewport.width, height: Math.min(height, maxShot) } });
    }
  }
  await context.close();
}

const results = [];
try {
  for (const row of rows) {
    const result = { name: row.name, failed: [], outside: [], console: [], axe: [], overflow: [], network: '', paint: {}, kilobytes: 0, requests: [], shift: 0, limits: { kilobytes: row.kilobytes ?? 150, requests: row.requests ?? 5 } };
    results.push(result);
    await look(row, result).catch((e) => result.failed.push(String(e)));
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(results));
