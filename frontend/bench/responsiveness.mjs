// Measures how the pages respond on a phone: the interactions of a scripted visit (INP), and the
// frames while 200 cards scroll. The server needs generated data: `serasi seed --influencers 300`. Exits with 1 if a
// median misses its limit.
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';

const LIMITS = { inp: 100, fps: 59 };
const CARDS = 200;
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
/** In pixels per second: a fast swipe. */
const SCROLL_SPEED = 4000;
const FRAME = 1000 / 60;

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    runs: { type: 'string', default: '5' },
    /** The processor's slowdown. Lighthouse emulates phones with 4. */
    slowdown: { type: 'string', default: '1' },
  },
});

const say = (line) => process.stdout.write(`${line}\n`);

/** So that each interaction is measured on its own. */
async function settled(page) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 500 })));
}

async function press(page, target) {
  await settled(page);
  await target.click();
  await settled(page);
}

async function type(page, keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await settled(page);
  }
}

async function openAndClose(page, opener) {
  await press(page, opener);
  await page.getByRole('dialog').waitFor();
  await type(page, ['Escape']);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** Runs in the page. Events below 16 ms are not reported. */
function watchInteractions() {
  window.slow = {};
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, target } of list.getEntries()) {
      if (!interactionId || duration <= (window.slow[interactionId]?.duration ?? 0)) continue;
      const label = target?.getAttribute?.('aria-label') || target?.textContent?.slice(0, 30);
      window.slow[interactionId] = { duration, what: `${name} ${label ?? ''}` };
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
}

/** Home, two lists with categories, filters and a search, a profile, favorites: one visit without a reload. */
async function visit(page) {
  const button = (name) => page.getByRole('button', { name, exact: true }).first();
  await page.goto(options.url);
  await settled(page);
  for (const name of ['Fashion', 'Tech', 'All']) await press(page, page.getByRole('tab', { name }));
  for (const name of ['Pause rotation', 'Next', 'Previous', /^Save /]) await press(page, button(name));
  await openAndClose(page, button('Menu'));
  await press(page, page.getByRole('link', { name: 'Find Influencers' }));
  for (const name of ['Travel', 'All']) await press(page, page.getByRole('tab', { name }));
  await press(page, button('Advanced filters'));
  await press(page, button('Load More'));
  await press(page, button('Menu'));
  await press(page, page.getByRole('link', { name: 'AGENCIES', exact: true }).filter({ visible: true }));
  await press(page, page.getByRole('searchbox').first());
  await type(page, ['l', 'u', 'm', 'Backspace', 'Backspace', 'Backspace']);
  await press(page, page.locator('article h3 a').first());
  await press(page, page.getByRole('link', { name: /^Favorites/ }).first());
}

async function interactions(page) {
  await page.addInitScript(watchInteractions);
  await visit(page);
  const { slow, count } = await page.evaluate(() => ({
    slow: Object.values(window.slow),
    count: performance.interactionCount,
  }));
  const fast = Array.from({ length: Math.max(0, count - slow.length) }, () => 8);
  const sorted = [...slow.map(({ duration }) => duration), ...fast].toSorted((a, b) => a - b);
  return { inp: sorted[Math.ceil(sorted.length * 0.75) - 1], longest: sorted.at(-1), count, slow };
}

/** Runs in the page. */
function recordFrames() {
  window.frameTimes = [];
  const note = (time) => {
    window.frameTimes.push(time);
    window.recording = requestAnimationFrame(note);
  };
  window.recording = requestAnimationFrame(note);
}

async function scrolling(page) {
  await page.goto(`${options.url}/search`);
  const cards = page.locator('article');
  while ((await cards.count()) < CARDS) await press(page, page.getByRole('button', { name: 'Load More' }));
  const distance = await page.evaluate(() => {
    window.scrollTo({ top: 0, behavior: 'instant' });
    return document.documentElement.scrollHeight - window.innerHeight;
  });
  await settled(page);
  const client = await page.context().newCDPSession(page);
  await page.evaluate(recordFrames);
  const swipe = { x: 200, y: 400, yDistance: -distance, speed: SCROLL_SPEED, gestureSourceType: 'touch' };
  await client.send('Input.synthesizeScrollGesture', swipe);
  const times = await page.evaluate(() => {
    cancelAnimationFrame(window.recording);
    return window.frameTimes;
  });
  const gaps = times.slice(1).map((time, index) => time - times[index]);
  return {
    cards: await cards.count(),
    fps: (1000 * gaps.length) / (times.at(-1) - times[0]),
    late: (100 * gaps.filter((gap) => gap > 1.5 * FRAME).length) / gaps.length,
    longest: Math.max(...gaps),
  };
}

/** Each run starts a new browser, so nothing is cached. */
async function inBrowser(measure) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] });
  try {
    const page = await (await browser.newContext(PHONE)).newPage();
    page.setDefaultTimeout(10_000);
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: Number(options.slowdown) });
    return await measure(page);
  } finally {
    await browser.close();
  }
}

async function repeated(measure) {
  const results = [];
  for (let run = 0; run < Number(options.runs); run += 1) results.push(await inBrowser(measure));
  return results;
}

function show(label, values, unit) {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.ceil(sorted.length / 2) - 1];
  const [text, least, most] = [median, sorted[0], sorted.at(-1)].map((value) => value.toFixed(0));
  say(`  ${label.padEnd(18)} ${`${text}${unit}`.padStart(7)}   ${least} to ${most}`);
  return median;
}

const visits = await repeated(interactions);
say(`${visits[0].count} interactions, ${options.runs} runs, processor slowed by ${options.slowdown}`);
const inp = show(
  '75th percentile',
  visits.map((run) => run.inp),
  ' ms',
);
show(
  'longest',
  visits.map((run) => run.longest),
  ' ms',
);
const slowest = visits.flatMap((run) => run.slow).toSorted((a, b) => b.duration - a.duration);
for (const { duration, what } of slowest.slice(0, 8)) say(`    ${duration} ms  ${what}`);

const scrolls = await repeated(scrolling);
say(`${scrolls[0].cards} cards scrolled`);
const fps = show(
  'frames per second',
  scrolls.map((run) => run.fps),
  '',
);
show(
  'late frames',
  scrolls.map((run) => run.late),
  ' %',
);
show(
  'longest frame',
  scrolls.map((run) => run.longest),
  ' ms',
);
if (inp > LIMITS.inp || fps < LIMITS.fps) process.exitCode = 1;
