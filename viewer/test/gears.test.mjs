// Gears, racks and couplings in the drawing: where they must be by their ratios, under the pointer by their names, in plane and space.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames, layoutFaults, shot, tipAt, withData } from './browser.mjs';
import { bevelGears, gears, kBevel, kGears } from './sample_gears.mjs';

const kEvil = '<img src=x onerror=alert(1)>';

test('pitch circles have the radii of the ratio and touch between the centres', async () => {
  const { r } = kGears;
  await withData(gears(), {}, async (page) => {
    for (const t of [0, 1.3]) {
      await page.evaluate((time) => window.linkwork.seek(time), t);
      await frames(page);
      // Away from joints and from the places where circles touch: the arm stands at 0.7 t.
      const arm = 0.7 * t, polar = (radius, angle) => [radius * Math.cos(arm + angle), radius * Math.sin(arm + angle)];
      assert.match(await tipAt(page, ...polar(r, 2)), /^inner · gears · S\.angle \+ P\.angle = 0$/);
      assert.match(await tipAt(page, ...polar(3 * r, 2.4)), /^outer · gears/);
      const [px, py] = polar(2 * r, 0), rim = polar(r, 1.5);
      assert.match(await tipAt(page, px + rim[0], py + rim[1]), /^(inner|outer) · gears/);
      assert.doesNotMatch(await tipAt(page, ...polar(1.5 * r, 2.4)), /gears/);
    }
    await shot(page, 'gears');
  });
});

test('a rack lies along its guide at the pinion, and a coupling is a line between its joints', async () => {
  const { pinion, at } = kGears;
  await withData(gears(), {}, async (page) => {
    await page.evaluate(() => window.linkwork.seek(0.9));
    await frames(page);
    assert.match(await tipAt(page, at[0] - 0.6 * pinion, at[1] - pinion), /^rack · rack and pinion/);
    assert.match(await tipAt(page, at[0], at[1] + pinion), /^rack · rack and pinion/);
    assert.match(await tipAt(page, 0.62 * at[0], 0), /^tie · coupling · A\.angle - H\.angle = 0$/);
  });
});

test('a relation is selected like any part: by the list and by a click, with its effort and its line', async () => {
  await withData(gears(), {}, async (page) => {
    await page.selectOption('select.parts', { label: 'inner' });
    await page.waitForFunction(() => document.querySelector('#panel-plots')?.textContent.includes('effort'));
    await page.click('#tab-model');
    assert.equal(await page.locator('.code .selected').count(), 1);
    const [x, y] = await page.evaluate(() => window.linkwork.screen(-0.15, 0));
    await page.mouse.click(x, y);
    assert.equal(await page.evaluate(() => document.querySelector('select.parts').selectedOptions[0].textContent), 'outer');
  });
});

test('gears of a planar mechanism have their places in space too', async () => {
  const { r } = kGears;
  await withData(gears(), {}, async (page) => {
    await page.evaluate(() => window.linkwork.viewInSpace(true));
    await frames(page);
    assert.match(await tipAt(page, -r, 0, 0), /^inner · gears/);
    assert.match(await tipAt(page, 0, 3 * r, 0), /^outer · gears/);
    await shot(page, 'gears-in-space');
  });
});

test('bevel gears touch along the common line of their cones', async () => {
  // tan of the pinion's half angle is the ratio of the radii.
  const { side, teeth } = kBevel, radius = (side * teeth[1]) / teeth[0];
  await withData(bevelGears(), {}, async (page) => {
    await frames(page);
    assert.match(await tipAt(page, side, 0, radius), /^bevel · gears · 2\*W\.angle \+ N\.angle = 0$/);
    // They touch at half the height; there the wheel's rim goes round, with radius side.
    assert.match(await tipAt(page, side, radius, 0), /^bevel · gears/);
    assert.match(await tipAt(page, 0, radius, side), /^bevel · gears/);
    await shot(page, 'bevel-gears');
  });
});

test('names of gears, joints and bodies do not cover each other, on a small drawing either', async () => {
  for (const make of [gears, bevelGears]) {
    for (const size of [[1440, 900], [700, 600]]) {
      await withData(make(), { size }, async (page) => {
        for (const inSpace of [false, true]) {
          await page.evaluate((yes) => window.linkwork.viewInSpace(yes), inSpace);
          await frames(page);
          assert.ok((await page.evaluate(() => window.linkwork.names().length)) > 4);
          for (const t of [0, 0.4, 1.1, 1.9]) {
            await page.evaluate((time) => window.linkwork.seek(time), t);
            await frames(page);
            assert.deepEqual(await layoutFaults(page), [], `${size} at ${t} s`);
          }
          await shot(page, `${make.name}-names-${size[0]}${inSpace ? '-in-space' : ''}`);
        }
      });
    }
  }
});

test('relations with names of strangers, without joints or with wrong numbers do no harm', async () => {
  const data = gears(11);
  data.relations[0].name = kEvil;
  data.relations[1].terms = [{ joint: 'nobody', coordinate: 'angle', coefficient: 1 }];
  data.relations[2].terms[0].coefficient = 0;
  data.relations.push({ kind: 7 }, { name: 'empty', kind: 'gear', terms: 3 }, { name: 'same', kind: 'gear', text: '', terms: [{ joint: 'A', coordinate: 'angle', coefficient: 1 }, { joint: 'A', coordinate: 'angle', coefficient: 1 }] });
  for (const size of [[1440, 900], [390, 844]]) {
    await withData(data, { size }, async (page) => {
      await page.evaluate(() => window.linkwork.viewInSpace(true));
      await frames(page);
      assert.equal(await page.locator('img, #app script, [onerror]').count(), 0);
      assert.deepEqual(await layoutFaults(page), []);
    });
  }
});
