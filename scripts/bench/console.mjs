#!/usr/bin/env node
/**
 * What the console costs the browser of whoever has it open: bytes and time of its first page, memory and processor of the live
 * page with calls on it, frames of the page of a call of an hour. The console is the built one, over a gateway that is made up.
 *
 *   npm run bench:console -- [--minutes 2] [--calls 50] [--fast] [--live]     (needs chromium)
 *
 * `--fast` tells the live page at once what happens on its calls within those minutes, as fast as it reads: whether its memory grows
 * over an hour is known within minutes then. `--live` leaves the other pages out.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { startMadeUpGateway } from './console/made-up-gateway.mjs';

const { values: asked } = parseArgs({
  options: {
    ...{ minutes: { type: 'string', default: '2' }, calls: { type: 'string', default: '50' } },
    ...{ fast: { type: 'boolean', default: false }, live: { type: 'boolean', default: false } },
  },
});
const [minutes, calls] = [asked.minutes, asked.calls].map(Number);
const TICKS_A_MINUTE = 600;
/** The heap is looked at before, after, and between. */
const QUARTERS = 4;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];
const LOADS = 5;
const SETTLE_MS = 10_000;
const QUIET_MS = 500;
/** So long a page may take to read what was told it at once. */
const READ_MS_MAX = 900_000;
const FRAMES_MS = 15_000;
const PAGE_BYTES = 4_096;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const kb = (bytes) => `${(bytes / 1_000).toFixed(0)} kB`;
const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const gateway = await startMadeUpGateway(calls, asked.fast);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
const faults = [];
const rows = [];
try {
  if (!asked.live) await firstPage();
  await livePage();
  if (!asked.live) await callPage();
} catch (error) {
  faults.push(String(error));
} finally {
  await browser.close();
  await gateway.close();
}
const [{ model }] = cpus();
console.log(`\n${model.trim()}, ${cpus().length} cores, Node ${process.version}, Chromium ${browser.version()}\n`);
console.log('| what | measured | budget |\n|---|---|---|');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
if (faults.length > 0) {
  console.log(`\nfaults of the pages:\n${faults.join('\n')}`);
  process.exitCode = 1;
}

async function open(path, setUp) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`));
  const session = await context.newCDPSession(page);
  await setUp?.(session, page);
  await page.goto(`${gateway.url}/console${path}`);
  return { page, session, close: () => context.close() };
}

/** Cold each time: a context of its own has an empty cache. */
async function firstPage() {
  const times = [];
  let bytes;
  let names;
  for (let load = 0; load < LOADS; load += 1) {
    const got = { bytes: 0, names: [] };
    const { page, close } = await open('/', async (session, one) => {
      await session.send('Network.enable');
      session.on('Network.responseReceived', ({ response: { url } }) => got.names.push(url));
      session.on('Network.loadingFinished', ({ encodedDataLength }) => {
        got.bytes += encodedDataLength;
      });
      await one.addInitScript(watchLoad, QUIET_MS);
    });
    times.push(await page.evaluate('globalThis.interactive'));
    ({ bytes, names } = got);
    await close();
  }
  const files = names.filter((name) => name.includes('/console/'));
  const isFont = (name) => /\.woff2?$/.test(name);
  const sizes = await Promise.all(files.map(async (name) => ({ isFont: isFont(name), bytes: await sizeOf(name) })));
  const sum = (fonts) => sizes.reduce((all, one) => (one.isFont === fonts ? all + one.bytes : all), 0);
  rows.push(['first page, all of it, as Chromium takes it (br), with fonts, headers and answers', kb(bytes), '']);
  rows.push([
    'its scripts, styles and pictures by gzip, and its fonts',
    `${kb(sum(false))}, ${kb(sum(true))}`,
    '< 300 kB',
  ]);
  rows.push([`first page, cold: navigation until its figures are there and nothing runs, median of ${LOADS}`]);
  rows.at(-1).push(`${median(times).toFixed(0)} ms (${times.map((one) => one.toFixed(0)).join(', ')})`, '< 1500 ms');
}

/** By gzip; fonts are packed already, and are sent as they are. */
async function sizeOf(url) {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const plain = Buffer.from(await answer.arrayBuffer());
  return /\.woff2?$/.test(url) ? plain.length : gzipSync(plain, { level: 9 }).length;
}

/** In the page: when what was asked for is there, and no long task has run for a while. */
function watchLoad(quietMs) {
  let lastTaskEnd = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) lastTaskEnd = Math.max(lastTaskEnd, startTime + duration);
  }).observe({ type: 'longtask', buffered: true });
  globalThis.interactive = new Promise((resolve) => {
    let shownAt;
    const look = () => {
      shownAt ??= document.querySelector('main section ol') ? performance.now() : undefined;
      const ready = shownAt === undefined ? undefined : Math.max(shownAt, lastTaskEnd);
      if (ready !== undefined && performance.now() - ready > quietMs) resolve(ready);
      else setTimeout(look, 5);
    };
    look();
  });
}

async function livePage() {
  const { page, session, close } = await open('/live', async (one) => {
    await one.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' }); // of the processor: others run as well
    await one.send('Performance.enable');
    await one.send('HeapProfiler.enable');
  });
  await page
    .locator('main canvas')
    .nth(Math.min(50, calls) - 1)
    .waitFor();
  await wait(SETTLE_MS);
  const seen = [await figures(page, session)];
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
    await live(page, minutes / QUARTERS);
    seen.push(await figures(page, session));
  }
  const [before, after] = [seen[0], seen.at(-1)];
  await page.evaluate(watchFrames); // which makes the browser draw more: after what is measured
  await wait(FRAMES_MS);
  const frames = await page.evaluate('globalThis.frames()');
  const seconds = after.at - before.at;
  const share = (name) => `${((100 * (after[name] - before[name])) / seconds).toFixed(1)} %`;
  const pace = asked.fast ? `${minutes} min of them in ${(seconds / 60).toFixed(1)}` : `${minutes} min`;
  const what = `live page, ${calls} calls, levels 10/s, words 4/s for half of them, ${pace}`;
  rows.push([`${what}: main thread busy`, share('TaskDuration'), '']);
  rows.push(['of it script, style, layout']);
  rows.at(-1).push(['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'].map(share).join(', '), '');
  rows.push(['frames a second, longest frame', `${frames.perSecond.toFixed(1)}, ${frames.longest.toFixed(0)} ms`, '']);
  const each = (show) => seen.map(show).join(', ');
  rows.push([
    `levels told of calls: ${(minutes * TICKS_A_MINUTE * calls).toLocaleString('en')}; at 0, 25, 50, 75, 100 %`,
  ]);
  rows.at(-1).push('', '');
  rows.push(['heap after collection', each(({ heap }) => mb(heap)), 'no growth']);
  rows.push(['resident memory of the tab', each(({ rss }) => mb(rss)), '']);
  rows.push(['nodes of the page', each(({ Nodes }) => Nodes), 'no growth']);
  rows.push(['listeners of the page', each(({ JSEventListeners }) => JSEventListeners), 'no growth']);
  await close();
}

/** So many minutes of calls. */
async function live(page, ofMinutes) {
  if (!asked.fast) return wait(ofMinutes * 60_000);
  const last = await gateway.push(Math.round(ofMinutes * TICKS_A_MINUTE));
  await page.getByText(last).first().waitFor({ timeout: READ_MS_MAX });
}

async function figures(page, session) {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const told = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  return { ...told, at: performance.now() / 1_000, heap: told.JSHeapUsedSize, rss: await residentBytes(page) };
}

/** Of the process of the tab: the largest of the renderers. */
async function residentBytes() {
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  await whole.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES);
  return Math.max(...sizes);
}

/** In the page. */
function watchFrames() {
  const begun = performance.now();
  let count = 0;
  let longest = 0;
  let last = begun;
  let isOn = true;
  const next = (now) => {
    count += 1;
    longest = Math.max(longest, now - last);
    last = now;
    if (isOn) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  globalThis.frames = () => {
    isOn = false;
    return { perSecond: (1_000 * count) / (performance.now() - begun), longest };
  };
}

/** The timeline is scrolled from end to end at its nearest, a step a frame. */
async function callPage() {
  const { page, close } = await open('/calls/hour');
  const timeline = page.getByRole('slider').first();
  await timeline.waitFor();
  await wait(2_000);
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('+');
  await wait(500);
  const drawn = await timeline.evaluate(scrollThrough, 400);
  rows.push(['page of a call of an hour, its timeline scrolled, frames a second, longest frame']);
  rows.at(-1).push(`${drawn.perSecond.toFixed(1)}, ${drawn.longest.toFixed(0)} ms`, '60 where nothing else runs');
  await close();
}

/** In the page: a step of the scroller each frame. */
function scrollThrough(box, steps) {
  const far = box.scrollWidth - box.clientWidth;
  return new Promise((resolve) => {
    const begun = performance.now();
    let [done, longest, last] = [0, 0, begun];
    const next = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      box.scrollLeft = (far * done) / steps;
      done += 1;
      if (done <= steps) requestAnimationFrame(next);
      else resolve({ perSecond: (1_000 * done) / (now - begun), longest, far });
    };
    requestAnimationFrame(next);
  });
}
