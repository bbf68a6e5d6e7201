// Opens filled pages from disk in Chromium for tests that need no more than that; nothing may be complained about or asked of the network.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { fillTemplate } from './sample.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const template = readFileSync(process.env.LINKWORK_PAGE_TEMPLATE ?? join(here, '../dist/page.html'), 'utf8');
const shots = process.env.LINKWORK_SHOTS;

let browser, folder, counter = 0;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkwork-page-'));
  if (shots) mkdirSync(shots, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.LINKWORK_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

export async function withFile(path, options, body) {
  const { size: [width, height] = [1400, 900], theme = 'light' } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce', acceptDownloads: true });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const complaints = [];
    page.on('console', (m) => ['error', 'warning'].includes(m.type()) && complaints.push(`console ${m.type()}: ${m.text()}`));
    page.on('pageerror', (e) => complaints.push(`exception: ${e.message}`));
    page.on('dialog', (d) => { complaints.push(`dialog: ${d.message()}`); void d.dismiss(); });
    page.on('request', (r) => !/^(file|blob|data):/.test(r.url()) && complaints.push(`request: ${r.url()}`));
    await page.goto(pathToFileURL(resolve(path)).href);
    await page.waitForFunction(() => window.linkwork?.ready === true);
    await body(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

export async function withData(data, options, body) {
  const path = join(folder, `page${counter++}.html`);
  writeFileSync(path, fillTemplate(template, data));
  await withFile(path, options, body);
}

export const shot = async (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });
