// What tests of the page share: a browser, pages made from data, and looks at what is drawn.
//   LINKWORK_PAGE_TEMPLATE  the template to test (default: dist/page.html)
//   LINKWORK_CHROMIUM       the browser (default: /usr/bin/chromium)
//   LINKWORK_SHOTS          a folder for screenshots, if wanted
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { decode, fillTemplate } from './sample.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const template = readFileSync(process.env.LINKWORK_PAGE_TEMPLATE ?? join(here, '../dist/page.html'), 'utf8');
const shots = process.env.LINKWORK_SHOTS;

let browser;
/** For files of one test program. */
export let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkwork-page-'));
  if (shots) mkdirSync(shots, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.LINKWORK_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a file and runs `body(page)`; afterwards nothing may have been complained about or asked of the network. */
export async function withFile(path, options, body) {
  const { size: [width, height] = [1440, 900], theme = 'light', motion = 'reduce', fragment = '' } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: motion, acceptDownloads: true });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const complaints = [];
    page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !/GPU stall due to ReadPixels/.test(m.text()) && complaints.push(`console ${m.type()}: ${m.text()}`));
    page.on('pageerror', (e) => complaints.push(`exception: ${e.message}`));
    page.on('dialog', (d) => { complaints.push(`dialog: ${d.message()}`); void d.dismiss(); });
    page.on('request', (r) => !/^(file|blob|data):/.test(r.url()) && complaints.push(`request: ${r.url()}`));
    await page.goto(pathToFileURL(resolve(path)).href + fragment, { timeout: 60_000 });
    await page.waitForFunction(() => window.linkwork?.ready === true || document.querySelector('.nothing') !== null);
    await body(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

let counter = 0;
export async function withData(data, options, body) {
  const path = join(folder, `page${counter++}.html`);
  writeFileSync(path, fillTemplate(template, data));
  await withFile(path, options, body);
}

export const seriesOf = (data, name) => decode(data.series.find((s) => s.name === name).values);
export const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
export const shot = async (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });

/** Moves the slider as a hand does: its value, then an input event. */
export async function slideTo(page, t) {
  await page.evaluate((value) => {
    const slider = document.querySelector('input.time');
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, t);
}

/** Number of pixels of the drawing that differ from the paper's colour at the corner. */
export const inkedPixels = (page) => page.evaluate(() => {
  const canvas = document.querySelector('.drawing canvas');
  const copy = document.createElement('canvas');  // of a canvas in the plane or in space
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const ctx = copy.getContext('2d', { willReadFrequently: true });
  ctx.drawImage(canvas, 0, 0);
  const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - data[0]) + Math.abs(data[i + 1] - data[1]) + Math.abs(data[i + 2] - data[2]) > 60) count++;
  return count;
});

/** How many pixels of the drawing have a colour of the page's style, such as "force", within `radius` of each of these points of the window. */
const colouredAt = (page, name, points, radius) => page.evaluate(([colour, places, r]) => {
  const canvas = document.querySelector('.drawing canvas'), box = canvas.getBoundingClientRect(), scale = canvas.width / box.width;
  const wanted = getComputedStyle(document.documentElement).getPropertyValue(`--${colour}`).trim().match(/[\da-f]{2}/gi).map((v) => parseInt(v, 16));
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const ctx = copy.getContext('2d', { willReadFrequently: true });
  ctx.drawImage(canvas, 0, 0);
  const { data, width, height } = ctx.getImageData(0, 0, canvas.width, canvas.height);
  return places.map(([px, py]) => {
    const [x0, y0] = [Math.round((px - box.left - r) * scale), Math.round((py - box.top - r) * scale)], size = Math.max(1, Math.round(2 * r * scale));
    let count = 0;
    for (let y = Math.max(0, y0); y < Math.min(height, y0 + size); y++) {
      for (let x = Math.max(0, x0); x < Math.min(width, x0 + size); x++) if (wanted.every((v, k) => Math.abs(v - data[4 * (y * width + x) + k]) < 40)) count++;
    }
    return count;
  });
}, [name, points, radius]);
export const colouredNear = async (page, name, point, radius) => (await colouredAt(page, name, [point], radius))[0];

/** The share of points, spread along a path of the window, at which the drawing has that colour. */
export async function colouredAlong(page, name, path, points = 60) {
  const counts = await colouredAt(page, name, Array.from({ length: points }, (_, i) => path((i + 0.5) / points)), 1);
  return counts.filter((n) => n > 0).length / points;
}

/** Texts whose contrast with what is behind them is below 4.5. */
export const poorContrast = (page) => page.evaluate(() => {
  const numbers = (c) => c.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const paperOf = (e) => {
    for (; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !e.getClientRects().length || e.closest(':disabled, option')) continue;
    const style = getComputedStyle(e), [a, b] = [luminance(numbers(e instanceof SVGElement ? style.fill : style.color)), luminance(paperOf(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.add(`${e.tagName}.${e.getAttribute('class')} "${e.textContent.slice(0, 20)}" ${ratio.toFixed(2)}`);
  }
  return [...found];
});

/** Looks at a tab in light and in dark colours; T changes them. */
export async function checkContrast(page, tabs) {
  for (const theme of ['light', 'dark']) {
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    await page.waitForTimeout(250);  // colours change over a moment
    for (const id of tabs) {
      await page.click(`#tab-${id}`);
      await page.mouse.move(0, 0);
      await page.waitForTimeout(150);
      assert.deepEqual(await poorContrast(page), [], `${theme} ${id}`);
    }
    await page.click('h1');
    await page.keyboard.press('t');
  }
}

/** Controls that a screen reader has no name for. */
export async function namelessControls(page) {
  const cdp = await page.context().newCDPSession(page), { nodes } = await cdp.send('Accessibility.getFullAXTree');
  const roles = ['button', 'combobox', 'listbox', 'slider', 'checkbox', 'radio', 'textbox', 'searchbox', 'tab', 'link', 'DisclosureTriangle'];
  const controls = nodes.filter((n) => !n.ignored && roles.includes(n.role?.value));
  await cdp.detach();
  assert.ok(controls.length > 5, `${controls.length} controls`);
  return controls.filter((n) => !n.name?.value?.trim()).map((n) => `${n.role.value}: ${JSON.stringify(n.properties ?? [])}`);
}

/** Parts that must not cover each other, and what sticks out of the window. */
export async function layoutFaults(page) {
  return page.evaluate(() => {
    const faults = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) faults.push(`page is ${document.documentElement.scrollWidth} wide in ${width}`);
    const rect = (e) => e.getBoundingClientRect();
    for (const e of document.querySelectorAll('button, select, input, h1, h2, .legend, .plot')) {
      const r = rect(e);
      if (!r.width || e.closest('.scroll-x, .tablist, .code')) continue;
      if (r.left < -0.5 || r.right > width + 0.5) faults.push(`${e.tagName}.${e.className} from ${r.left} to ${r.right}`);
    }
    const groups = [['.what', '.lamps', '.theme-toggle'], ['.scene', '.side'], ['.controls', '.time', '.readout'], ['.scene-controls .parts', '.toggles'], ['.top', 'main']];
    if (innerWidth > 820) groups.push(['.top', 'main', '.timebar']);
    for (const group of groups) {
      const boxes = group.map((s) => document.querySelector(s)).filter(Boolean).map((e) => [e.className || e.tagName, rect(e)]);
      boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
        if (p.left < q.right - 0.5 && q.left < p.right - 0.5 && p.top < q.bottom - 0.5 && q.top < p.bottom - 0.5) faults.push(`${a} and ${b} overlap`);
      }));
    }
    const names = window.linkwork.names();
    names.forEach((p, i) => names.slice(i + 1).forEach((q) => {
      if (p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom) faults.push(`the names ${p.text} and ${q.text} in the drawing overlap`);
    }));
    if (innerWidth > 820 && document.documentElement.scrollHeight > innerHeight) faults.push('the page scrolls on a laptop');
    const bar = document.querySelector('.timebar');  // pages without motion have none
    if (bar && rect(bar).bottom > innerHeight + 0.5) faults.push('the time bar is out of sight');
    return faults;
  });
}

/** Columns of a CSV by their heading. */
export function readCsv(text) {
  const split = (line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => (m[1] !== undefined ? m[1].replace(/""/g, '"') : m[2]));
  const [head, ...rows] = text.split(/\r?\n/).filter((l) => l && !l.startsWith('#'));
  const cells = rows.map(split);
  return new Map(split(head).map((name, i) => [name, cells.map((row) => Number(row[i]))]));
}

/** What the drawing says about a point of the ground's axes. */
export async function tipAt(page, ...point) {
  const [x, y] = await page.evaluate((p) => window.linkwork.screen(...p), point);
  await page.mouse.move(x + 40, y + 40);
  await page.mouse.move(x, y);
  await frames(page);
  return page.evaluate(() => {
    const tip = [...document.querySelectorAll('.drawing .tip')].find((e) => !e.hidden && e.offsetParent);
    return tip?.textContent ?? '';
  });
}
