// Takes the screenshots of README.md and docs/: `node scripts/document-pictures.mjs [name…]`, with BASE_URL and
// CHROMIUM_PATH set and a server with fresh demo data.
import { writeFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';

const { BASE_URL = 'http://127.0.0.1:8000', CHROMIUM_PATH } = process.env;
const AISYAH = '5e7a0002-0000-4000-8000-000000000001';

/** Each with its path, the account that is signed in, and what is pressed first. */
const PICTURES = {
  home: { path: '/', dark: true },
  profile: { path: `/profile/${AISYAH}`, dark: true },
  search: { path: '/search' },
  'influencer-dashboard': { path: '/dashboard', account: 'influencer', dark: true },
  'agency-gigs': { path: '/agency-dashboard', account: 'agency', press: 'Gigs' },
  'vendor-dashboard': { path: '/vendor-dashboard', account: 'vendor' },
  admin: { path: '/admin', account: 'admin', dark: true },
  'admin-manage': { path: `/admin/influencer/${AISYAH}`, account: 'admin' },
  superadmin: { path: '/superadmin', account: 'superadmin', press: 'Create Admin' },
};

const PORTALS = { agency: '/agency-auth', vendor: '/vendor-auth', admin: '/admin/login', superadmin: '/admin/login' };

async function signIn(page, account) {
  await page.goto(PORTALS[account] ?? '/auth');
  await page.getByLabel('E-mail').fill(`${account}@demo.serasi.test`);
  await page.getByLabel('Password', { exact: true }).fill('serasi-demo');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL((url) => !/auth|login/.test(url.pathname));
}

/** Playwright has no WebP, but the browser does. */
async function save(page, file) {
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  await writeFile(new URL(`../../docs/pictures/${file}.webp`, import.meta.url), Buffer.from(data, 'base64'));
}

async function take(browser, name, { path, account, press, dark }) {
  const page = await browser.newPage({
    baseURL: BASE_URL,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  if (account) await signIn(page, account);
  for (const colorScheme of dark ? ['light', 'dark'] : ['light']) {
    await page.emulateMedia({ colorScheme });
    await page.goto(path);
    if (press) await page.getByRole('tab', { name: press }).click();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(500);
    await save(page, colorScheme === 'dark' ? `${name}-dark` : name);
  }
  await page.close();
}

const wanted = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: CHROMIUM_PATH });
for (const [name, picture] of Object.entries(PICTURES)) {
  if (wanted.length === 0 || wanted.includes(name)) await take(browser, name, picture);
}
await browser.close();
