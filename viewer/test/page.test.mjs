// Opens filled pages from disk in Chromium and checks what a person would: it plays, shows what the data says, and fits the window.
// Variables are those of browser.mjs.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkContrast, colouredAlong, colouredNear, folder, frames, inkedPixels, layoutFaults, namelessControls, readCsv, seriesOf, shot, slideTo, template, tipAt, withData, withFile } from './browser.mjs';
import { kLooks } from './looks.mjs';
import { decode, encode, fourBar, fourBarAngles, gallery, sliderPendulum } from './sample.mjs';

const kEvil = '<img src=x onerror=alert(1)>';

test('the template is one file with one marker and a closed policy', () => {
  assert.equal(template.split('/*LINKWORK_DATA*/').length, 2);
  assert.ok(Buffer.byteLength(template) < 700_000, `${Buffer.byteLength(template)} bytes`);
  assert.match(template, /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
  assert.doesNotMatch(template, /unsafe-inline|unsafe-eval|innerHTML\s*=/);
  assert.doesNotMatch(template, /<(script|link|img)[^>]+(src|href)=/);
});

test('a template without data says so', async () => {
  const path = join(folder, 'bare.html');
  writeFileSync(path, template);
  await withFile(path, {}, async (page) => assert.match(await page.textContent('.nothing'), /holds no run yet/));
});

test('the head shows title, method and four lamps that explain themselves', async () => {
  const data = fourBar();
  await withData(data, {}, async (page) => {
    assert.equal(await page.textContent('h1'), 'four-bar');
    assert.match(await page.textContent('.what'), /1 degree of freedom.*absolute, projection, dopri5/);
    const lamps = await page.locator('.lamp').allTextContents();
    assert.deepEqual(lamps, ['Closure2.3×10⁻¹⁵ m', 'Energy4.1×10⁻⁹ J', 'Rank8 of 8', 'Steps1482']);
    for (let i = 0; i < 4; i++) {
      await page.locator('.lamp').nth(i).click();
      const text = await page.textContent('dialog.popover');
      assert.ok(text.includes(data.ledger[i].sentence));
      for (const [key, value] of data.ledgerTable) assert.ok(text.includes(key) && text.includes(value));
    }
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog.popover[open]').count(), 0);
  });
});

test('the head tells freedoms of positions apart where they are others', async () => {
  await withData({ ...fourBar(), dof: 2, dofOfPositions: 3 }, {}, async (page) => {
    assert.match(await page.textContent('.what'), /2 degrees of freedom of velocities, 3 of positions/);
  });
});

test('it plays by itself, stops and goes on with the space bar, and repeats', async () => {
  await withData(fourBar(), { motion: 'no-preference' }, async (page) => {
    const time = () => page.evaluate(() => window.linkwork.time());
    await page.waitForFunction(() => window.linkwork.time() > 0.2);
    await slideTo(page, 7.25);  // a hand on the slider stops the motion there
    assert.equal(await time(), 7.25);
    assert.equal(await page.evaluate(() => window.linkwork.playing()), false);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.linkwork.time() > 7.3);
    await page.keyboard.press('Space');
    const stopped = await time();
    await page.waitForTimeout(200);
    assert.equal(await time(), stopped);
    await page.selectOption('.timebar select', '10');
    await page.keyboard.press('Escape');
    await page.click('.play');
    await page.waitForFunction((t) => window.linkwork.time() > t + 1, stopped);
    await page.evaluate(() => window.linkwork.seek(9.9));
    await page.click('.play');
    await page.waitForFunction(() => window.linkwork.time() < 5);
    assert.equal(await page.evaluate(() => window.linkwork.playing()), true);
  });
});

test('it does not move by itself when the user asks for reduced motion', async () => {
  await withData(fourBar(), { motion: 'reduce' }, async (page) => {
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => window.linkwork.time()), 0);
  });
});

test('the slider moves the bodies to the positions in the data', async () => {
  for (const data of [fourBar(), sliderPendulum()]) {
    await withData(data, {}, async (page) => {
      const time = decode(data.time);
      for (const k of [0, 1, 137, 298, time.length - 1]) {
        await slideTo(page, time[k]);
        for (const body of data.bodies) {
          // At a sample the drawn pose is the sample, to the last bit.
          assert.deepEqual(await page.evaluate((b) => window.linkwork.pose(b), body.name), body.pose.map((n) => seriesOf(data, n)[k]), `${body.name} at sample ${k}`);
        }
        assert.equal(await page.textContent('.time-value'), time[k].toFixed(3));
      }
      // Between samples the pose is linear between its neighbours.
      const t = 0.25 * time[40] + 0.75 * time[41];
      await slideTo(page, t);
      for (const body of data.bodies) {
        const pose = await page.evaluate((b) => window.linkwork.pose(b), body.name);
        body.pose.forEach((n, j) => {
          const values = seriesOf(data, n);
          // Four roundings of numbers below 30.
          assert.ok(Math.abs(pose[j] - (0.25 * values[40] + 0.75 * values[41])) < 3e-14);
        });
      }
    });
  }
});

test('the four-bar is drawn where its geometry says', async () => {
  await withData(fourBar(), {}, async (page) => {
    await slideTo(page, 2.5);
    await frames(page);
    const [crank, , rocker] = fourBarAngles(2.5);
    const A = [0.3 * Math.cos(crank), 0.3 * Math.sin(crank)], B = [0.9 + 0.6 * Math.cos(rocker), 0.6 * Math.sin(rocker)];
    for (const [name, [x, y]] of Object.entries({ A, B, D: [0.9, 0], O: [0, 0] })) {
      const [px, py] = await page.evaluate(([a, b]) => window.linkwork.screen(a, b), [x, y]);
      await page.mouse.click(px, py);
      assert.equal(await page.evaluate(() => document.querySelector('select.parts').selectedOptions[0].textContent), name);
    }
  });
});

test('a click on a part selects its quantities and its line', async () => {
  const data = fourBar();
  await withData(data, {}, async (page) => {
    await slideTo(page, 0);
    await frames(page);
    const [crank, coupler] = fourBarAngles(0);
    const middle = [0.3 * Math.cos(crank) + 0.5 * Math.cos(coupler), 0.3 * Math.sin(crank) + 0.5 * Math.sin(coupler)];
    const [px, py] = await page.evaluate(([a, b]) => window.linkwork.screen(a, b), middle);
    await page.mouse.move(px, py);
    assert.match(await page.textContent('.tip'), /coupler · body/);
    await page.mouse.click(px, py);
    assert.match(await page.textContent('.chosen h2'), /coupler/);
    // One plot for each unit of the body: m, rad, m/s, rad/s.
    assert.equal(await page.locator('.chosen .plot').count(), 4);
    const order = await page.evaluate(() => document.querySelector('.chosen').compareDocumentPosition(document.querySelector('.plot-list')));
    assert.ok(order & 4, 'the plots of the selection come first');
    await page.click('#tab-model');
    assert.match(await page.textContent('.line.selected'), /^16coupler/);
    await page.locator('.code .line').nth(21).click();
    assert.match(await page.textContent('.line.selected'), /^22B/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.line.selected').count(), 0);
  });
});

test('plots show curves, units and all digits, and set the time', async () => {
  const data = sliderPendulum();
  await withData(data, {}, async (page) => {
    assert.deepEqual(await page.locator('.plot-list .plot h3').allTextContents(), data.plots.map((p) => p.title));
    await page.waitForFunction(() => document.querySelectorAll('.plot-list canvas').length === 4);
    await frames(page);
    for (let i = 0; i < 4; i++) {
      const colours = await page.locator('.plot-list canvas').nth(i).evaluate((c) => {
        const { data: d } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
        let coloured = 0;
        for (let k = 0; k < d.length; k += 4) if (d[k + 3] > 200 && Math.max(d[k], d[k + 1], d[k + 2]) - Math.min(d[k], d[k + 1], d[k + 2]) > 80) coloured++;
        return coloured;
      });
      assert.ok(colours > 200, `plot ${i} has ${colours} coloured pixels`);
    }
    const over = page.locator('.plot-list .plot').first().locator('.u-over');
    const box = await over.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + 30);
    assert.ok(Math.abs((await page.evaluate(() => window.linkwork.time())) - 5) < 0.05);
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
    await page.locator('.plot-list .plot').first().locator('.plot-tip').waitFor({ state: 'visible' });
    const shown = await page.locator('.plot-list .plot').first().locator('.plot-tip .value').allTextContents();
    const k = decode(data.time).indexOf(Number(shown[0]));
    assert.ok(k > 0);
    assert.deepEqual(shown.slice(1), ['pendulum.angle', 'pendulum.angle_rate'].map((n) => String(seriesOf(data, n)[k])));
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + 40, { steps: 3 });
    await page.mouse.up();
    assert.ok(Math.abs((await page.evaluate(() => window.linkwork.time())) - 7.5) < 0.05);
    assert.match(await page.locator('.plot-list .plot').nth(1).textContent(), /Constraint violationlog.*m\/s²/);
  });
});

test('zeros on a logarithmic axis lie on a floor', async () => {
  const data = fourBar();
  const item = data.series.find((s) => s.name === 'violation.position'), values = decode(item.values);
  values.fill(0, 200, 400);  // a third of the run: only a line along the floor can show it
  item.values = encode(values);
  for (const name of ['violation.position', 'D.moment']) {  // the second is zero all along
    data.plots = [{ title: 'Size', series: [name], log: true }];
    await withData(data, {}, async (page) => {
      await frames(page);
      const found = await page.locator('.plot-list canvas').first().evaluate((c) => {
        const { data: d, width, height } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
        const coloured = (x, y) => {
          const k = 4 * (y * width + x);
          return d[k + 3] > 150 && Math.max(d[k], d[k + 1], d[k + 2]) - Math.min(d[k], d[k + 1], d[k + 2]) > 80;
        };
        const rows = [];
        for (let x = Math.round(0.5 * width); x < 0.6 * width; x++) for (let y = 0; y < height; y++) if (coloured(x, y)) rows.push(y / height);
        let top = 1;
        for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (coloured(x, y)) top = Math.min(top, y / height);
        return { columns: Math.floor(0.1 * width), pixels: rows.length, least: Math.min(...rows), most: Math.max(...rows), top };
      });
      assert.ok(found.pixels >= found.columns - 2, `${name}: ${found.pixels} pixels in ${found.columns} columns`);
      assert.ok(found.least > 0.75 && found.most < 0.9, `${name}: the zeros lie at the foot of the plot (${found.least} to ${found.most})`);
      if (name === 'violation.position') assert.ok(found.top < 0.45, 'the other values lie above');
    });
  }
});

test('plots are added by searching and removed again', async () => {
  await withData(fourBar(), {}, async (page) => {
    const plots = page.locator('.plot-list .plot');
    const had = await plots.count();
    await page.click('button.add');
    await page.fill('dialog.picker input[type=search]', 'rocker rate');
    const labels = await page.locator('dialog.picker fieldset label .name').allTextContents();
    assert.deepEqual(labels, ['x rate', 'y rate', 'angle rate']);
    await page.locator('dialog.picker fieldset label').nth(0).click();
    await page.locator('dialog.picker fieldset label').nth(2).click();
    await page.click('dialog.picker button.primary');
    assert.equal(await plots.count(), had + 1);
    assert.equal(await plots.first().locator('h3').textContent(), 'rocker: x rate, angle rate');
    await plots.first().locator('button.close').click();
    assert.equal(await plots.count(), had);
  });
});

test('the loads table tells the largest reaction and its time', async () => {
  const data = sliderPendulum();
  await withData(data, {}, async (page) => {
    await page.click('#tab-loads');
    const [x, y, time] = [seriesOf(data, 'hinge.force.x'), seriesOf(data, 'hinge.force.y'), decode(data.time)];
    let k = 0;
    for (let i = 0; i < x.length; i++) if (Math.hypot(x[i], y[i]) > Math.hypot(x[k], y[k])) k = i;
    const cells = page.locator('tbody tr', { hasText: 'hinge' }).locator('td');
    assert.equal(await cells.nth(0).getAttribute('title'), String(Math.hypot(x[k], y[k])));
    await cells.nth(1).locator('button').click();
    assert.equal(await page.evaluate(() => window.linkwork.time()), time[k]);
  });
});

test('polar plots show what each bearing carries, in the axes asked for', async () => {
  const data = fourBar();
  await withData(data, {}, async (page) => {
    await page.click('#tab-loads');
    const plot = page.locator('.polar[aria-label="Load of A"]');
    assert.equal(await page.locator('.polar').count(), 4);
    assert.equal(await page.locator('.polar .tag').allTextContents().then((tags) => tags.join()), 'not unique');
    const [x, y, angle, time] = ['A.force.x', 'A.force.y', 'coupler.angle'].map((name) => seriesOf(data, name)).concat([decode(data.time)]);
    const outer = 84, middle = 110;
    const tip = () => plot.locator('.polar-tip').evaluate((e) => [Number(e.getAttribute('cx')), Number(e.getAttribute('cy'))]);
    const radii = await plot.locator('circle.polar-ring').evaluateAll((all) => all.map((e) => Number(e.getAttribute('r'))));
    assert.ok(Math.abs(Math.max(...radii) - outer) < 1e-9);
    const rim = Number((await plot.locator('.polar-number').last().textContent()).replace('−', '-'));
    const k = 137;
    await page.evaluate((t) => window.linkwork.seek(t), time[k]);
    const near = (a, b) => assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) < 0.01, `${a} against ${b}`);
    near(await tip(), [middle + (x[k] * outer) / rim, middle - (y[k] * outer) / rim]);
    // In the axes of the second body the same force is turned back by its angle: as long as before.
    await page.selectOption('select[aria-label="Axes of the polar plots"]', 'second');
    const c = Math.cos(angle[k]), s = Math.sin(angle[k]);
    near(await tip(), [middle + ((c * x[k] + s * y[k]) * outer) / rim, middle - ((c * y[k] - s * x[k]) * outer) / rim]);
    assert.match(await plot.locator('.polar-caption').textContent(), /on coupler, axes of coupler; most .* N, now .* N/);
    // On the first body acts the opposite force.
    await page.selectOption('select[aria-label="Axes of the polar plots"]', 'first');
    assert.match(await plot.locator('.polar-caption').textContent(), /on crank, axes of crank/);
    await shot(page, 'polar');
  });
});

test('the CSV holds every digit', async () => {
  const data = fourBar(101);
  await withData(data, {}, async (page) => {
    await page.click('#tab-data');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('text=Download CSV')]);
    assert.equal(file.suggestedFilename(), 'four-bar.csv');
    const table = readCsv(readFileSync(await file.path(), 'utf8'));
    assert.deepEqual(table.get('time [s]'), [...decode(data.time)]);
    for (const s of data.series) assert.deepEqual(table.get(`${s.name} [${s.unit}]`), [...decode(s.values)]);
  });
});

test('keys move through the run', async () => {
  const data = fourBar();
  const time = decode(data.time);
  await withData(data, {}, async (page) => {
    const now = () => page.evaluate(() => window.linkwork.time());
    await page.keyboard.press('ArrowRight');
    assert.equal(await now(), time[1]);
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await now(), time[11]);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await now(), time[10]);
    await page.keyboard.press('End');
    assert.equal(await now(), time[time.length - 1]);
    await page.keyboard.press('Home');
    assert.equal(await now(), 0);
    const labels = page.locator('.toggles .toggle').first();
    assert.equal(await labels.getAttribute('aria-pressed'), 'true');
    await page.keyboard.press('l');
    assert.equal(await labels.getAttribute('aria-pressed'), 'false');
    await page.locator('#tab-plots').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('#tab-loads', 'aria-selected'), 'true');
    assert.equal(await now(), 0);
  });
});

test('of two samples at one time, left and right of a jump, the right one counts', async () => {
  const data = fourBar(), k = 40;
  const twice = (column) => { const v = [...decode(column)]; v.splice(k, 0, v[k]); return v; };
  const time = twice(data.time);
  data.time = encode(time);
  for (const s of data.series) s.values = encode(twice(s.values));
  const angle = data.series.find((s) => s.name === 'crank.angle'), values = decode(angle.values);
  values[k] += 1;  // left of the jump
  angle.values = encode(values);
  await withData(data, {}, async (page) => {
    const at = (t) => page.evaluate((to) => { window.linkwork.seek(to); return window.linkwork.pose('crank')[2]; }, t);
    assert.equal(await at(time[k]), values[k + 1]);
    assert.equal(await at(time[k] - 1e-12), values[k + 1]);  // what a slider returns
    assert.ok(Math.abs(await at(0.5 * (time[k - 1] + time[k])) - 0.5 * (values[k - 1] + values[k])) < 1e-12);
    await at(time[k - 1]);
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => window.linkwork.time()), time[k]);
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => window.linkwork.time()), time[k + 2]);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.evaluate(() => window.linkwork.time()), time[k - 1]);
  });
});

test('wheel and drag move the view, and it can be framed again', async () => {
  await withData(fourBar(), {}, async (page) => {
    const at = () => page.evaluate(() => [window.linkwork.screen(0, 0), window.linkwork.screen(1, 0)]);
    await frames(page);
    const framed = await at();
    await page.mouse.move(400, 400);
    await page.mouse.wheel(0, -300);
    await frames(page);
    const zoomed = await at();
    assert.ok(zoomed[1][0] - zoomed[0][0] > 1.2 * (framed[1][0] - framed[0][0]));
    await page.mouse.move(300, 750);
    await page.mouse.down();
    await page.mouse.move(360, 720, { steps: 4 });
    await page.mouse.up();
    const panned = await at();
    assert.ok(panned[0][0] > zoomed[0][0] + 40 && panned[0][1] < zoomed[0][1] - 20);
    await page.keyboard.press('0');
    assert.deepEqual(await at(), framed);
  });
});

test('names that look like markup are shown as text', async () => {
  const data = fourBar(51);
  const text = JSON.stringify(data).replaceAll('coupler', kEvil.replace(/"/g, ''));
  const evil = JSON.parse(text);
  evil.title = kEvil;
  evil.warnings = [kEvil, '</script><script>alert(2)</script>'];
  evil.run.message = kEvil;
  evil.run.status = 'failed';
  evil.ledger[0].sentence = kEvil;
  evil.ledgerTable.push([kEvil, kEvil]);
  evil.provenance.push([kEvil, kEvil]);
  evil.joints[1].name = kEvil;
  evil.plots.push({ title: kEvil, series: [`${kEvil}.angle`] });
  evil.equations = { title: kEvil, text: [kEvil], command: kEvil, sections: [{ title: kEvil, mathml: '<math><mi onclick="alert(3)" href="javascript:alert(4)">x</mi><script>alert(5)</script><annotation-xml encoding="text/html"><img src="x"/></annotation-xml></math>' }] };
  evil.model.text += `\n# ${kEvil} \u2028 </script> <!--`;
  await withData(evil, {}, async (page) => {
    assert.equal(await page.textContent('h1'), kEvil);
    await page.evaluate((name) => window.linkwork.select('body', name), kEvil);
    assert.ok((await page.textContent('.chosen h2')).startsWith(kEvil));
    await page.locator('.lamp').first().click();
    assert.ok((await page.textContent('dialog.popover')).includes(kEvil));
    await page.keyboard.press('Escape');
    for (const id of ['loads', 'equations', 'model', 'data', 'plots']) {
      await page.click(`#tab-${id}`);
      assert.ok((await page.textContent(`#panel-${id}`)).includes(kEvil.slice(0, id === 'model' ? 20 : 99)), id);
    }
    await page.click('#tab-equations');
    await page.click('#panel-equations summary');
    await page.waitForSelector('#panel-equations math');
    await page.click('#tab-plots');
    await page.click('button.add');
    assert.ok((await page.textContent('dialog.picker')).includes(kEvil));
    assert.equal(await page.locator('img, #app script, dialog script, annotation-xml, [onclick], [onerror], [href]').count(), 0);
  });
});

test('equations appear as mathematics when the report has them, and a section is opened', async () => {
  await withData(gallery(), {}, async (page) => {
    await page.click('#tab-equations');
    assert.match(await page.textContent('#panel-equations'), /Form rud\..*linkwork equations gallery\.toml/s);
    assert.equal(await page.locator('#panel-equations details[open]').count(), 0);
    assert.equal(await page.locator('#panel-equations math').count(), 0);
    await page.click('#panel-equations summary:text("Motion")');
    await page.waitForSelector('#panel-equations math mfrac');
    assert.equal(await page.locator('#panel-equations math mfrac').count(), 1);
    await shot(page, 'equations');
  });
  await withData(fourBar(51), {}, async (page) => assert.equal(await page.locator('#tab-equations').count(), 0));
});

test('equations too long for the page are told by the command that prints them', async () => {
  const data = fourBar(51);
  data.equations = { title: 'Equations of motion', text: [], command: 'linkwork equations four_bar.toml', sections: [] };
  await withData(data, {}, async (page) => {
    await page.click('#tab-equations');
    assert.match(await page.textContent('#panel-equations'), /too long for this page.*linkwork equations four_bar\.toml/s);
  });
});

function cutTo(data, count) {
  data.time = encode(decode(data.time).slice(0, count));
  data.series.forEach((s) => (s.values = encode(decode(s.values).slice(0, count))));
  return data;
}

test('no samples, or a single one, do not break the page', async () => {
  for (const count of [0, 1]) {
    await withData(cutTo(fourBar(51), count), { motion: 'no-preference' }, async (page) => {
      await frames(page);
      assert.equal(await page.locator('.play').isDisabled(), true);
      assert.match(await page.textContent('.notices'), count ? /Only one sample/ : /No samples were recorded/);
      for (const key of ['Space', 'ArrowRight', 'ArrowLeft', 'End', 'Home']) await page.keyboard.press(key);
      await page.evaluate(() => window.linkwork.select('body', 'crank'));
      for (const id of ['loads', 'model', 'data', 'plots']) await page.click(`#tab-${id}`);
      const pose = await page.evaluate(() => window.linkwork.pose('crank'));
      if (count) assert.deepEqual(pose, [0, 0, Math.PI / 6]);
      else assert.ok(pose.every(Number.isNaN));
    });
  }
  await withData({ format: 'linkwork-page', version: 1 }, {}, async (page) => assert.match(await page.textContent('.notices'), /No samples/));
});

test('values that are not numbers are gaps, and the page says so', async () => {
  const data = fourBar();
  for (const name of ['coupler.x', 'coupler.y', 'coupler.angle', 'violation.position', 'O.force.x']) {
    const item = data.series.find((s) => s.name === name), values = decode(item.values);
    for (let i = 200; i < 300; i++) values[i] = i % 3 ? NaN : Infinity;
    item.values = encode(values);
  }
  await withData(data, {}, async (page) => {
    assert.match(await page.textContent('.notices'), /5 of \d+ quantities hold values that are not numbers/);
    await page.keyboard.press('r');
    await slideTo(page, decode(data.time)[250]);
    await frames(page);
    assert.ok((await page.evaluate(() => window.linkwork.pose('coupler'))).every((v) => !Number.isFinite(v)));
    assert.ok((await inkedPixels(page)) > 1000, 'the other bodies are still drawn');
    assert.match(await page.locator('.plot-list .plot').first().textContent(), /coupler\.angle–rad/);
    await page.click('#tab-loads');
    assert.doesNotMatch(await page.textContent('#panel-loads'), /NaN|Infinity/);
  });
});

test('a failed run says why, and what there is can be seen', async () => {
  const data = cutTo(fourBar(), 120);
  data.run.status = 'failed';
  data.run.message = 't = 1.983 s: the mechanism passes a dead point: joints "B" and "D" leave two ways to go.';
  data.warnings = ['The step size fell to 1e-12 s.'];
  await withData(data, {}, async (page) => {
    assert.match(await page.textContent('.notice.poor'), /The run failed.*dead point/);
    assert.match(await page.textContent('.notice.fair'), /1×10⁻¹² s/);
    assert.equal(await page.locator('.play').isDisabled(), false);
    await shot(page, 'failed');
  });
});

test('nothing overlaps or sticks out in three window sizes, and in the dark', async () => {
  for (const [name, make] of Object.entries({ 'four-bar': fourBar, 'slider-pendulum': sliderPendulum, gallery })) {
    for (const { size, theme } of kLooks) {
      await withData(make(), { size, theme }, async (page) => {
        await page.evaluate(() => window.linkwork.seek(1.3));
        await frames(page);
        assert.ok((await inkedPixels(page)) > 800, 'something is drawn');
        await shot(page, `${name}-${size[0]}-${theme}`);
        for (const id of ['loads', 'model', 'data', 'plots']) {
          await page.click(`#tab-${id}`);
          assert.deepEqual(await layoutFaults(page), [], `${name} ${size} ${theme} ${id}`);
          await shot(page, `${name}-${size[0]}-${theme}-${id}`);
        }
      });
    }
  }
});

test('text has a contrast of at least 4.5 in light and dark, and T changes the theme', async () => {
  const data = fourBar(51);
  data.run.status = 'failed';
  data.run.message = 'Example.';
  data.warnings = ['Example.'];
  await withData(data, { theme: 'light' }, (page) => checkContrast(page, ['plots', 'loads', 'model', 'data']));
  data.run.status = 'stopped by an event';
  data.equations = gallery().equations;
  await withData(data, { theme: 'light' }, async (page) => {
    await page.click('#tab-equations');
    await page.click('#panel-equations summary');
    await checkContrast(page, ['equations']);
  });
});

test('every control has a name', async () => {
  for (const data of [fourBar(51), gallery()]) {
    data.warnings = ['One.', 'Two.'];
    await withData(data, {}, async (page) => {
      await page.evaluate(() => window.linkwork.select('body', document.querySelector('select.parts optgroup option').textContent));
      for (const id of await page.locator('[role=tab]').evaluateAll((all) => all.map((e) => e.id))) {
        await page.click(`#${id}`);
        assert.deepEqual(await namelessControls(page), [], id);
      }
      await page.click('#tab-plots');
      await page.click('button.add');
      assert.deepEqual(await namelessControls(page), [], 'the picker');
    });
  }
});

// ---- What is drawn in the plane ----------------------------------------------------------------------------------

const arrows = (page) => page.evaluate(() => window.linkwork.arrows());
const screen = (page, [x, y]) => page.evaluate((p) => window.linkwork.screen(...p), [x, y]);
const straight = ({ from, to }) => (w) => [0, 1].map((k) => from[k] + (0.2 + 0.5 * w) * (to[k] - from[k]));
/** Along an arc of 1.6 pi from below, counter-clockwise. */
const arc = ({ from, to }) => (w) => {
  const radius = Math.hypot(to[0] - from[0], to[1] - from[1]), angle = Math.PI / 2 - (0.1 + 0.6 * w) * 1.6 * Math.PI;
  return [from[0] + radius * Math.cos(angle), from[1] + radius * Math.sin(angle)];
};
const kSample = 78;  // at 1.3 s: nothing lies on the arrows

/** Joint O has a moment that is unique and a force that is not; joint D a force that is unique and a moment that is not. */
function halfUnique() {
  const data = fourBar(), series = (name) => data.series.find((s) => s.name === name);
  for (const name of ['O.moment', 'D.moment']) series(name).values = encode(new Float64Array(601).fill(2));
  for (const name of ['O.force.x', 'O.force.y', 'D.moment']) series(name).unique = false;
  for (const k of [0, 3]) data.joints[k].reaction.unique = false;
  data.redundant = '1 of 9 constraint equations follow from the others (D.x)';
  data.drives = [];  // its arrow lies where the moment of O does
  return data;
}

test('reactions in the plane are arrows to scale, solid where they are unique and dashed where not, each for itself', async () => {
  const data = halfUnique(), at = (name) => seriesOf(data, name)[kSample];
  await withData(data, {}, async (page) => {
    await page.evaluate((t) => window.linkwork.seek(t), decode(data.time)[kSample]);
    await frames(page);
    assert.deepEqual(await arrows(page), []);
    await page.keyboard.press('l');  // names would lie on the arrows
    await page.keyboard.press('r');
    await frames(page);
    const shown = await arrows(page), find = (of, name) => shown.find((a) => a.of === of && a.name === name);
    assert.deepEqual(shown.map((a) => `${a.name} ${a.of}${a.dashed ? ' dashed' : ''}`), ['O force dashed', 'O moment', 'A force', 'B force', 'D force', 'D moment dashed']);
    const scales = ['O', 'A', 'B', 'D'].map((name) => {
      const { from, to } = find('force', name), force = ['x', 'y'].map((a) => at(`${name}.force.${a}`)), size = Math.hypot(...force), length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      assert.ok(Math.hypot((to[0] - from[0]) / length - force[0] / size, (to[1] - from[1]) / length + force[1] / size) < 1e-9, `direction of ${name}`);
      return length / size;
    });
    for (const scale of scales) assert.ok(Math.abs(scale - scales[0]) < 1e-9 * scales[0], `${scales}`);
    // What the pixels say.
    assert.ok((await colouredAlong(page, 'force', straight(find('force', 'D')))) > 0.95);
    const dashes = await colouredAlong(page, 'force', straight(find('force', 'O')));
    assert.ok(dashes > 0.3 && dashes < 0.9, `${dashes} of the dashed force`);
    assert.ok((await colouredAlong(page, 'force', arc(find('moment', 'O')))) > 0.95);
    const gaps = await colouredAlong(page, 'force', arc(find('moment', 'D')));
    assert.ok(gaps > 0.3 && gaps < 0.9, `${gaps} of the dashed moment`);
    await shot(page, 'planar-reactions');
    // The reason stands at the dashes.
    const { from, to } = find('force', 'O');
    await page.mouse.move(0.3 * from[0] + 0.7 * to[0], 0.3 * from[1] + 0.7 * to[1]);
    assert.match(await page.textContent('.tip'), /^force in O: [\d.]+ N, one of many that fit: 1 of 9 constraint equations follow from the others \(D\.x\)\. The smallest/);
    const solid = find('force', 'D');
    await page.mouse.move(0.3 * solid.from[0] + 0.7 * solid.to[0], 0.3 * solid.from[1] + 0.7 * solid.to[1]);
    assert.match(await page.textContent('.tip'), /^force in D: [\d.]+ N$/);
    await page.mouse.move(5, 300);
    await page.keyboard.press('r');
    await frames(page);
    assert.deepEqual(await arrows(page), []);
    assert.ok((await colouredAlong(page, 'force', straight(solid))) < 0.05);
  });
});

test('of a force that is not unique the named part is solid, and what it leaves is dashed', async () => {
  const data = fourBar();
  for (const a of ['x', 'y']) {
    const item = data.series.find((s) => s.name === `D.force.${a}`), values = decode(item.values);
    item.unique = false;
    data.series.push({ name: `D.unique_force.${a}`, unit: 'N', group: 'D', label: `unique force ${a}`, values: encode(values.map((v) => v - (a === 'x' ? 20 : -30))) });
  }
  Object.assign(data.joints[3].reaction, { unique: false, unique_force: ['D.unique_force.x', 'D.unique_force.y'] });
  await withData(data, {}, async (page) => {
    await page.evaluate(() => window.linkwork.seek(1.3));
    await page.keyboard.press('r');
    await frames(page);
    const [sure, rest] = (await arrows(page)).filter((a) => a.name === 'D' && a.of === 'force');
    assert.deepEqual([sure.dashed, rest.dashed], [false, true]);
    const slope = (rest.to[1] - rest.from[1]) / (rest.to[0] - rest.from[0]);
    assert.ok(Math.abs(slope - 1.5) < 1e-6, 'along (20, -30) N');
  });
});

test('velocities in the plane are arrows at the mass centres, with their scale', async () => {
  const data = fourBar(), at = (name) => seriesOf(data, name)[kSample];
  await withData(data, {}, async (page) => {
    await page.evaluate((t) => window.linkwork.seek(t), decode(data.time)[kSample]);
    await frames(page);
    const foot = await page.locator('.drawing canvas').boundingBox(), inFoot = () => colouredNear(page, 'series-3', [foot.x + 200, foot.y + foot.height - 60], 59);
    assert.equal(await inFoot(), 0);
    await page.keyboard.press('l');
    await page.keyboard.press('v');
    await frames(page);
    assert.equal(await page.locator('.toggle:text("Velocities")').getAttribute('aria-pressed'), 'true');
    assert.ok((await inFoot()) > 60, 'the scale stands below');
    const shown = await arrows(page), lengths = [];
    assert.deepEqual(shown.map((a) => `${a.of} ${a.name}`), ['velocity crank', 'velocity coupler', 'velocity rocker']);
    for (const { name, from, to } of shown) {
      const [x, y, a, vx, vy, w] = ['x', 'y', 'angle', 'x_rate', 'y_rate', 'angle_rate'].map((n) => at(`${name}.${n}`)), half = data.bodies.find((b) => b.name === name).com[0];
      const arm = [half * Math.cos(a), half * Math.sin(a)], v = [vx - w * arm[1], vy + w * arm[0]], size = Math.hypot(...v), length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      const centre = await screen(page, [x + arm[0], y + arm[1]]);
      assert.ok(Math.hypot(from[0] - centre[0], from[1] - centre[1]) < 1e-6, `${name} starts at its mass centre`);
      assert.ok(Math.hypot((to[0] - from[0]) / length - v[0] / size, (to[1] - from[1]) / length + v[1] / size) < 1e-9, `direction of ${name}`);
      assert.ok((await colouredAlong(page, 'series-3', straight({ from, to }))) > 0.9, `${name} is drawn`);
      lengths.push(length / size);
    }
    for (const scale of lengths) assert.ok(Math.abs(scale - lengths[0]) < 1e-9 * lengths[0]);
    await shot(page, 'planar-velocities');
  });
  const bare = fourBar(51);
  bare.series = bare.series.filter((s) => !s.name.endsWith('_rate'));
  await withData(bare, {}, async (page) => assert.equal(await page.locator('.toggle:text("Velocities"):visible').count(), 0));
});

test('the joint at which a loop was opened is marked in the plane', async () => {
  const marked = [];
  for (const cut of [true, false]) {
    const data = fourBar();
    data.joints[2].cut = cut;
    await withData(data, {}, async (page) => {
      await page.evaluate(() => window.linkwork.seek(1.3));
      await frames(page);
      const [crank, coupler] = fourBarAngles(1.3), B = [0.3 * Math.cos(crank) + 0.8 * Math.cos(coupler), 0.3 * Math.sin(crank) + 0.8 * Math.sin(coupler)], at = await screen(page, B);
      marked.push(await colouredNear(page, 'muted', at, 24));
      await page.mouse.move(...at);
      assert.equal(/the loop is opened here/.test(await page.textContent('.tip')), cut);
    });
  }
  assert.ok(marked[0] > marked[1] + 40, `${marked} pixels`);
});

test('actuators of joints are drawn in the plane: what turns as a bent arrow, what slides as a straight one', async () => {
  const turned = [], slid = [];
  for (const wanted of [true, false]) {
    const data = fourBar(), more = gallery();
    if (wanted) {
      data.loads.push({ name: 'servo', kind: 'joint_actuator', first: { body: 'crank', point: [0.3, 0] }, second: { body: 'coupler', point: [0, 0] } });
      more.loads.push({ name: 'pusher', kind: 'joint_actuator', first: { body: null, point: [0.4, 0] }, second: { body: 'yoke', point: [0.4, 0] } });
      more.series.push({ name: 'pusher.slide', unit: 'm', group: 'pusher', label: 'slide', values: more.series[0].values });
    }
    await withData(data, {}, async (page) => {
      await page.evaluate(() => window.linkwork.seek(1.3));
      await frames(page);
      const [crank] = fourBarAngles(1.3), at = await screen(page, [0.3 * Math.cos(crank), 0.3 * Math.sin(crank)]);
      turned.push(await colouredNear(page, 'accent', at, 40));
      if (!wanted) return;
      await page.mouse.move(at[0] - 20, at[1]);
      assert.match(await page.textContent('.tip'), /^servo · joint actuator/);
    });
    await withData(more, {}, async (page) => {
      await page.evaluate(() => window.linkwork.seek(1.3));
      await frames(page);
      slid.push(await colouredNear(page, 'accent', await screen(page, [seriesOf(more, 'yoke.x')[52] + 0.4, 0]), 40));
    });
  }
  assert.ok(turned[0] > turned[1] + 60 && slid[0] > slid[1] + 30, `${turned} and ${slid} pixels`);
});

test('a spring stretches between its two ends', async () => {
  await withData(fourBar(), {}, async (page) => {
    const ends = (t) => {
      const r = fourBarAngles(t)[2];
      return [[1.25, 0.35], [0.9 + 0.5 * Math.cos(r), 0.5 * Math.sin(r)]];
    };
    const lengths = [];
    for (const [t, other] of [[0.85, 1.65], [1.65, 0.85]]) {
      await page.evaluate((time) => window.linkwork.seek(time), t);
      await frames(page);
      const [a, b] = await Promise.all(ends(t).map((p) => screen(page, p))), elsewhere = await screen(page, ends(other)[1]);
      for (const end of [a, b]) assert.ok((await colouredNear(page, 'spring', end, 1.5)) > 0, 'an eye at the end');
      assert.ok(Math.hypot(elsewhere[0] - b[0], elsewhere[1] - b[1]) > 40, 'the end has moved');
      // In every tenth of the way there is a coil or a damper.
      for (let k = 0; k < 10; k++) assert.ok((await colouredNear(page, 'spring', [0, 1].map((j) => a[j] + ((k + 0.5) / 10) * (b[j] - a[j])), 22)) > 5, `tenth ${k}`);
      assert.equal(await colouredNear(page, 'spring', [0, 1].map((j) => a[j] + 1.4 * (a[j] - b[j]) / Math.hypot(a[0] - b[0], a[1] - b[1]) * 40), 8), 0, 'nothing beyond the wall');
      lengths.push(Math.hypot(a[0] - b[0], a[1] - b[1]));
    }
    assert.ok(Math.abs(lengths[0] - lengths[1]) > 30, `${lengths} pixels long`);
  });
});

test('a trace is the path of its point, with a tail behind it', async () => {
  await withData(fourBar(), {}, async (page) => {
    const traced = (t) => {
      const [crank, coupler] = fourBarAngles(t), c = Math.cos(coupler), s = Math.sin(coupler);
      return [0.3 * Math.cos(crank) + 0.4 * c - 0.15 * s, 0.3 * Math.sin(crank) + 0.4 * s + 0.15 * c];
    };
    for (const t of [1.2, 4.7]) {
      await page.evaluate((time) => window.linkwork.seek(time), t);
      await frames(page);
      const here = await screen(page, traced(t)), behind = await screen(page, traced(t - 0.05)), ahead = await screen(page, traced(t + 0.12));
      assert.ok((await colouredNear(page, 'series-2', here, 3)) > 15, 'a dot at the point');
      assert.ok((await colouredNear(page, 'series-2', behind, 2)) > 0, 'the tail behind it');
      const paper = await colouredNear(page, 'paper', ahead, 1.5);
      await page.click('.toggle:text("Traces")');
      await frames(page);
      assert.equal(await colouredNear(page, 'series-2', here, 3), 0);
      assert.ok((await colouredNear(page, 'paper', ahead, 1.5)) > paper, 'and gone without traces');
      await page.click('.toggle:text("Traces")');
    }
  });
});

test('the markers of the plots stand at the time', async () => {
  await withData(fourBar(), {}, async (page) => {
    await page.waitForFunction(() => document.querySelectorAll('.plot-list .u-over .marker').length === 4);
    for (const t of [0, 2.5, 9]) {
      await page.evaluate((time) => window.linkwork.seek(time), t);
      await frames(page);
      const places = await page.locator('.plot-list .u-over').evaluateAll((all) => all.map((over) => {
        const line = over.querySelector('.marker').getBoundingClientRect(), box = over.getBoundingClientRect();
        return { share: (0.5 * (line.left + line.right) - box.left) / box.width, height: line.height, width: line.width };
      }));
      for (const { share, height, width } of places) assert.ok(Math.abs(share - t / 10) < 0.006 && height > 50 && width >= 1, `${share} at ${t} s`);
    }
  });
});

test('a damaged column is told and left empty', async () => {
  const data = fourBar(51);
  data.series.find((s) => s.name === 'O.force.x').values = '%%% no base64 %%%';
  data.series.find((s) => s.name === 'energy.kinetic').values += 'A';  // cut off in the middle
  await withData(data, {}, async (page) => {
    assert.match(await page.textContent('.notices'), /values of "O\.force\.x" are damaged.*"energy\.kinetic" are damaged/s);
    assert.equal(await page.textContent('h1'), 'four-bar');
    await page.keyboard.press('r');
    for (const id of ['loads', 'data', 'plots']) await page.click(`#tab-${id}`);
    await frames(page);
    assert.ok((await inkedPixels(page)) > 1000);
  });
  data.time = '?';
  await withData(data, {}, async (page) => assert.match(await page.textContent('.notices'), /values of time are damaged.*No samples/s));
});

test('a plate that is not convex leaves its notch free, in the plane and in space', async () => {
  const data = fourBar(51), outline = [[0, -0.4], [0.4, -0.4], [0.4, -0.3], [0.1, -0.3], [0.1, 0], [0, 0]];
  data.bodies.push({ name: 'bracket', line: 0, pose: ['crank.x', 'crank.y', 'crank.angle'], com: [0.05, -0.3], shapes: [{ kind: 'polygon', points: outline }] });
  await withData(data, {}, async (page) => {
    await page.evaluate(() => window.linkwork.seek(0));
    const [x, y, angle] = await page.evaluate(() => window.linkwork.pose('bracket'));
    const at = (u, v) => [x + u * Math.cos(angle) - v * Math.sin(angle), y + u * Math.sin(angle) + v * Math.cos(angle)];
    for (const inSpace of [false, true]) {
      await page.evaluate((yes) => window.linkwork.viewInSpace(yes), inSpace);
      await frames(page);
      for (const p of [[0.05, -0.2], [0.3, -0.35], [0.05, -0.35]]) assert.match(await tipAt(page, ...at(...p)), /bracket/, `${p}`);
      for (const p of [[0.2, -0.2], [0.3, -0.1]]) assert.doesNotMatch(await tipAt(page, ...at(...p)), /bracket/, `${p}`);
      await shot(page, `notched-plate${inSpace ? '-in-space' : ''}`);
    }
  });
});

test('a run that an event stopped says so', async () => {
  const data = fourBar(51);
  Object.assign(data.run, { status: 'stopped by an event', message: 't = 10 s: event "stop" ended the run.' });
  await withData(data, {}, async (page) => {
    assert.equal(await page.textContent('.notice.plain'), 'Stopped by an event. t = 10 s: event "stop" ended the run.');
    assert.equal(await page.locator('.notice.poor, .notice.fair').count(), 0);
    await shot(page, 'stopped');
  });
  for (const [status, message] of [['complete', 'Nothing to tell.'], ['stopped by an event', '']]) {
    Object.assign(data.run, { status, message });
    await withData(data, {}, async (page) => assert.equal(await page.locator('.notices').count(), 0));
  }
});
