// Opens pages of mechanisms in space in Chromium, with WebGL and without it, and checks what a person would.
// Variables as in browser.mjs.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { kLooks } from './looks.mjs';
import { decode, encode, fillTemplate, fourBar } from './sample.mjs';
import { conicalPendulum, coneTurn, kCone, rotate, spaceGallery } from './sample_space.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const template = readFileSync(process.env.LINKWORK_PAGE_TEMPLATE ?? join(here, '../dist/page.html'), 'utf8');
const shots = process.env.LINKWORK_SHOTS;
const kCommon = ['--headless', '--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const kFlags = {
  webgl: [...kCommon, '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  plain: [...kCommon, '--disable-gpu', '--disable-3d-apis'],
};
const kPatience_ms = 60_000;  // WebGL is drawn by the processor here

const browsers = {};
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkwork-space-'));
  if (shots) mkdirSync(shots, { recursive: true });
  for (const [name, args] of Object.entries(kFlags)) browsers[name] = await chromium.launch({ executablePath: process.env.LINKWORK_CHROMIUM ?? '/usr/bin/chromium', args });
});

after(async () => {
  for (const browser of Object.values(browsers)) await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

let counter = 0;
/** Opens a page from disk and runs `body(page)`; afterwards nothing may have been complained about or asked of the network. */
async function withData(data, options, body) {
  const { size: [width, height] = [1280, 800], theme = 'light', browser = 'webgl', motion = 'reduce' } = options;
  const path = join(folder, `page${counter++}.html`);
  writeFileSync(path, fillTemplate(template, data));
  const context = await browsers[browser].newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: motion });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(kPatience_ms);
    const complaints = [];
    page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !/GPU stall due to ReadPixels/.test(m.text()) && complaints.push(`console ${m.type()}: ${m.text()}`));
    page.on('pageerror', (e) => complaints.push(`exception: ${e.message}`));
    page.on('request', (r) => !/^(file|blob|data):/.test(r.url()) && complaints.push(`request: ${r.url()}`));
    await page.goto(pathToFileURL(path).href);
    await page.waitForFunction(() => window.linkwork?.ready === true);
    await body(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const shot = async (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`), timeout: kPatience_ms });
const slideTo = (page, t) => page.evaluate((value) => {
  const slider = document.querySelector('input.time');
  slider.value = String(value);
  slider.dispatchEvent(new Event('input', { bubbles: true }));
}, t);
const pose = (page, body) => page.evaluate((b) => window.linkwork.pose(b), body);
const report = (page) => page.evaluate(() => window.linkwork.report());
const screen = (page, p) => page.evaluate((q) => window.linkwork.screen(...q), p);
const column = (data, name) => decode(data.series.find((s) => s.name === name).values);

/** Pixels of the drawing that differ from the paper, in all and (given a point of the window) within a few pixels of it. */
const inked = (page, near = null, radius = 4) => page.evaluate(([at, r]) => {
  const canvas = document.querySelector('.drawing canvas'), box = canvas.getBoundingClientRect(), copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const ctx = copy.getContext('2d', { willReadFrequently: true });
  ctx.drawImage(canvas, 0, 0);
  const scale = canvas.width / box.width;
  const [x, y, w, h] = at ? [(at[0] - box.left) * scale - r, (at[1] - box.top) * scale - r, 2 * r, 2 * r] : [0, 0, copy.width, copy.height];
  const [paper, { data }] = [ctx.getImageData(0, 0, 1, 1).data, ctx.getImageData(x, y, w, h)];
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - paper[0]) + Math.abs(data[i + 1] - paper[1]) + Math.abs(data[i + 2] - paper[2]) > 75) count++;
  return count;
}, [near, radius]);

test('the page stays below 700 kB without its data', () => assert.ok(Buffer.byteLength(template) < 700_000, `${Buffer.byteLength(template)} bytes`));

for (const browser of ['webgl', 'plain']) {
  test(`${browser}: the slider moves bodies to where the result has them`, async () => {
    const data = conicalPendulum(), names = data.bodies[0].pose, time = decode(data.time);
    await withData(data, { browser }, async (page) => {
      assert.equal((await report(page)).webgl, browser === 'webgl');
      for (const k of [0, 57, 128, 200]) {
        await slideTo(page, time[k]);
        assert.deepEqual(await pose(page, 'rod'), names.map((n) => column(data, n)[k]));
        await frames(page);
        const tip = rotate(coneTurn(time[k]).q, [0, 0, -0.5 * kCone.length]).map((v, i) => v + [0, 0, kCone.top][i]);
        assert.ok((await inked(page, await screen(page, tip))) > 40, `the rod is drawn where it is at sample ${k}`);
      }
      // Between samples the quaternion stays one, and lies between its neighbours.
      await slideTo(page, 0.5 * (time[57] + time[58]));
      const [, , , ...q] = await pose(page, 'rod'), expected = coneTurn(0.5 * (time[57] + time[58])).q;
      assert.ok(Math.abs(Math.hypot(...q) - 1) < 1e-12);
      q.forEach((v, i) => assert.ok(Math.abs(v - expected[i]) < 1e-3, `${v} and ${expected[i]}`));
      await shot(page, `space-pendulum-${browser}`);
    });
  });
}

test('without WebGL a notice says so, and everything else works', async () => {
  await withData(conicalPendulum(), { browser: 'plain' }, async (page) => {
    assert.match(await page.textContent('.scene-notice'), /no WebGL/);
    assert.equal(await page.locator('.scene-notice').isVisible(), true);
    assert.equal(await page.locator('.plot-list .plot').count() > 0, true);
    await page.click('#tab-loads');
    assert.match(await page.textContent('#panel-loads'), /ball/);
    await page.keyboard.press('r');
    await frames(page);
    assert.ok((await report(page)).arrows.reactions >= 1);
  });
  await withData(conicalPendulum(), {}, async (page) => assert.equal(await page.locator('.scene-notice').isVisible(), false));
});

test('it plays by itself', async () => {
  await withData(conicalPendulum(), { motion: 'no-preference' }, async (page) => {
    await page.waitForFunction(() => window.linkwork.time() > 0.05);
    const first = await pose(page, 'rod');
    await page.waitForFunction((t) => window.linkwork.time() > t + 0.05, await page.evaluate(() => window.linkwork.time()));
    assert.notDeepEqual(await pose(page, 'rod'), first);
  });
});

test('arrows: reactions to scale, dashes with the reason where they are not unique, loads and velocities', async () => {
  await withData(conicalPendulum(), {}, async (page) => {
    await page.evaluate(() => window.linkwork.seek(0.3));
    await frames(page);
    assert.deepEqual((await report(page)).arrows, { reactions: 0, dashed: 0, loads: 2, velocities: 0 });
    const before = await inked(page);
    await page.keyboard.press('r');
    await page.keyboard.press('v');
    await frames(page);
    assert.deepEqual((await report(page)).arrows, { reactions: 2, dashed: 1, loads: 2, velocities: 1 });
    assert.ok((await inked(page)) > before + 200, 'arrows cover pixels');
    await shot(page, 'space-arrows');
    // The dashed one stands on the tip of the rod and points up: 12 N; the scale's length is a fifth of the drawing.
    const tip = rotate(coneTurn(0.3).q, [0, 0, -kCone.length]).map((v, i) => v + [0, 0, kCone.top][i]);
    let text = '';
    for (let h = 0.02; h < 0.3 && !/one of many/.test(text); h += 0.01) {
      await page.mouse.move(...(await screen(page, [tip[0], tip[1], tip[2] + h])));
      text = (await page.textContent('.tip')) ?? '';
    }
    assert.match(text, /force in stay: 12\.?0* N along z, one of many that fit: 1 of 6 constraint equations follow from the others/);
  });
});

test('of a force that is not unique in a slanting direction, the part that is unique is solid', async () => {
  const data = conicalPendulum(), part = (a) => data.series.find((s) => s.name === `stay.force.${a}`);
  const [x, y, z] = [...'xyz'].map((a) => [...decode(part(a).values)]), open = x.map((v, k) => 0.5 * (v + z[k]));
  // Open along (1, 0, 1): solid is the force less (x + z) / 2 in x and in z.
  const unique = { x: x.map((v, k) => v - open[k]), y, z: z.map((v, k) => v - open[k]) };
  for (const a of 'xyz') {
    part(a).unique = false;
    data.series.push({ name: `stay.unique_force.${a}`, unit: 'N', group: 'stay', label: `unique force ${a}`, values: encode(unique[a]) });
  }
  data.joints[1].reaction.unique_force = ['x', 'y', 'z'].map((a) => `stay.unique_force.${a}`);
  await withData(data, {}, async (page) => {
    await page.evaluate(() => window.linkwork.seek(0.3));
    await page.keyboard.press('r');
    await frames(page);
    assert.deepEqual((await report(page)).arrows, { reactions: 2, dashed: 1, loads: 2, velocities: 0 });
    const tip = rotate(coneTurn(0.3).q, [0, 0, -kCone.length]).map((v, i) => v + [0, 0, kCone.top][i]);
    const along = 0.5 * (4 * Math.cos(0.3) + 12);
    // The dashed arrow is what the solid one leaves of the force.
    let text = '';
    for (let h = 0.02; h < 0.3 && !/one of many/.test(text); h += 0.01) {
      await page.mouse.move(...(await screen(page, tip.map((v, i) => v + h * Math.SQRT1_2 * [1, 0, 1][i]))));
      text = (await page.textContent('.tip')) ?? '';
    }
    assert.match(text, /force in stay: [0-9.]+ N, one of many that fit/);
    assert.ok(Math.abs(Number(/: ([0-9.]+) N/.exec(text)[1]) - along * Math.SQRT2) < 0.06);
  });
});

test('a spring stretches between its ends, a trace is the path of its point', async () => {
  await withData(conicalPendulum(), {}, async (page) => {
    const tipAt = (t) => rotate(coneTurn(t).q, [0, 0, -kCone.length]).map((v, i) => v + [0, 0, kCone.top][i]), wall = [0.6, 0, 0.2];
    const between = (t, w) => tipAt(t).map((v, i) => wall[i] + w * (v - wall[i]));
    await page.keyboard.press('l');
    for (const t of [0.3, 0.75]) {
      await page.evaluate((time) => window.linkwork.seek(time), t);
      await frames(page);
      for (let w = 0.05; w < 1; w += 0.1) assert.ok((await inked(page, await screen(page, between(t, w)), 12)) > 20, `at ${w} of the spring, t = ${t} s`);
      const ahead = await screen(page, tipAt(t + 0.35)), drawn = await inked(page, ahead, 3);
      assert.ok(drawn > 3, 'the path is drawn');
      await page.click('.toggle:text("Traces")');
      await frames(page);
      assert.ok((await inked(page, ahead, 3)) < drawn, 'and gone without traces');
      await page.click('.toggle:text("Traces")');
    }
  });
});

test('the joint at which a loop was opened is marked', async () => {
  const found = [];
  for (const cut of [true, false]) {
    const data = conicalPendulum();
    data.joints[1].cut = cut;
    await withData(data, {}, async (page) => {
      await page.evaluate(() => window.linkwork.seek(0.3));
      await frames(page);
      found.push(await inked(page, await screen(page, [0, 0, 0]), 40));
      await page.mouse.move(...(await screen(page, [0, 0, 0])));
      assert.equal(/the loop is opened here/.test(await page.textContent('.tip')), cut);
    });
  }
  assert.ok(found[0] > found[1] + 100, `${found} pixels`);
});

test('a damaged mesh is left out, and the page stays', async () => {
  const data = conicalPendulum(21);
  data.bodies[0].shapes.push({ kind: 'mesh', vertices: '%%%', triangles: '%%%' });
  await withData(data, {}, async (page) => {
    await frames(page);
    assert.ok((await inked(page)) > 500);
  });
});

test('a click selects the body or joint under it, and so does the list', async () => {
  await withData(conicalPendulum(), {}, async (page) => {
    await frames(page);
    const chosen = () => page.evaluate(() => document.querySelector('select.parts').selectedOptions[0].textContent);
    const middle = rotate(coneTurn(0).q, [0, 0, -0.5 * kCone.length]).map((v, i) => v + [0, 0, kCone.top][i]);
    await page.mouse.click(...(await screen(page, middle)));
    assert.equal(await chosen(), 'rod');
    await page.mouse.click(...(await screen(page, [0, 0, kCone.top])));
    assert.equal(await chosen(), 'ball');
    await page.keyboard.press('Escape');
    assert.equal(await chosen(), 'Select a part');
  });
});

test('the camera turns, zooms, looks along axes and frames the motion again', async () => {
  await withData(conicalPendulum(), {}, async (page) => {
    await frames(page);
    const points = [[0, 0, 0], [0, 0, 1], [0.3, 0, 0.5]], at = () => Promise.all(points.map((p) => screen(page, p)));
    const first = await at();
    await page.mouse.move(400, 400);
    await page.mouse.down();
    await page.mouse.move(520, 430, { steps: 5 });
    await page.mouse.up();
    const turned = await at();
    assert.ok(Math.abs(turned[2][0] - first[2][0]) > 5);
    await page.keyboard.press('+');
    const zoomed = await at(), size = (list) => Math.hypot(list[1][0] - list[0][0], list[1][1] - list[0][1]);
    assert.ok(size(zoomed) > 1.2 * size(turned));
    await page.keyboard.press('d');
    assert.notDeepEqual(await at(), zoomed);
    await page.keyboard.press('z');  // from above: what lies on one vertical is nearly one point
    const above = await at();
    assert.ok(size(above) < 0.12 * size(first), `${size(above)} and ${size(first)}`);
    await page.click('.views button:has-text("x")');
    const side = await at();
    assert.ok(Math.abs(side[0][0] - side[1][0]) < 1 && side[1][1] < side[0][1] - 50, 'z points up');
    await page.click('.views button:has-text("3D")');
    assert.deepEqual(await at(), first);
    await page.mouse.wheel(0, -300);
    await page.keyboard.press('0');
    assert.deepEqual(await at(), first);
  });
});

test('a planar mechanism is shown in the plane, and in space when asked', async () => {
  const data = fourBar(101), time = decode(data.time);
  await withData(data, {}, async (page) => {
    assert.equal(await report(page), null);
    assert.equal((await pose(page, 'crank')).length, 3);
    await page.click('button.in-space');
    await slideTo(page, time[37]);
    await frames(page);
    assert.equal((await report(page)).webgl, true);
    const [x, y, a] = ['x', 'y', 'angle'].map((n) => column(data, `coupler.${n}`)[37]);
    assert.deepEqual(await pose(page, 'coupler'), [x, y, 0, Math.cos(a / 2), 0, 0, Math.sin(a / 2)]);
    await page.keyboard.press('r');
    await frames(page);
    assert.ok((await report(page)).arrows.reactions >= 3);
    await shot(page, 'space-four-bar');
    await page.click('button.in-space');
    assert.equal((await pose(page, 'crank')).length, 3);
    assert.equal(await page.locator('.toggles .toggle:has-text("Reactions")').getAttribute('aria-pressed'), 'true');
  });
});

test('every kind of joint, shape, load and drive is drawn', async () => {
  for (const browser of ['webgl', 'plain']) {
    await withData(spaceGallery(), { browser, size: [1440, 900] }, async (page) => {
      await page.evaluate(() => window.linkwork.seek(1.3));
      for (const key of ['f', 'm']) await page.keyboard.press(key);
      await frames(page);
      assert.ok((await inked(page)) > 5000);
      await shot(page, `space-gallery-${browser}`);
    });
  }
});

test('a body whose place is unknown is left out, and the others stay', async () => {
  const data = spaceGallery(), item = data.series.find((s) => s.name === 'a_revolute.y'), values = decode(item.values);
  values.fill(NaN, 10, 20);
  item.values = encode(values);
  await withData(data, {}, async (page) => {
    const drawnAt = async (t) => {
      await page.evaluate((v) => window.linkwork.seek(v), t);
      await frames(page);
      return (await report(page)).drawn;
    };
    const [all, fewer] = [await drawnAt(0.5), await drawnAt(1.5)];
    assert.ok(fewer < all && fewer > all - 8, `${fewer} of ${all}`);
    assert.ok(Number.isNaN((await pose(page, 'a_revolute'))[1]));
  });
});

test('names that look like markup are shown as text in space too', async () => {
  const evil = '<img src=x onerror=alert(1)>';
  const data = JSON.parse(JSON.stringify(conicalPendulum(21)).replaceAll('"name":"ball"', `"name":${JSON.stringify(evil)}`));
  await withData(data, {}, async (page) => {
    await frames(page);
    await page.mouse.move(...(await screen(page, [0, 0, kCone.top])));
    await page.waitForFunction((t) => document.querySelector('.tip').textContent.includes(t), evil);
    assert.equal(await page.locator('#app img').count(), 0);
  });
});

test('a page with fewer samples than the run says so', async () => {
  await withData({ ...conicalPendulum(51), samples: 80_000 }, {}, async (page) => {
    assert.match(await page.textContent('.notices'), /51 of 80.?000 samples/);
  });
});

test('nothing overlaps or sticks out in three window sizes, and in the dark', async () => {
  for (const { size, theme } of kLooks) {
    await withData(conicalPendulum(), { size, theme }, async (page) => {
      await page.evaluate(() => window.linkwork.seek(1.3));
      await frames(page);
      assert.ok((await inked(page)) > 500, 'something is drawn');
      const faults = await page.evaluate(() => {
        const out = [], width = document.documentElement.clientWidth, rect = (e) => e.getBoundingClientRect();
        if (document.documentElement.scrollWidth > width) out.push('the page is wider than the window');
        const shown = [...document.querySelectorAll('.scene-controls button, .scene-controls select')].filter((e) => rect(e).width);
        for (const e of shown) if (rect(e).left < -0.5 || rect(e).right > width + 0.5) out.push(`${e.textContent} sticks out`);
        shown.forEach((a, i) => shown.slice(i + 1).forEach((b) => {
          const [p, q] = [rect(a), rect(b)];
          if (p.left < q.right - 1.5 && q.left < p.right - 1.5 && p.top < q.bottom - 1.5 && q.top < p.bottom - 1.5) out.push(`${a.textContent} and ${b.textContent} overlap`);
        }));
        const scene = rect(document.querySelector('.scene')), controls = rect(document.querySelector('.scene-controls'));
        if (controls.height > 0.45 * scene.height) out.push('controls cover the drawing');
        if (innerWidth > 820 && document.documentElement.scrollHeight > innerHeight) out.push('the page scrolls on a laptop');
        return out;
      });
      assert.deepEqual(faults, [], `${size} ${theme}`);
      await shot(page, `space-${size[0]}-${theme}`);
    });
  }
});
