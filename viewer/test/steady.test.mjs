// The pages of steady motions: motion, slider, branches that are clicked, ranges, maps; small windows, bad data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkContrast, frames, layoutFaults, namelessControls, shot, withData } from './browser.mjs';
import { kLooks } from './looks.mjs';
import { decode, encode, sliderPendulum } from './sample.mjs';

const still = [[0, 0], [0, 0], [0, 0]];

/** The slider pendulum over a parameter: a pair that becomes unstable at p = 2, a real branch that stays. */
function locus() {
  const data = sliderPendulum();
  data.time = encode([0]);
  data.series.forEach((s) => (s.values = encode(decode(s.values).slice(0, 1))));
  const at = Array.from({ length: 21 }, (_, k) => 0.2 * k);
  const pose = (name) => data.bodies.find((b) => b.name === name).pose.map((series) => decode(data.series.find((s) => s.name === series).values)[0]);
  const mode = (re, im, branch, shape) => ({ kind: im ? 'oscillation' : 'exponential', re, im, frequency: im / (2 * Math.PI), damping: im ? -re / Math.hypot(re, im) : 0, timeConstant: re ? -1 / re : null, words: im ? 'oscillates' : 'dies out', joints: [['hinge.angle', 1, 0]], shape, branch });
  const stop = (p) => ({
    at: p, rows: [['rail.slide goes on at', `${p} m/s`]],
    bodies: { cart: [...pose('cart'), p, 0, 0, 0, 0, 0, 0, 0, 0], pendulum: [...pose('pendulum'), p, 0, 0, 0, 0, 0, 0, 0, 0] },
    modes: [mode(p - 2, 3, 0, { cart: still, pendulum: [[0, 0], [0, 0], [1.2, 0]] }), mode(-1 - p, 0, 2, { cart: [[1, 0], [0, 0], [0, 0]], pendulum: still })],
  });
  return Object.assign(data, {
    title: 'slider-pendulum: locus', still: true, run: undefined, ledger: [], ledgerTable: [], plots: [], bearings: [], traces: [], equations: null, start: 'steady',
    steady: {
      parameter: 'speed', unit: 'm/s', sentences: ['Eigenvalues over speed: stable from 0 to 2 m/s, unstable from 2 to 4 m/s.'], reach: 0.2, at: encode(at),
      branches: [{ re: encode(at.map((p) => p - 2)), im: encode(at.map(() => 3)) }, { re: encode(at.map((p) => p - 2)), im: encode(at.map(() => -3)) }, { re: encode(at.map((p) => -1 - p)), im: encode(at.map(() => 0)) }],
      curves: [{ name: 'motor', unit: 'N*m', values: encode(at.map((p) => p * p)) }],
      limits: [{ at: 2, branch: 0, words: 'a pair passes the axis at 3 rad/s, 0.477 Hz' }],
      ranges: [{ from: 0, to: 2, is: 'stable', words: '' }, { from: 2, to: 4, is: 'unstable', words: 'in its middle 1 +- 3i 1/s' }],
      stops: [0, 1, 2, 3, 4].map(stop),
    },
  });
}

const slide = (page, k) => page.evaluate((value) => {
  const slider = document.querySelector('input.over');
  slider.value = String(value);
  slider.dispatchEvent(new Event('input', { bubbles: true }));
}, k);

test('a locus shades its ranges, marks its limits and follows the slider', async () => {
  await withData(locus(), {}, async (page) => {
    assert.equal(await page.getAttribute('#tab-steady', 'aria-selected'), 'true');
    assert.equal(await page.textContent('#tab-steady'), 'Locus');
    assert.equal(await page.locator('.over-chart').count(), 3);  // real parts, imaginary parts, what is found
    assert.equal(await page.locator('.over-chart').first().locator('rect.range-stable').count(), 1);
    assert.equal(await page.locator('.over-chart').first().locator('rect.range-unstable').count(), 1);
    assert.equal(await page.locator('.over-chart .over-limit').count(), 3);
    assert.match(await page.textContent('.steady-value'), /^2 m\/s$/);
    await slide(page, 4);
    assert.match(await page.textContent('.steady-value'), /^4 m\/s$/);
    assert.match(await page.textContent('.modes-table tbody tr'), /2\.000 ± 3\.000i/);
    const [cursor, box] = await page.evaluate(() => [document.querySelector('.over-cursor'), document.querySelector('.over-chart')].map((e) => e.getBoundingClientRect().toJSON()));
    assert.ok(cursor.x > box.x + 0.95 * box.width);
    await page.click('.limits button');
    assert.match(await page.textContent('.steady-value'), /^2 m\/s$/);
    assert.equal(await page.locator('.modes-table tr.selected').count(), 1);
    await shot(page, 'locus');
  });
});

test('a click on a branch swings its mode on the steady motion', async () => {
  await withData(locus(), { motion: 'no-preference' }, async (page) => {
    const angle = () => page.evaluate(() => window.linkwork.pose('pendulum')[2]);
    const before = await angle();
    await page.waitForTimeout(120);
    assert.equal(await angle(), before);  // the motion alone: straight ahead, and the picture goes along
    const box = await page.locator('.over-chart').first().boundingBox();
    const path = page.locator('.over-chart').first().locator('.over-touch').first();
    await path.dispatchEvent('click', { clientX: box.x + 0.5 * box.width, clientY: box.y + 0.5 * box.height });
    assert.equal(await page.locator('.over-chart').first().locator('.over-curve.chosen').count(), 1);
    await page.waitForFunction((a) => Math.abs(window.linkwork.pose('pendulum')[2] - a) > 0.01, before);
    // The other half of the pair is the same mode; the real branch moves the cart.
    await page.locator('.eigen-trail').nth(1).dispatchEvent('click');
    assert.match(await page.textContent('.mode-about'), /Mode 1/);
    await page.locator('.eigen-trail').nth(2).dispatchEvent('click');
    assert.match(await page.textContent('.mode-about'), /Mode 2/);
    await slide(page, 0);
    assert.match(await page.textContent('.mode-about'), /Mode 2/);  // the branch stays chosen
  });
});

test('bodies go on as the motion has them', async () => {
  // A wheel that turns at 2 rad/s while it goes round at 0.5 rad/s: after t, p turned by 0.5 t, angle 2 t.
  const data = locus();
  const stop = data.steady.stops[0];
  stop.bodies = { cart: [1, 0, 0, 0, 0.5, 0, 0, 0, 2, 0, 0, 0.5] };
  Object.assign(data.steady, { stops: [stop], branches: [], at: '', ranges: [], limits: [], curves: [] });
  stop.modes = [];
  await withData(data, { motion: 'no-preference' }, async (page) => {
    assert.equal(await page.textContent('#tab-steady'), 'Steady motion');
    await page.waitForFunction(() => window.linkwork.pose('cart')[2] > 0.02);
    const [x, y, angle] = await page.evaluate(() => window.linkwork.pose('cart'));
    assert.ok(Math.abs(x - Math.cos(angle / 4)) < 1e-9 && Math.abs(y - Math.sin(angle / 4)) < 1e-9);
  });
});

test('a map colours what is stable', async () => {
  const data = locus();
  Object.assign(data.steady, { stops: [data.steady.stops[0]], branches: [], at: '', ranges: [], limits: [], curves: [] });
  data.steady.map = { second: 'damping', unit: 'N*s/m', at: encode([0, 1, 2]), across: encode([0, 1]), is: ['stable', 'neutral', 'unstable', 'stable', 'stable', null], re: encode([-1, 0, 1, -1, -1, NaN]) };
  await withData(data, {}, async (page) => {
    assert.equal(await page.locator('rect.map-cell').count(), 6);
    assert.equal(await page.locator('rect.map-cell.range-stable').count(), 3);
    assert.equal(await page.locator('rect.map-cell.range-none').count(), 1);
    assert.match(await page.locator('rect.map-cell').nth(2).textContent(), /speed = 2.* unstable, greatest real part 1/);
    await shot(page, 'map');
  });
});

test('damaged parts are left out', async () => {
  const data = locus();
  data.steady.branches.push({ re: encode([1]), im: encode([2]) });
  data.steady.stops[1].bodies.cart = ['x'];
  data.steady.stops.push({});
  data.steady.limits.push({ words: '<img src=x onerror=alert(1)>' });
  await withData(data, {}, async (page) => {
    assert.equal(await page.locator('.eigen-trail').count(), 3);
    for (const k of [0, 1, 5]) await slide(page, k);
  });
  await withData({ ...locus(), steady: {} }, {}, async (page) => assert.equal(await page.locator('#tab-steady').count(), 1));
});

for (const { size, theme } of kLooks) {
  test(`a locus fits a window of ${size.join(' x ')}, ${theme}`, async () => {
    await withData(locus(), { size, theme }, async (page) => {
      await frames(page);
      assert.deepEqual(await layoutFaults(page), []);
      assert.deepEqual(await namelessControls(page), []);
      await shot(page, `locus-${size[0]}-${theme}`);
    });
  });
}

test('a locus can be read in light and in dark', async () => {
  await withData(locus(), {}, async (page) => checkContrast(page, ['steady']));
});
