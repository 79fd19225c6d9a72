// The browser of the tests of pages, and the checks that every page has to pass.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export function launch() {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
}

// inspect returns the violations that axe finds on a page, light and dark, on a desk and on a phone. The page may not be wider than its
// window. Screenshots go to the folder shots, if there is one.
export async function inspect(page, name, shots) {
  const found = [];
  for (const scheme of ['light', 'dark']) {
    for (const [size, viewport] of [['desk', { width: 1280, height: 900 }], ['phone', { width: 375, height: 800 }]]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize(viewport);
      if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(axeSource);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      for (const v of violations) found.push(`${name} ${scheme} ${size}: ${v.id} at ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 1, `${name} is ${wide} px wider than a ${size}`);
      if (shots) await page.screenshot({ path: `${shots}/${name}-${scheme}-${size}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}
