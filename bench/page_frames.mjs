// How long the page's script takes for a frame: 100 bodies in space over 10,000 samples, played in headless Chromium.
//   node bench/page_frames.mjs TEMPLATE [BODIES SAMPLES]
// TEMPLATE is build/release/page/page.html; playwright-core is taken from the build (LINKWORK_PAGE_STAGE: another folder).
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
const kFrames = 100, kWarmUp = 10;

const folder = mkdtempSync(join(tmpdir(), 'linkwork-frames-'));
const path = join(folder, 'swarm.html');
writeFileSync(path, fillTemplate(readFileSync(template, 'utf8'), swarm(Number(bodies), Number(samples))));
const browser = await chromium.launch({
  executablePath: process.env.LINKWORK_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1024, height: 700 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(300_000);
  await page.goto(pathToFileURL(path).href, { timeout: 300_000 });
  await page.waitForFunction(() => window.linkwork?.ready);
  // Durations as time of the page's thread: other programs on the machine do not count.
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const script_s = async () => (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'ScriptDuration').value;
  const play = (from, to) => page.evaluate(async ([first, last, count]) => {
    const times = [];
    for (let k = first; k < last; k++) {
      const began = performance.now();
      window.linkwork.seek((99 * k) / count);  // the plots' cursors, the clock, the poses
      const sought = performance.now() - began;
      await new Promise((done) => requestAnimationFrame(done));  // after the drawing of this frame
      times.push(sought + window.linkwork.report().draw_ms);
    }
    return { times: times.sort((a, b) => a - b), ...window.linkwork.report() };
  }, [from, to, kFrames + kWarmUp]);
  await play(0, kWarmUp);
  const began = await script_s(), { times, webgl, drawn } = await play(kWarmUp, kFrames + kWarmUp), mean = (1000 * ((await script_s()) - began)) / kFrames;
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(2);
  console.log(`${bodies} bodies, ${samples} samples, ${drawn} draw calls, ${webgl ? 'WebGL' : 'canvas'}`);
  console.log(`script for a frame: ${mean.toFixed(2)} ms of thread time on average; by the clock median ${at(0.5)} ms, tenth ${at(0.1)} ms, nine of ten below ${at(0.9)} ms`);
  process.exitCode = mean < kLimit_ms ? 0 : 1;
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
