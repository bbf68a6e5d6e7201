// How long the page's script takes for a frame: 100 bodies in space over 10,000 samples, played in headless Chromium.
//   node bench/page_frames.mjs TEMPLATE [BODIES SAMPLES]
// TEMPLATE is build/release/page/page.html; run it where viewer/node_modules (or NODE_PATH) has playwright-core.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [template, bodies = '100', samples = '10000'] = process.argv.slice(2);
if (!template) {
  console.error('usage: node bench/page_frames.mjs TEMPLATE [BODIES SAMPLES]');
  process.exit(1);
}
const stage = process.env.LINKWORK_PAGE_STAGE ?? 'build/release/viewer/stage';
const { chromium } = createRequire(pathToFileURL(resolve(stage, 'package.json')))('playwright-core');
const { fillTemplate } = await import(pathToFileURL(resolve(stage, 'test/sample.mjs')));
const { swarm } = await import(pathToFileURL(resolve(stage, 'test/sample_space.mjs')));

const kLimit_ms = 8;
const kFrames = 400;

const folder = mkdtempSync(join(tmpdir(), 'linkwork-frames-'));
const path = join(folder, 'swarm.html');
writeFileSync(path, fillTemplate(readFileSync(template, 'utf8'), swarm(Number(bodies), Number(samples))));
const browser = await chromium.launch({
  executablePath: process.env.LINKWORK_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(300_000);
  await page.goto(pathToFileURL(path).href, { timeout: 300_000 });
  await page.waitForFunction(() => window.linkwork?.ready);
  const { times, webgl, drawn } = await page.evaluate(async (count) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done)), times = [], end = 0.999 * Number(document.querySelector('input.time').max || 99);
    for (let k = 0; k < count; k++) {
      const began = performance.now();
      window.linkwork.seek((end * k) / count);  // the plots' cursors, the clock, the poses
      const sought = performance.now() - began;
      await frame();
      await frame();
      times.push(sought + window.linkwork.report().draw_ms);
    }
    return { times: times.slice(20).sort((a, b) => a - b), ...window.linkwork.report() };
  }, kFrames);
  const at = (share) => times[Math.floor(share * (times.length - 1))];
  console.log(`${bodies} bodies, ${samples} samples, ${drawn} draw calls, ${webgl ? 'WebGL' : 'canvas'}`);
  console.log(`script time for a frame: median ${at(0.5).toFixed(2)} ms, tenth ${at(0.1).toFixed(2)} ms, nine of ten below ${at(0.9).toFixed(2)} ms`);
  process.exitCode = at(0.5) < kLimit_ms ? 0 : 1;
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
