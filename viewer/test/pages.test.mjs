// The pages that are not of one run (comparison, modes, equations), pictures by address, and what is odd or hostile in their data.
//   LINKWORK_PAGES          pages that the program wrote, to open as well, separated by ':' or newlines
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { checkContrast, frames, inkedPixels, layoutFaults, namelessControls, shot, withData, withFile } from './browser.mjs';
import { kLooks } from './looks.mjs';
import { decode, encode, fourBar, sliderPendulum } from './sample.mjs';
import { conicalPendulum, product } from './sample_space.mjs';

const kEvil = '<img src=x onerror=alert(1)>';
const pages = (process.env.LINKWORK_PAGES ?? '').split(/[:\n]/).map((s) => s.trim()).filter(Boolean);

/** Two runs beside the reference, of which one stops early and parts from it at t = 4 s. */
function comparison() {
  const data = fourBar();
  const time = decode(data.time), stopped = 400;
  const growth = (k, factor) => factor * 1e-12 * Math.exp(k / 40);
  const add = (run, what, unit, values) => data.series.push({ name: `${run}: ${what}`, unit, group: what, label: run, values: encode(values), ...(values.length < time.length ? { partial: true } : {}) });
  for (const [run, factor, length] of [['recursive', 1, time.length], ['absolute without stabilisation', 900, stopped]]) {
    add(run, 'positions', '', Array.from({ length }, (_, k) => growth(k, factor)));
    add(run, 'drift', 'm', Array.from({ length }, (_, k) => (k ? 1e-15 * k : 0)));
  }
  return {
    ...data, title: 'four-bar: comparison of methods', start: 'comparison',
    comparison: {
      verdict: ['Two of three agree to 3e-09; `absolute without stabilisation` has drifted to 4e-13 by t = 6.6 s, and parts from the others at t = 4 s in joint B.'],
      within: 1e-8, reference: 'absolute',
      partings: [{ run: 'absolute without stabilisation', time: time[240], kind: 'joint', name: 'B', series: 'B.angle', relative: 2.5e-8 }],
      refused: ['linkage: joint "S" is prismatic, and the form knows hinges alone', 'linkage in space: the mechanism moves in space'],
      tables: [
        { title: 'Greatest differences from the reference', note: 'Relative; runs part where one exceeds 1e-08.', rows: [['run', 'positions', 'velocities', 'parts'], ['absolute', 'reference', '', ''], ['recursive', '3.2e-09', '1e-08', ''], ['absolute without stabilisation', '2e-05', '4e-05', 't = 4 s, joint B']] },
        { title: 'Each run by itself', rows: [['run', 'until [s]', 'drift [m]', 'steps'], ['absolute', '10', '1e-15', '1482'], ['recursive', '10', '0', '1490']] },
      ],
      plots: [
        { title: 'Difference in the positions, relative', series: ['recursive: positions', 'absolute without stabilisation: positions'], log: true },
        { title: 'Drift: norm of the constraint equations', series: ['recursive: drift', 'absolute without stabilisation: drift'], log: true },
      ],
    },
  };
}

function oneSample(data) {
  data.time = encode([0]);
  data.series.forEach((s) => (s.values = encode(decode(s.values).slice(0, 1))));
  Object.assign(data, { still: true, run: undefined, ledger: [], ledgerTable: [], plots: [], bearings: [], traces: [], equations: null });
  return data;
}

/** A swing that dies out, a fall that grows, a drift. */
function modes() {
  const shape = (cart, pendulum) => ({ cart, pendulum });
  const still = [[0, 0], [0, 0], [0, 0]];
  return {
    ...oneSample(sliderPendulum()), title: 'slider-pendulum: modes', dof: 2, start: 'modes',
    modes: {
      time: 0, reach: 0.2, sentence: 'Small motions about the state at t = 0 s: not stable: mode 2 grows, twice as large every 0.2773 s.',
      list: [
        { kind: 'drift', re: 0, im: 0, frequency: 0, damping: 0, timeConstant: null, words: 'free: stays where it is put, goes on at the speed it has', joints: [['rail.slide', 1, 0]], shape: shape([[1, 0], [0, 0], [0, 0]], [[1, 0], [0, 0], [0, 0]]) },
        { kind: 'exponential', re: 2.5, im: 0, frequency: 0, damping: 0, timeConstant: -0.4, words: 'grows: twice as large every 0.2773 s', joints: [['hinge.angle', 1, 0]], shape: shape(still, [[0, 0], [0, 0], [1.5, 0]]) },
        { kind: 'oscillation', re: -0.8, im: 6, frequency: 0.9549, damping: 0.1322, timeConstant: 1.25, words: 'oscillates at 0.9549 Hz, damping ratio 0.1322, time constant 1.25 s', joints: [['hinge.angle', 1, 0], ['rail.slide', 0.4, 180]], shape: shape([[0, 0.5], [0, 0], [0, 0]], [[0, 0.5], [0, 0], [1.2, -0.3]]) },
      ],
    },
  };
}

function equations() {
  return {
    ...oneSample(fourBar()), title: 'four-bar: equations', start: 'equations',
    equations: {
      title: 'recurrent equations in absolute angles, for accelerations', text: ['Form rud: a linkage of hinges.', 'Cheapest for forward dynamics: rud (40 mul and div, 30 add, 6 trig).'], command: 'linkwork equations four_bar.toml',
      sections: [{ title: 'Equations of motion', mathml: '<math><mrow><mi>H</mi><mi>x</mi><mo>=</mo><mi>h</mi></mrow></math>' }],
      tables: [{ title: 'Operations of all forms that fit', note: 'A square is a multiplication.', rows: [['form', '', 'forward', 'constant', 'inverse'], ['rud', 'printed', '40/30/2/6', '3/1/0/0', '12/10/0/6'], ['absolute', '', '120/90/0/6', '0/0/0/0', '-']] }],
    },
  };
}

test('an address with a time stands still there, and follows when it changes', async () => {
  await withData(fourBar(), { motion: 'no-preference', fragment: '#t=2.5' }, async (page) => {
    await page.waitForTimeout(150);
    assert.equal(await page.evaluate(() => window.linkwork.time()), 2.5);
    assert.equal(await page.evaluate(() => window.linkwork.playing()), false);
    await page.evaluate(() => { location.hash = '#t=4'; });
    await page.waitForFunction(() => window.linkwork.time() === 4);
  });
  await withData(fourBar(), { fragment: '#t=soon' }, async (page) => assert.equal(await page.evaluate(() => window.linkwork.time()), 0));
});

test('an address can ask for the drawing alone', async () => {
  for (const size of [[1200, 800], [400, 300]]) {
    await withData(fourBar(), { size, fragment: '#shot=drawing&t=1.3' }, async (page) => {
      await frames(page);
      for (const part of ['.top', '.side', '.timebar', '.scene-controls']) assert.equal(await page.locator(part).isVisible(), false, part);
      const box = await page.locator('.drawing canvas').boundingBox();
      assert.deepEqual([box.x, box.y, box.width, box.height], [0, 0, ...size]);
      assert.ok((await inkedPixels(page)) > 400);
      await shot(page, `drawing-alone-${size[0]}`);
    });
  }
});

test('a comparison begins with its verdict, and leads to where runs part', async () => {
  const data = comparison();
  await withData(data, {}, async (page) => {
    assert.equal(await page.getAttribute('#tab-comparison', 'aria-selected'), 'true');
    assert.equal(await page.textContent('.verdict'), data.comparison.verdict[0].replaceAll('`', ''));
    assert.equal(await page.textContent('.verdict strong'), 'absolute without stabilisation');
    assert.equal(await page.locator('.notices').count(), 0);  // a run that stopped early is no fault of the data
    assert.deepEqual(await page.locator('.refused li').allTextContents(), data.comparison.refused);
    assert.equal(await page.locator('#panel-comparison .text-table').count(), 2);
    assert.equal(await page.locator('#panel-comparison td', { hasText: '3.2e-09' }).count(), 1);
    await page.click('.partings button');
    assert.equal(await page.evaluate(() => window.linkwork.time()), data.comparison.partings[0].time);
    assert.equal(await page.evaluate(() => document.querySelector('select.parts').selectedOptions[0].textContent), 'B');
    await shot(page, 'comparison');
  });
});

test('the plots of a comparison hold the differences, with gaps where a run has none', async () => {
  const data = comparison(), time = decode(data.time);
  await withData(data, {}, async (page) => {
    await page.waitForFunction(() => document.querySelectorAll('#panel-comparison canvas').length === 2);
    const legend = () => page.locator('#panel-comparison .plot').first().locator('.legend .value').allTextContents();
    await page.evaluate((t) => window.linkwork.seek(t), time[120]);
    const written = (value) => `${value.toExponential(3).split('e')[0]}×10`;
    const [a, b] = await legend();
    assert.ok(a.startsWith(written(1e-12 * Math.exp(3))) && b.startsWith(written(9e-10 * Math.exp(3))), `${a}, ${b}`);
    await page.evaluate((t) => window.linkwork.seek(t), time[500]);
    assert.equal((await legend())[1], '–');
  });
});

test('a click on an eigenvalue or a row chooses the mode, and the amplitude moves the mechanism along its shape', async () => {
  const data = modes();
  const rest = Object.fromEntries(data.bodies.map((b) => [b.name, b.pose.map((n) => decode(data.series.find((s) => s.name === n).values)[0])]));
  await withData(data, {}, async (page) => {
    assert.equal(await page.getAttribute('#tab-modes', 'aria-selected'), 'true');
    assert.equal(await page.locator('.timebar, .notices, #tab-plots, .toggle:text("Reactions"):visible, .in-space:visible').count(), 0);
    assert.equal(await page.locator('.eigen-point').count(), 4);  // of the pair both
    const pose = (body) => page.evaluate((b) => window.linkwork.pose(b), body);
    assert.deepEqual(await pose('pendulum'), rest.pendulum);
    await page.locator('.eigen-point').last().click();
    assert.match(await page.textContent('.mode-about'), /Mode 3Oscillates at 0\.9549 Hz.*rail\.slide 0\.4 \(180°\)/);
    assert.match(await page.textContent('tr.selected'), /^3−0\.8000 ± 6\.000i0\.95490\.13221\.250/);
    await page.locator('.amplitude').fill('80');
    // A quarter of a swing earlier or later: the real part of the shape.
    const moved = await pose('pendulum');
    [0, 0, 1.2].forEach((part, k) => assert.ok(Math.abs(moved[k] - rest.pendulum[k] - 0.8 * 0.2 * part) < 1e-12, `${moved}`));
    assert.deepEqual(await pose('cart'), rest.cart);
    await page.locator('.modes-table tbody tr').nth(1).click();
    assert.match(await page.textContent('.mode-about'), /Mode 2Grows: twice as large/);
    assert.ok(Math.abs((await pose('pendulum'))[2] - rest.pendulum[2] - 0.8 * 0.2 * 1.5) < 1e-12);
    await page.locator('.eigen-point').first().focus();
    await page.keyboard.press('Enter');
    assert.match(await page.textContent('.mode-about'), /Mode 1Free/);
    assert.ok(Math.abs((await pose('cart'))[0] - rest.cart[0] - 0.16) < 1e-12);
    await shot(page, 'modes');
  });
});

test('a mode swings by itself, unless the user asks for reduced motion', async () => {
  await withData(modes(), { motion: 'no-preference' }, async (page) => {
    const x = () => page.evaluate(() => window.linkwork.pose('cart')[0]);
    const first = await x();
    await page.waitForFunction((was) => Math.abs(window.linkwork.pose('cart')[0] - was) > 0.01, first);
    await page.click('.mode-controls button');
    const stopped = await x();
    await page.waitForTimeout(150);
    assert.equal(await x(), stopped);
  });
});

test('modes in space, without shapes, keep their table and their plane', async () => {
  const data = modes();
  data.space = 'spatial';
  data.modes.list.forEach((m) => (m.shape = {}));
  await withData(data, {}, async (page) => {
    assert.equal(await page.locator('.eigen-point').count(), 4);
    await page.locator('.eigen-point').first().click();
    assert.match(await page.textContent('.mode-about'), /Mode 1Free/);
  });
});

/** A rod on a ball at its start, with a mode that turns it about x and y at the same time. */
function modesInSpace() {
  const shape = { rod: [[0, 0], [0, 0], [0, 0], [1.5, 0], [0, -1.2], [0, 0]] };
  return {
    ...oneSample(conicalPendulum(2)), title: 'modes in space', dof: 3, start: 'modes',
    modes: {
      time: 0, reach: 0.2, sentence: 'Small motions about the state at t = 0 s: stable: nothing grows.',
      list: [{ kind: 'oscillation', re: -0.1, im: 4, frequency: 0.6366, damping: 0.025, timeConstant: 10, words: 'oscillates at 0.6366 Hz', joints: [], shape }],
    },
  };
}

test('a mode in space turns bodies about axes of the ground', async () => {
  const data = modesInSpace(), rest = data.bodies[0].pose.map((name) => decode(data.series.find((s) => s.name === name).values)[0]);
  await withData(data, {}, async (page) => {
    await page.locator('.eigen-point').first().click();
    await frames(page);
    const before = await inkedPixels(page);
    assert.ok(before > 200);
    await page.locator('.amplitude').fill('50');
    await frames(page);
    // At phase 0 the real part: 0.5 * 0.2 * 1.5 rad about x, after the turn that the body has.
    const angle = 0.15, turned = product([Math.cos(angle / 2), Math.sin(angle / 2), 0, 0], rest.slice(3));
    const pose = await page.evaluate(() => window.linkwork.pose('rod'));
    pose.slice(0, 3).forEach((v, k) => assert.ok(Math.abs(v - rest[k]) < 1e-9));
    // The picture holds single precision.
    pose.slice(3).forEach((v, k) => assert.ok(Math.abs(v - turned[k]) < 1e-6, `${pose} and ${turned}`));
    await shot(page, 'modes-in-space');
  });
  await withData(data, { motion: 'no-preference' }, async (page) => {
    const turn = () => page.evaluate(() => window.linkwork.pose('rod').slice(3));
    const first = await turn();
    await page.waitForFunction((was) => window.linkwork.pose('rod').slice(3).some((v, k) => Math.abs(v - was[k]) > 0.01), first);
  });
});

test('equations as a page of their own begin with themselves and tell what they cost', async () => {
  await withData(equations(), {}, async (page) => {
    assert.equal(await page.getAttribute('#tab-equations', 'aria-selected'), 'true');
    assert.equal(await page.locator('.timebar, .notices').count(), 0);
    assert.match(await page.textContent('#panel-equations'), /Cheapest for forward dynamics.*40\/30\/2\/6.*linkwork equations four_bar\.toml/s);
    await page.waitForSelector('#panel-equations details[open] math');
    await frames(page);
    assert.ok((await inkedPixels(page)) > 800, 'the pose is drawn');
    await shot(page, 'equations-page');
  });
});

test('parts that are hostile, broken or empty do not break the page', async () => {
  const evil = JSON.parse(JSON.stringify(comparison()).replaceAll('recursive', kEvil).replaceAll('prismatic', kEvil));
  evil.comparison.partings[0].name = kEvil;
  evil.comparison.tables[0].rows.push([kEvil, kEvil]);
  await withData(evil, {}, async (page) => {
    assert.ok((await page.textContent('#panel-comparison')).includes(kEvil));
    await page.click('.partings button');
    assert.equal(await page.locator('img, #app script, [onerror], [href]').count(), 0);
  });
  const odd = modes();
  odd.modes.list[1].words = kEvil;
  odd.modes.list[2] = { kind: 7, re: 'x', shape: { cart: 3, __proto__: 1 }, joints: [[kEvil, 1, 0]] };
  odd.title = kEvil;
  await withData(odd, {}, async (page) => {
    for (const row of [0, 1, 2]) await page.locator('.modes-table tbody tr').nth(row).click();
    await page.locator('.amplitude').fill('100');
    assert.ok((await page.textContent('.mode-about')).includes(kEvil));
    assert.equal(await page.locator('img, #app script, [onerror]').count(), 0);
  });
  for (const part of [{ comparison: {} }, { modes: {} }, { modes: { list: [{}] } }, { comparison: { tables: [{ rows: [] }], plots: [{ series: ['none'] }] } }, { equations: { tables: 3 } }, { start: 'nowhere' }]) {
    await withData({ ...fourBar(51), ...part }, {}, async (page) => assert.equal(await page.textContent('h1'), 'four-bar'));
  }
});

test('these pages fit in three window sizes, and in the dark', async () => {
  for (const [name, make] of Object.entries({ comparison, modes, equations })) {
    for (const { size, theme } of kLooks) {
      await withData(make(), { size, theme }, async (page) => {
        await frames(page);
        assert.deepEqual(await layoutFaults(page), [], `${name} ${size} ${theme}`);
        await shot(page, `${name}-${size[0]}-${theme}`);
      });
    }
  }
});

test('text on these pages has a contrast of at least 4.5, and every control a name', async () => {
  for (const make of [comparison, modes, equations, modesInSpace]) {
    const data = make();
    await withData(data, { theme: 'light' }, async (page) => {
      assert.deepEqual(await namelessControls(page), [], data.title);
      await checkContrast(page, [data.start]);
    });
  }
});

for (const path of pages) {
  test(`page ${basename(path)} opens without complaint and draws something`, async () => {
    await withFile(path, {}, async (page) => {
      await frames(page);
      const data = JSON.parse(await page.textContent('#linkwork-data'));
      assert.equal(await page.getAttribute(`#tab-${data.start}`, 'aria-selected'), 'true');
      assert.ok((await inkedPixels(page)) > 200, 'something is drawn');
      assert.deepEqual(await layoutFaults(page), []);
      await shot(page, `report-${basename(path, '.html')}`);
    });
  });
}
