// Takes the screenshots of README.md and docs/: `node scripts/document-pictures.mjs [name…]`, with BASE_URL, MAIL_URL
// (`serasi status --output env` prints it) and CHROMIUM_PATH set and a server with fresh demo data.
import { writeFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';

const { BASE_URL = 'http://127.0.0.1:8000', CHROMIUM_PATH, MAIL_URL = '' } = process.env;
const AISYAH = '5e7a0002-0000-4000-8000-000000000001';
const REVIEWED = '5e7a0002-0000-4000-8000-000000000014';
const GIG = '5e7a0005-0000-4000-8000-000000000003';

/**
 * Each with its path, the account that is signed in, and what is pressed first. `phone` names the picture that is taken
 * on a phone in the dark theme.
 */
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
  enquire: { path: `/profile/${AISYAH}/enquire`, phone: 'enquire-phone' },
  answer: { path: '/enquiries/5e7a0032-0000-4000-8000-000000000001', account: 'influencer', phone: 'enquiry-phone' },
  notifications: { path: '/notifications', account: 'influencer', phone: 'notifications-phone' },
  gig: { path: `/gigs/${GIG}`, account: 'influencer', phone: 'gig-phone' },
  applications: { path: '/applications', account: 'influencer' },
  applicants: { path: `/gigs/${GIG.replace(/3$/, '1')}/applicants`, account: 'agency', phone: 'applicants-phone' },
  collaborations: { path: '/collaborations', account: 'influencer' },
  review: { path: '/review/5e7a0007-0000-4000-8000-000000000103', account: 'agency', phone: 'review-phone' },
  reviews: { path: `/profile/${REVIEWED}`, press: 'Review', scroll: true },
  reports: { path: '/admin/reports', account: 'admin' },
  report: { path: '/admin/reports', account: 'admin', open: 'a[href^="/admin/reports/"]', phone: 'report-phone' },
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

async function show(page, { path, press, open, scroll }) {
  await page.goto(path);
  if (open) await page.locator(open).first().click();
  if (press) {
    const tab = page.getByRole('tab', { name: press });
    await tab.click();
    if (scroll) await tab.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  }
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(500);
}

async function take(browser, name, picture) {
  const { account, dark, phone } = picture;
  const page = await browser.newPage({
    baseURL: BASE_URL,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  if (account) await signIn(page, account);
  for (const colorScheme of dark ? ['light', 'dark'] : ['light']) {
    await page.emulateMedia({ colorScheme });
    await show(page, picture);
    await save(page, colorScheme === 'dark' ? `${name}-dark` : name);
  }
  if (phone) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await show(page, picture);
    await save(page, phone);
  }
  await page.close();
}

/** The e-mails of an enquiry by somebody without an account: to the sender, then to the influencer. */
async function takeMails(browser) {
  const page = await browser.newPage({ baseURL: BASE_URL, viewport: { width: 740, height: 900 } });
  await page.goto(`/profile/${AISYAH}/enquire`);
  await page.getByLabel('Deliverables').fill('Two Instagram reels and three stories');
  await page
    .getByLabel('Message')
    .fill('We open a coffee roastery in Ipoh and would like to show your morning with us.');
  await page.getByLabel('Your name').fill('Farah Aziz');
  await page.getByLabel('Your e-mail').fill(`farah.${Date.now()}@kopi.example`);
  await page.getByRole('button', { name: 'Send enquiry' }).click();
  const confirmation = await takeNewest(page, /^Confirm your enquiry/, 'mail-confirm');
  await page.goto(confirmation);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await takeNewest(page, /sent you an enquiry/, 'mail-enquiry');
  await page.close();
}

/** Returns the first link of the e-mail. */
async function takeNewest(page, subject, file) {
  // The list loads itself again every few seconds.
  const mail = page.getByRole('link', { name: subject }).first();
  await page.goto(MAIL_URL);
  await mail.waitFor();
  await mail.click();
  await page.waitForLoadState('networkidle');
  await save(page, file);
  return page.locator('a[href*="/enquir"]').first().getAttribute('href');
}

const wanted = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: CHROMIUM_PATH });
for (const [name, picture] of Object.entries(PICTURES)) {
  if (wanted.length === 0 || wanted.includes(name)) await take(browser, name, picture);
}
if (wanted.length === 0 || wanted.includes('mails')) await takeMails(browser);
await browser.close();
