// How long the page's script takes for a frame, played in headless Chromium: 100 bodies in space with all that the program
// records of them over 10,000 samples, thinned as the program thins them, without and with the arrows of reactions and
// velocities; and the figures of the Learn tab (free body, polygons, instant centres) beside a planar mechanism.
//   node bench/page_frames.mjs TEMPLATE [BODIES SAMPLES]
//   node bench/page_frames.mjs TEMPLATE --learn REPORT...
// TEMPLATE is build/release/page/page.html; REPORT a page that the program wrote, whose data is put into the template.
// playwright-core is taken from the build (LINKWORK_PAGE_STAGE: another folder).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [template, ...rest] = process.argv.slice(2);
if (!template) {
  console.error('usage: node bench/page_frames.mjs TEMPLATE [BODIES SAMPLES | --learn REPORT...]');
  process.exit(1);
}
const stage = process.env.LINKWORK_PAGE_STAGE ?? 'build/release/viewer/stage';
const { chromium } = createRequire(pathToFileURL(resolve(stage, 'package.json')))('playwright-core');
const { fillTemplate } = await import(pathToFileURL(resolve(stage, 'test/sample.mjs')));
const { swarm } = await import(pathToFileURL(resolve(stage, 'test/sample_space.mjs')));

const kLimit_ms = 8;
const kFrames = 100, kWarmUp = 10;

const folder = mkdtempSync(join(tmpdir(), 'linkwork-frames-'));
const browser = await chromium.launch({
  executablePath: process.env.LINKWORK_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

/** Opens a page with this data, lets `prepare` choose what is shown, and plays; milliseconds of thread time for a frame. */
async function measure(name, html, prepare, say) {
  const path = join(folder, 'page.html');
  writeFileSync(path, html);
  const page = await browser.newPage({ viewport: { width: 1024, height: 700 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(600_000);
  await page.goto(pathToFileURL(path).href, { timeout: 600_000 });
  await page.waitForFunction(() => window.linkwork?.ready);
  await prepare(page);
  // Durations as time of the page's thread: other programs on the machine do not count.
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const script_s = async () => (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'ScriptDuration').value;
  const play = (from, to) => page.evaluate(async ([first, last, count]) => {
    const end = Number(document.querySelector('input.time').max), times = [];
    for (let k = first; k < last; k++) {
      // In a callback of the frame, as the player does it: only then it counts as script of the page.
      times.push(await new Promise((done) => requestAnimationFrame(() => {
        const began = performance.now();
        window.linkwork.seek((0.99 * end * k) / count);  // the plots' cursors, the clock, the poses, figures and tables
        const sought = performance.now() - began;
        requestAnimationFrame(() => done(sought + (window.linkwork.report()?.draw_ms ?? 0)));  // after the drawing
      })));
    }
    return { times: times.sort((a, b) => a - b), ...window.linkwork.report() };
  }, [from, to, kFrames + kWarmUp]);
  await play(0, kWarmUp);
  const began = await script_s(), result = await play(kWarmUp, kFrames + kWarmUp), mean = (1000 * ((await script_s()) - began)) / kFrames;
  const at = (share) => result.times[Math.floor(share * (result.times.length - 1))].toFixed(2);
  console.log(`${name}${say(result)}: script for a frame ${mean.toFixed(2)} ms of thread time on average; by the clock median ${at(0.5)} ms, tenth ${at(0.1)} ms, nine of ten below ${at(0.9)} ms`);
  if (!(mean < kLimit_ms)) process.exitCode = 1;
  await page.close();
}

const kData = /(id="linkwork-data">)([\s\S]*?)(<\/script>)/;
const lessons = [['free-body', 'free body'], ['velocities', 'velocity polygon'], ['accelerations', 'acceleration polygon'], ['centres', 'instant centres']];

try {
  const text = readFileSync(template, 'utf8');
  if (rest[0] === '--learn') {
    for (const report of rest.slice(1)) {
      const data = kData.exec(readFileSync(report, 'utf8'))[2], html = text.split('/*LINKWORK_DATA*/').join(data);
      for (const [id, name] of lessons) {
        await measure(`${basename(report, '.html')}, ${name}`, html, async (page) => {
          await page.click('#tab-learn');
          await page.click(`[data-lesson=${id}]`);
          if (id === 'centres') await page.keyboard.press('i');  // over the drawing too
        }, () => '');
      }
    }
  } else {
    const [bodies = '100', samples = '10000'] = rest, html = fillTemplate(text, swarm(Number(bodies), Number(samples)));
    const say = ({ drawn, webgl, arrows: { reactions, velocities } }) => `, ${drawn} draw calls, ${reactions + velocities} arrows, ${webgl ? 'WebGL' : 'canvas'}`;
    await measure(`${bodies} bodies, ${samples} samples, traces`, html, async () => {}, say);
    await measure(`${bodies} bodies, ${samples} samples, traces, reactions and velocities`, html, async (page) => {
      for (const key of ['r', 'v']) await page.keyboard.press(key);
    }, say);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
