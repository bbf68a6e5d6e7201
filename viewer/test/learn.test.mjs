// The Learn tab and phase plots: what is drawn is what the data says, sums vanish, nothing overlaps, names stay text.
//   LINKWORK_REPORTS  real reports whose free bodies are summed up as well, separated by ':' or newlines
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { checkContrast, frames, inkedPixels, namelessControls, shot, withData, withFile } from './browser.mjs';
import { couplerCentre, learnFourBar } from './learn_sample.mjs';
import { kLooks } from './looks.mjs';
import { decode, fourBar, gallery, kFourBar } from './sample.mjs';
import { conicalPendulum } from './sample_space.mjs';

const reports = (process.env.LINKWORK_REPORTS ?? '').split(/[:\n]/).map((s) => s.trim()).filter(Boolean);
const kLessons = ['free-body', 'velocities', 'accelerations', 'centres', 'worked'];
const kEvil = '<img src=x onerror=alert(1)>';
const k = 137;  // a sample with nothing special about it

const column = (data, name) => decode(data.series.find((s) => s.name === name).values);
const at = (data, name, i = k) => column(data, name)[i];
const lesson = async (page, id) => {
  await page.click('#tab-learn');
  await page.click(`[data-lesson=${id}]`);
};
const seek = (page, t) => page.evaluate((time) => window.linkwork.seek(time), t);
const arrows = (page, figure, key) => page.locator(`[data-figure=${figure}] g.arrow[${key}]`).evaluateAll((all) => all.map((e) => ({ ...e.dataset, kind: e.getAttribute('class'), tip: e.querySelector('.head').getAttribute('d').match(/-?[\d.]+/g).slice(0, 2).map(Number), tail: e.querySelector('.shaft').getAttribute('d').match(/-?[\d.]+/g).slice(0, 2).map(Number) })));
const near = (a, b, tolerance, what) => assert.ok(Math.hypot(...a.map((v, i) => v - b[i])) <= tolerance, `${what}: ${a} and ${b}`);
/** Numbers of a table row by its name: every digit stands in the title. */
const rowOf = (page, name) => page.locator('table.balance tr', { has: page.locator(`th:text-is("${name}")`) }).first().locator('td').evaluateAll((cells) => cells.map((c) => (c.title ? Number(c.title) : null)));

test('the free-body diagram shows the forces of the data, with the sign of the body they act on', async () => {
  const data = learnFourBar();
  await withData(data, {}, async (page) => {
    await seek(page, decode(data.time)[k]);
    await lesson(page, 'free-body');
    for (const body of data.mechanics.bodies) {
      await page.evaluate((name) => window.linkwork.select('body', name), body.name);
      const drawn = await arrows(page, 'forces', 'data-force');
      const acting = data.mechanics.actions.filter((a) => a.body === body.name);
      assert.deepEqual(drawn.map((d) => d.name).sort(), [...acting.filter((a) => a.force || a.force_values).map((a) => a.name), 'gravity'].sort());
      for (const d of drawn) {
        const action = acting.find((a) => a.name === d.name);
        const expected = action ? ['x', 'y'].map((axis) => action.force_sign * at(data, `${d.name}.force.${axis}`)) : [0, -9.81 * body.mass];
        assert.deepEqual(d.force.split(' ').map(Number), [...expected, 0], `${d.name} on ${body.name}`);
        // The arrow points along the force (pixels are rounded to a hundredth, y runs down).
        const length = Math.hypot(d.tip[0] - d.tail[0], d.tip[1] - d.tail[1]), size = Math.hypot(...expected);
        near([(d.tip[0] - d.tail[0]) / length, -(d.tip[1] - d.tail[1]) / length], expected.map((v) => v / size), 0.02, `direction of ${d.name}`);
      }
      const text = await page.locator('[data-figure=forces] text').allTextContents();
      assert.ok(text.some((t) => t.startsWith('m g  ') && t.endsWith(' N')), text.join('|'));
    }
    await page.evaluate(() => window.linkwork.select('body', 'crank'));
    const [turn] = await arrows(page, 'forces', 'data-moment');
    assert.equal(Number(turn.moment), at(data, 'motor.torque'));
    await shot(page, 'learn-free-body');
  });
});

test('the balance of a body is worked out with the numbers of the chosen time', async () => {
  const data = learnFourBar();
  await withData(data, {}, async (page) => {
    await lesson(page, 'free-body');
    await page.evaluate(() => window.linkwork.select('body', 'rocker'));
    await page.click('.worked-balance summary');
    const short = (value) => (value < 0 ? '−' : '') + Math.abs(value).toPrecision(4);
    for (const i of [k, k + 40]) {
      await seek(page, decode(data.time)[i]);
      assert.match(await page.textContent('.worked-balance summary'), /Worked out for rocker at t = /);
      const lines = await page.locator('.worked-balance math').allTextContents();
      const body = data.mechanics.bodies.find((b) => b.name === 'rocker'), actions = data.mechanics.actions.filter((a) => a.body === 'rocker' && a.force);
      assert.ok(actions.length >= 2);
      for (const axis of ['x', 'y']) {
        const terms = actions.map((a) => a.force_sign * at(data, `${a.name}.force.${axis}`, i));
        const place = lines.findIndex((text) => text.startsWith(`maG,${axis}=`)), sum = lines[place - 1];
        assert.ok(sum, lines.join('|'));
        for (const value of terms) if (Math.abs(value) >= 1e-3) assert.ok(sum.includes(short(Math.abs(value))), `${short(value)} in ${sum}`);
        assert.ok(lines[place].startsWith(`maG,${axis}=${short(body.mass)}·`), lines[place]);
        // What the forces add up to is what mass and acceleration give.
        assert.equal(sum.split('=').at(-1), lines[place].split('=').at(-1));
      }
      assert.ok(lines.some((text) => text.startsWith('Jα=')));
      assert.match(await page.textContent('.balance-steps'), /Left and right differ by/);
    }
    assert.equal(await page.locator('.worked-balance img, .worked-balance script').count(), 0);
    await shot(page, 'learn-balance');
  });
});

test('forces less m a, and moments less J alpha, are left at rounding', async () => {
  const data = learnFourBar();
  await withData(data, {}, async (page) => {
    await lesson(page, 'free-body');
    const time = decode(data.time);
    for (const i of [0, k, 333, time.length - 1]) {
      await seek(page, time[i]);
      for (const { name, mass } of data.mechanics.bodies) {
        await page.evaluate((body) => window.linkwork.select('body', body), name);
        const sum = await rowOf(page, 'Sum'), inertia = await rowOf(page, 'm a,  J α'), rest = await rowOf(page, 'What is left');
        sum.forEach((v, j) => v !== null && assert.equal(rest[j], v - inertia[j]));
        // Forces here are below 1 kN; a dozen roundings of them.
        for (const v of rest) assert.ok(v === null || Math.abs(v) < 1e-11, `${name} at sample ${i}: ${rest}`);
        assert.ok(Math.hypot(inertia[0], inertia[1]) > 1e-3 * mass || name === 'crank');
        assert.match(await page.textContent('.learn-view .verdict'), /add up to m a .*(is rounding|to the last bit)/s);
      }
    }
    // Between samples the sum is off by the interpolation, and the page says so.
    await seek(page, 0.5 * (time[k] + time[k + 1]));
    assert.match(await page.textContent('.learn-view .verdict'), /between two samples/);
  });
});

test('m a is that of the mass centre', async () => {
  const data = learnFourBar();
  await withData(data, {}, async (page) => {
    await seek(page, decode(data.time)[k]);
    await lesson(page, 'free-body');
    await page.selectOption('select[aria-label=Body]', { label: 'rocker' });
    const [ma] = await arrows(page, 'kinetics', 'data-force'), angle = at(data, 'rocker.angle'), rate = at(data, 'rocker.angle_rate'), alpha = at(data, 'rocker.angle_acceleration');
    const r = [0.5 * kFourBar.rocker * Math.cos(angle), 0.5 * kFourBar.rocker * Math.sin(angle)];
    const expected = [-alpha * r[1] - rate ** 2 * r[0], alpha * r[0] - rate ** 2 * r[1]].map((v) => 1.5 * v);
    // The pivot's own acceleration is that of differences: zero.
    near(ma.force.split(' ').map(Number).slice(0, 2), expected, 1e-9, 'm a');
  });
});

test('forces can be drawn by components', async () => {
  const data = learnFourBar(51);
  await withData(data, {}, async (page) => {
    await lesson(page, 'free-body');
    await page.selectOption('select[aria-label="Forces as"]', 'parts');
    const drawn = await arrows(page, 'forces', 'data-force');
    assert.deepEqual(drawn.filter((d) => d.name === 'A').map((d) => d.axis).sort(), ['x', 'y']);
    for (const d of drawn.filter((a) => a.axis === 'x')) assert.ok(Math.abs(d.tip[1] - d.tail[1]) < 0.02);
  });
});

test('reactions that are not unique are dashed, and the page says why', async () => {
  const data = learnFourBar(51);
  data.series.find((s) => s.name === 'D.force.x').unique = false;
  data.redundant = '1 of 9 constraint equations depends on the others';
  await withData(data, {}, async (page) => {
    await lesson(page, 'free-body');
    await page.evaluate(() => window.linkwork.select('body', 'rocker'));
    const drawn = await arrows(page, 'forces', 'data-force');
    assert.deepEqual(drawn.filter((d) => d.kind.includes('dashed')).map((d) => d.name), ['D']);
    assert.match(await page.textContent('.learn-view'), /not unique.*1 of 9 constraint equations depends/s);
  });
});

/** Velocity of a point of a body, from the data. */
function velocity(data, body, [x, y], i = k) {
  const angle = at(data, `${body}.angle`, i), rate = at(data, `${body}.angle_rate`, i), c = Math.cos(angle), s = Math.sin(angle);
  return [at(data, `${body}.x_rate`, i) - rate * (s * x + c * y), at(data, `${body}.y_rate`, i) + rate * (c * x - s * y)];
}

test('the vectors of the velocity polygon are the velocities, drawn to one scale', async () => {
  const data = learnFourBar();
  await withData(data, {}, async (page) => {
    await seek(page, decode(data.time)[k]);
    await lesson(page, 'velocities');
    const drawn = await arrows(page, 'velocity', 'data-vector');
    const expected = { A: velocity(data, 'crank', [0.3, 0]), B: velocity(data, 'coupler', [0.8, 0]), 'G crank': velocity(data, 'crank', [0.15, 0]), 'G coupler': velocity(data, 'coupler', [0.4, 0]), 'G rocker': velocity(data, 'rocker', [0.3, 0]) };
    assert.deepEqual(drawn.map((d) => d.point).sort(), Object.keys(expected).sort());
    const scale = Number(await page.getAttribute('[data-figure=velocity]', 'data-scale'));
    for (const d of drawn) {
      const v = d.vector.split(' ').map(Number);
      near(v, expected[d.point], 1e-12, d.point);
      near([d.tip[0] - d.tail[0] - 0, d.tip[1] - d.tail[1]], [v[0] * scale, -v[1] * scale], 0.05, `arrow of ${d.point}`);
    }
    // The rocker says the same of B as the coupler, up to the differences the rates come from.
    near(expected.B, velocity(data, 'rocker', [kFourBar.rocker, 0]), 1e-6, 'B of both bodies');
    assert.equal(await page.locator('[data-figure=velocity] .image').count(), 3);
    await shot(page, 'learn-velocities');
  });
});

test('normal and tangential parts lead from base to tip in the acceleration polygon', async () => {
  const data = learnFourBar();
  await withData(data, {}, async (page) => {
    await seek(page, decode(data.time)[k]);
    await lesson(page, 'accelerations');
    const vectors = await arrows(page, 'acceleration', 'data-vector'), parts = await arrows(page, 'acceleration', 'data-part');
    const tip = (name) => vectors.find((v) => v.point === name).tip;
    const [normal, tangential] = ['normal', 'tangential'].map((p) => parts.find((x) => x.part === p && x.from === 'A' && x.to === 'B'));
    near(normal.tail, tip('A'), 0.05, 'the normal part starts at A');
    near(normal.tip, tangential.tail, 0.05, 'the parts meet');
    near(tangential.tip, tip('B'), 0.05, 'the tangential part ends at B');
    // n points from B to A, t across it.
    const angle = at(data, 'coupler.angle'), d = [normal.tip[0] - normal.tail[0], normal.tip[1] - normal.tail[1]], size = Math.hypot(...d);
    near([d[0] / size, d[1] / size], [-Math.cos(angle), Math.sin(angle)], 0.02, 'direction of the normal part');
    const e = [tangential.tip[0] - tangential.tail[0], tangential.tip[1] - tangential.tail[1]];
    assert.ok(Math.abs(d[0] * e[0] + d[1] * e[1]) < 0.02 * size * Math.hypot(...e));
    await shot(page, 'learn-accelerations');
  });
});

test("the coupler's instant centre is where the lines of crank and rocker meet", async () => {
  const data = learnFourBar(), time = decode(data.time);
  await withData(data, {}, async (page) => {
    await lesson(page, 'centres');
    for (const i of [20, k, 400]) {
      await seek(page, time[i]);
      const found = await page.locator('[data-figure=centres] [data-centre="1 3"][data-at]').evaluateAll((all) => all.map((e) => e.dataset.at.split(' ').map(Number)));
      const expected = couplerCentre(time[i]);
      // Rates of the sample are central differences over 1e-4 s: good to 1e-7.
      near(found[0], expected, 1e-5 * (1 + Math.hypot(...expected)), `centre at sample ${i}`);
    }
    const rows = await page.locator('#panel-learn .scroll-x').last().locator('tbody tr').count();
    assert.equal(rows, 4, 'four links have four triples');
    for (const off of await page.locator('#panel-learn .scroll-x').last().locator('td[title]').evaluateAll((all) => all.map((e) => Number(e.title)))) assert.ok(off < 1e-5, `${off} m off the line`);
    await shot(page, 'learn-centres');
  });
});

test('instant centres are laid over the drawing on demand', async () => {
  const data = learnFourBar(), t = decode(data.time)[k], [x, y] = couplerCentre(t);
  for (const wanted of [false, true]) {
    await withData(data, {}, async (page) => {
      await seek(page, t);
      if (wanted) await page.keyboard.press('i');
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const red = await page.evaluate(([a, b]) => {
        const canvas = document.querySelector('.drawing canvas'), box = canvas.getBoundingClientRect(), [px, py] = window.linkwork.screen(a, b);
        const [r, g, blue] = canvas.getContext('2d').getImageData((px - box.left) * devicePixelRatio, (py - box.top) * devicePixelRatio, 1, 1).data;
        return r - Math.max(g, blue) > 60;
      }, [x, y]);
      assert.equal(red, wanted, `at ${x}, ${y} m`);
    });
  }
});

test('the worked solution stands in sections, with letters as letters', async () => {
  await withData(learnFourBar(51), {}, async (page) => {
    await lesson(page, 'worked');
    assert.deepEqual(await page.locator('.worked summary').allTextContents(), ['1. Jacobian matrix Φq', '2. Bodies']);
    await page.click('text=Open all');
    assert.equal(await page.textContent('.formula-line'), 'Φq q̈ = Γ');
    assert.deepEqual(await page.locator('.matrix th').allTextContents(), ['x₁', 'φ₁', 'O.x', 'O.y']);
    assert.deepEqual(await page.locator('.matrix td.num').allTextContents(), ['−1', '0', '0', '1.5×10⁻¹⁷']);
    assert.match(await page.textContent('.worked-view'), /linkwork explain four_bar\.toml/);
  });
});

test('a phase plot holds every sample and its dot follows the time', async () => {
  const data = learnFourBar(), x = column(data, 'rocker.angle'), y = column(data, 'rocker.angle_rate'), time = decode(data.time);
  data.plots = [{ title: 'Rocker', x: 'rocker.angle', series: ['rocker.angle_rate'] }];
  await withData(data, {}, async (page) => {
    const read = () => page.evaluate(() => {
      const svg = document.querySelector('.phase-drawing');
      const numbers = (text) => text.match(/-?[\d.]+/g).map(Number);
      return { range: svg.dataset.range.split(' ').map(Number), width: svg.viewBox.baseVal.width, path: numbers(svg.querySelector('.phase-curve').getAttribute('d')), dot: ['cx', 'cy'].map((a) => Number(svg.querySelector('.phase-dot').getAttribute(a))) };
    });
    const { range: [x0, x1, y0, y1], width, path } = await read();
    const put = (i) => [62 + ((x[i] - x0) / (x1 - x0)) * (width - 76), 206 - ((y[i] - y0) / (y1 - y0)) * 182];
    const points = [];
    for (let i = 0; i < path.length; i += 2) points.push([path[i], path[i + 1]]);
    for (let i = 0; i < x.length; i++) {
      const p = put(i), nearest = Math.min(...points.map((q) => Math.hypot(q[0] - p[0], q[1] - p[1])));
      assert.ok(nearest < 0.45, `sample ${i} is ${nearest} pixels off the curve`);
    }
    await seek(page, time[k]);
    near((await read()).dot, put(k), 0.02, 'the dot');
    const box = await page.locator('.phase-drawing').boundingBox(), p = put(300);
    await page.mouse.click(box.x + (p[0] * box.width) / width, box.y + (p[1] * box.width) / width);
    const now = await page.evaluate(() => window.linkwork.time()), i = time.indexOf(now);
    assert.ok(i >= 0 && Math.hypot(put(i)[0] - p[0], put(i)[1] - p[1]) < 2, 'a click goes to the sample under it');
    await shot(page, 'learn-phase');
  });
});

test('any quantity can be plotted against any other', async () => {
  await withData(learnFourBar(), {}, async (page) => {
    await page.click('button.add');
    await page.fill('dialog.picker input[type=search]', 'motor torque');
    await page.locator('dialog.picker fieldset label').first().click();
    await page.selectOption('dialog.picker select[aria-label="Horizontal axis"]', { label: 'crank angle' });
    await page.click('dialog.picker button.primary');
    assert.equal(await page.locator('.plot-list .plot').first().locator('h3').textContent(), 'motor: torque against crank.angle');
    assert.match(await page.locator('.plot-list .plot').first().textContent(), /crank\.angle.*rad.*motor\.torque.*N·m/s);
  });
});

test('warnings of the program stand at their lines of the model', async () => {
  const data = fourBar(51);
  data.warnings = ['four_bar.toml:16:3: warning: body "coupler" is long. Is it?', 'The step size fell.', 'other.toml:3:1: warning: not here'];
  await withData(data, {}, async (page) => {
    await page.click('#tab-model');
    const found = page.locator('.code .finding');
    assert.deepEqual(await found.locator('.text').allTextContents(), ['body "coupler" is long. Is it?']);
    const before = await found.evaluate((e) => e.previousElementSibling.textContent);
    assert.match(before, /^16coupler/);
  });
});

/** What lies on what, sticks out, or cannot be seen, in the panel and its figures. */
const faults = (page) => page.evaluate(() => {
  const out = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) out.push(`page is ${document.documentElement.scrollWidth} wide in ${width}`);
  const panel = document.querySelector('#panel-learn'), rect = (e) => e.getBoundingClientRect();
  for (const e of document.querySelectorAll('[role=tab]')) if (innerWidth > 820 && rect(e).right > width + 0.5) out.push(`tab ${e.textContent} ends at ${rect(e).right}`);
  for (const e of panel.querySelectorAll('button, select, h3, figure, svg, p')) {
    const r = rect(e);
    if (r.width && !e.closest('.scroll-x') && (r.left < -0.5 || r.right > width + 0.5)) out.push(`${e.tagName}.${e.getAttribute('class')} from ${r.left} to ${r.right}`);
  }
  const blocks = [...(panel.querySelector('.learn-view')?.children ?? [])].filter((e) => rect(e).height > 0);
  blocks.forEach((a, i) => blocks.slice(i + 1).forEach((b) => {
    if (rect(a).bottom > rect(b).top + 3 && rect(b).bottom > rect(a).top + 3) out.push(`${a.className} and ${b.className} overlap`);
  }));
  for (const svg of panel.querySelectorAll('svg.diagram')) {
    const frame = rect(svg), texts = [...svg.querySelectorAll('text')].map((e) => [e.textContent, rect(e)]);
    texts.forEach(([text, p], i) => {
      if (p.left < frame.left - 1 || p.right > frame.right + 1 || p.top < frame.top - 1 || p.bottom > frame.bottom + 1) out.push(`"${text}" sticks out of its figure`);
      texts.slice(i + 1).forEach(([other, q]) => {
        // Boxes of text have air above and below the letters.
        if (p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 4 && q.top < p.bottom - 4) out.push(`"${text}" and "${other}" overlap`);
      });
    });
  }
  return out;
});

test('nothing overlaps or sticks out in three window sizes, and in the dark', async () => {
  for (const { size, theme } of kLooks) {
    await withData(learnFourBar(), { size, theme }, async (page) => {
      for (const t of [0.4, 1.3, 4.1]) {
        await seek(page, t);
        for (const id of kLessons) {
          await lesson(page, id);
          assert.deepEqual(await faults(page), [], `${id} at ${t} s, ${size}, ${theme}`);
          if (t === 1.3) await shot(page, `learn-${id}-${size[0]}-${theme}`);
        }
      }
    });
  }
});

test('names that look like markup are shown as text, and figures are saved with them', async () => {
  const evil = JSON.parse(JSON.stringify(learnFourBar(51)).replaceAll('coupler', kEvil));
  evil.redundant = kEvil;
  evil.series.find((s) => s.name === 'A.force.x').unique = false;
  evil.joints[2].name = kEvil;
  for (const action of evil.mechanics.actions) if (action.name === 'B') action.name = kEvil;
  evil.explanation.sections[0].title = kEvil;
  evil.explanation.sections[0].table.rows[0] = kEvil;
  evil.explanation.command = kEvil;
  evil.plots = [{ title: kEvil, x: `${kEvil}.angle`, series: [`${kEvil}.angle_rate`] }];
  evil.warnings = [`four_bar.toml:3:1: warning: ${kEvil}`];
  await withData(evil, {}, async (page) => {
    assert.ok((await page.textContent('.phase')).includes(kEvil));
    for (const id of kLessons) {
      await lesson(page, id);
      if (id === 'free-body') await page.evaluate((name) => window.linkwork.select('body', name), kEvil);
      assert.ok((await page.textContent('#panel-learn')).includes(kEvil), id);
    }
    await lesson(page, 'free-body');
    const [file] = await Promise.all([page.waitForEvent('download'), page.locator('button.save').first().click()]);
    assert.match(file.suggestedFilename(), /^four-bar-[-\w.]*forces\.svg$/);
    const text = readFileSync(await file.path(), 'utf8');
    assert.match(text, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.ok(!text.includes('<img') && text.includes('&lt;img') && /stroke="rgb/.test(text));
    await page.click('#tab-model');
    assert.ok((await page.textContent('.finding')).includes(kEvil));
    assert.equal(await page.locator('img, #app script, [onclick], [onerror], [href]').count(), 0);
  });
});

test('text has a contrast of at least 4.5 in every lesson, and every control a name', async () => {
  for (const id of kLessons) {
    await withData(learnFourBar(51), { theme: 'light' }, async (page) => {
      await lesson(page, id);
      for (const summary of await page.locator('#panel-learn summary:visible').all()) await summary.click();
      assert.deepEqual(await namelessControls(page), [], id);
      await checkContrast(page, ['learn']);
    });
  }
});

/** As when printing: the page's own preparation, then the layout of paper, 18 cm wide. */
async function toPaper(page) {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.setViewportSize({ width: 680, height: 960 });
  await page.emulateMedia({ media: 'print' });
  await frames(page);
}
const offPaper = async (page) => {
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
};

test('on paper everything is there, in light colours, and the page is as before afterwards', async () => {
  await withData(learnFourBar(101), { theme: 'dark' }, async (page) => {
    await page.click('#tab-model');
    await toPaper(page);
    assert.ok((await page.locator('.worked-balance math').count()) > 5, 'the balance is worked out');
    const [scene, canvas] = await Promise.all(['.scene', '.drawing canvas'].map((s) => page.locator(s).boundingBox()));
    assert.ok(canvas.height > 250 && canvas.height < 500 && canvas.width > 600, `the drawing is ${canvas.width} by ${canvas.height}`);
    assert.ok(canvas.y >= scene.y && canvas.y + canvas.height <= scene.y + scene.height + 1, 'and inside its frame');
    assert.ok((await inkedPixels(page)) > 800);
    assert.equal(await page.locator('.drawing canvas').evaluate((c) => c.getContext('2d').getImageData(1, 1, 1, 1).data[0] > 230), true, 'on light ground');
    await shot(page, 'paper');
    for (const id of ['plots', 'loads', 'learn', 'model', 'data']) assert.ok((await page.locator(`#panel-${id}`).boundingBox()).height > 60, id);
    assert.equal(await page.locator('#panel-learn svg.diagram').count(), 5);
    assert.equal(await page.locator('.worked:not([open])').count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    await offPaper(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.equal(await page.locator('.panel:not([hidden])').getAttribute('id'), 'panel-model');
    await lesson(page, 'worked');
    assert.equal(await page.locator('.worked[open]').count(), 0);
  });
});

test('a drawing in space is on paper, its names over it, also where printing leaves WebGL out', async () => {
  await withData(conicalPendulum(51), { theme: 'dark' }, async (page) => {
    await page.evaluate(() => window.linkwork.seek(1.3));
    await frames(page);
    /** Pixels of the canvas with the names that are not transparent. */
    const opaque = () => page.locator('.drawing .overlay').evaluate((c) => {
      const copy = document.createElement('canvas');
      [copy.width, copy.height] = [c.width, c.height];
      const ctx = copy.getContext('2d', { willReadFrequently: true });
      ctx.drawImage(c, 0, 0);
      const { data } = ctx.getImageData(0, 0, c.width, c.height);
      let count = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i] === 255) count++;
      return count / (c.width * c.height);
    });
    assert.ok((await opaque()) < 0.1);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.ok((await opaque()) > 0.99, 'the picture is on the canvas that printing keeps, at once');
    await toPaper(page);
    const [picture, names] = await Promise.all(['.drawing canvas:first-child', '.drawing .overlay'].map((s) => page.locator(s).boundingBox()));
    assert.deepEqual(names, picture);
    assert.ok(picture.height > 250 && picture.height < 500, `${picture.height} high`);
    assert.ok((await opaque()) > 0.99);
    assert.ok((await inkedPixels(page)) > 500);
    await shot(page, 'paper-in-space');
    await offPaper(page);
    await frames(page);
    assert.ok((await opaque()) < 0.1);
  });
});

test('equations and notes are open on paper, and closed again afterwards', async () => {
  const data = gallery();
  data.warnings = ['First.', 'Second.', 'Third.'];
  await withData(data, {}, async (page) => {
    assert.equal(await page.locator('#app details[open]').count(), 0);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.equal(await page.locator('#panel-equations math mfrac').count(), 1, 'at once, without a click');
    await toPaper(page);
    assert.equal(await page.locator('#app details:not([open])').count(), 0);
    for (const text of ['Second.', 'Third.']) assert.equal(await page.locator('.notice li', { hasText: text }).isVisible(), true);
    assert.ok((await page.locator('#panel-equations math').boundingBox()).height > 10);
    assert.equal(await page.locator('#panel-equations math').count(), 1, 'once');
    await offPaper(page);
    assert.equal(await page.locator('#app details[open]').count(), 0);
  });
});

test('without mechanics, samples or accelerations the page still works', async () => {
  const bare = fourBar(51);
  await withData(bare, {}, async (page) => assert.equal(await page.locator('#tab-learn').count(), 0));
  const still = learnFourBar(51);
  still.series = still.series.filter((s) => !s.name.endsWith('_acceleration'));
  for (const body of still.mechanics.bodies) body.acceleration = body.spin_rate = [];
  await withData(still, {}, async (page) => {
    await lesson(page, 'free-body');
    assert.match(await page.textContent('.learn-view .verdict'), /no accelerations at this time/);
    for (const id of kLessons) await lesson(page, id);
  });
});

for (const report of reports) {
  test(`report ${basename(report)}: the forces on each body are its mass times its acceleration`, async () => {
    await withFile(report, {}, async (page) => {
      const data = JSON.parse(await page.textContent('#linkwork-data')), time = decode(data.time);
      await lesson(page, 'free-body');
      for (const i of new Set([0, Math.floor(time.length / 3), time.length - 1])) {
        await seek(page, time[i]);
        for (const n of data.mechanics.bodies.slice(0, 12).keys()) {
          await page.selectOption('select[aria-label=Body]', String(n));
          assert.match(await page.textContent('.learn-view .verdict'), /add up to m a .*(is rounding|to the last bit)/s, `${data.mechanics.bodies[n].name} at sample ${i}`);
          assert.deepEqual(await faults(page), [], data.mechanics.bodies[n].name);
        }
      }
      for (const id of await page.locator('[data-lesson]').evaluateAll((all) => all.map((b) => b.dataset.lesson))) {
        await lesson(page, id);
        assert.deepEqual(await faults(page), [], id);
      }
      // Where the program found instant centres itself, they are the same.
      for (const [n, { name }] of data.mechanics.bodies.entries()) {
        const series = ['x', 'y'].map((axis) => data.series.find((s) => s.name === `${name}.instant_centre.${axis}`));
        if (!series[0]) continue;
        await lesson(page, 'centres');
        // At the sample where it is nearest.
        const [x, y] = series.map((s) => decode(s.values)), far = (j) => (Number.isFinite(x[j] + y[j]) ? Math.hypot(x[j], y[j]) : Infinity);
        const i = x.reduce((best, _, j) => (far(j) < far(best) ? j : best), 0);
        await seek(page, time[i]);
        const drawn = await page.locator(`[data-figure=centres] [data-centre="1 ${n + 2}"]`).evaluateAll((all) => all.map((e) => e.dataset.at.split(' ').map(Number)));
        near(drawn[0], [x[i], y[i]], 1e-9 * (1 + Math.hypot(x[i], y[i])), `centre of ${name}`);
      }
    });
  });
}
