// Real reports, as the program wrote them: they play, show the numbers of their CSV, and fit in a window and on a phone.
//   LINKWORK_REPORTS        the reports, separated by ':' or newlines; NAME.csv beside NAME.html holds the numbers
// The rest is set in browser.mjs.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { frames, inkedPixels, layoutFaults, readCsv, shot, slideTo, withFile } from './browser.mjs';
import { kSizes } from './looks.mjs';
import { decode } from './sample.mjs';

const reports = (process.env.LINKWORK_REPORTS ?? '').split(/[:\n]/).map((s) => s.trim()).filter(Boolean);

for (const report of reports) {
  test(`report ${basename(report)} plays and shows the numbers of its CSV`, async () => {
    await withFile(report, { motion: 'no-preference' }, async (page) => {
      const data = JSON.parse(await page.textContent('#linkwork-data'));
      const time = typeof data.time === 'string' ? decode(data.time) : Float64Array.from(data.time);
      if (time.length > 1) {
        const start = time[0];
        await page.waitForFunction((t) => window.linkwork.time() > t, start);
      }
      await frames(page);
      assert.ok((await inkedPixels(page)) > 200, 'something is drawn');
      const path = report.replace(/\.html?$/, '.csv');
      assert.ok(existsSync(path), `${path} stands beside the report`);
      const table = readCsv(readFileSync(path, 'utf8'));
      const times = table.get('time [s]');
      assert.ok(times, 'the CSV has a column "time [s]"');
      assert.equal(times.length, time.length);
      for (const k of new Set([0, Math.floor(times.length / 3), Math.floor((2 * times.length) / 3), times.length - 1])) {
        await slideTo(page, times[k]);
        for (const body of data.bodies) {
          const pose = await page.evaluate((b) => window.linkwork.pose(b), body.name);
          body.pose.forEach((name, j) => {
            const column = [...table.keys()].find((key) => key === name || key.startsWith(`${name} [`));
            assert.ok(column, `the CSV has a column for ${name}`);
            const expected = table.get(column)[k];
            // A CSV may be written with fewer than 17 digits.
            assert.ok(Math.abs(pose[j] - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${name} at t = ${times[k]}: ${pose[j]} and ${expected}`);
          });
        }
      }
      for (const id of ['loads', 'model', 'data', 'plots']) {
        await page.click(`#tab-${id}`);
        assert.deepEqual(await layoutFaults(page), [], id);
      }
      await shot(page, `report-${basename(report, '.html')}`);
    });
  });

  test(`report ${basename(report)} fits on a phone`, async () => {
    await withFile(report, { size: kSizes[2] }, async (page) => {
      for (const id of ['plots', 'loads', 'model', 'data']) {
        await page.click(`#tab-${id}`);
        assert.deepEqual(await layoutFaults(page), [], id);
      }
      await shot(page, `report-${basename(report, '.html')}-phone`);
    });
  });
}
