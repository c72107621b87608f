// Runs Lighthouse several times per page, emulating a mid-range phone on a slow network. Prints the median and the
// spread of each figure, and the audits that cost points. Exits with 1 if a median is below its limit.
import { parseArgs } from 'node:util';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const LEAST = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
const TIMES = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  SI: 'speed-index',
};
const KINDS = { Document: 'HTML', Script: 'script', Stylesheet: 'CSS', Font: 'font', Image: 'image', Fetch: 'data' };
const BROWSER = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage'];

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    runs: { type: 'string', default: '5' },
    pages: { type: 'string', default: 'home,search,profile' },
  },
});
const site = options.url;
const runs = Number(options.runs);

/** The profile of the newest approved creator, which visitors see first. */
async function profilePath() {
  const query = 'influencers?select=id&approved=is.true&order=created_at.desc,id.desc&limit=1';
  const [creator] = await (await fetch(`${site}/rest/v1/${query}`)).json();
  return `/profile/${creator.id}`;
}

/** Chromium sometimes returns no trace for a successful load. Lighthouse itself recommends a retry. */
async function measured(path) {
  let report = await visit(path);
  if (report.runtimeError?.code === 'NO_NAVSTART') report = await visit(path);
  if (report.runtimeError) throw new Error(`${path}: ${report.runtimeError.message}`);
  return report;
}

/** Each run starts a new browser, so nothing is cached. */
async function visit(path) {
  const browser = await launch({ chromePath: process.env.CHROMIUM_PATH, chromeFlags: BROWSER, logLevel: 'error' });
  try {
    const flags = { port: browser.port, onlyCategories: Object.keys(LEAST), logLevel: 'error' };
    const { lhr } = await lighthouse(site + path, flags);
    return lhr;
  } finally {
    browser.kill();
  }
}

function figuresOf({ categories, audits }) {
  const figures = {};
  for (const name of Object.keys(LEAST)) figures[name] = Math.round(categories[name].score * 100);
  for (const [name, audit] of Object.entries(TIMES)) figures[name] = audits[audit].numericValue;
  for (const request of audits['network-requests'].details.items) {
    const kind = KINDS[request.resourceType] ?? 'other';
    figures[kind] = (figures[kind] ?? 0) + request.transferSize / 1024;
  }
  return figures;
}

/** The nearest-rank percentile, which is always a measured value. */
function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[Math.ceil(sorted.length / 2) - 1], least: sorted[0], most: sorted.at(-1) };
}

function shown(name, value) {
  if (name in LEAST) return String(value);
  if (name === 'CLS') return value.toFixed(3);
  return name in TIMES ? `${Math.round(value)} ms` : `${value.toFixed(1)} KB`;
}

function costs({ categories, audits }) {
  const lost = Object.keys(LEAST).flatMap((name) => categories[name].auditRefs.filter(({ weight }) => weight > 0));
  return lost.map(({ id }) => audits[id]).filter(({ score }) => score !== null && score < 1);
}

let broken = 0;
const known = { home: () => '/', search: () => '/search', profile: profilePath };
for (const page of options.pages.split(',')) {
  const path = await known[page]();
  const reports = [];
  for (let run = 0; run < runs; run += 1) reports.push(await measured(path));
  const all = reports.map(figuresOf);
  console.log(`\n${page} (${path.replace(/[0-9a-f-]{36}/, ':id')}), ${runs} runs`);
  for (const name of new Set(all.flatMap(Object.keys))) {
    const { median, least, most } = summary(all.map((figures) => figures[name] ?? 0));
    const missed = median < (LEAST[name] ?? 0);
    broken += Number(missed);
    const spread = `${shown(name, least)} to ${shown(name, most)}`;
    console.log(
      `  ${name.padEnd(15)} ${shown(name, median).padStart(9)}   ${spread}${missed ? `   BELOW ${LEAST[name]}` : ''}`,
    );
  }
  const worst = reports.toSorted((a, b) => a.categories.performance.score - b.categories.performance.score)[0];
  const points = costs(worst).map(({ title, score }) => `${title} ${Math.round(score * 100)}`);
  if (points.length > 0) console.log(`  the worst run lost points at: ${points.join('; ')}`);
}
if (broken > 0) {
  console.log(`\n${broken} of the medians are below their limits`);
  process.exitCode = 1;
}
