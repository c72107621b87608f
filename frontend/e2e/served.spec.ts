// What the server sends before any script runs: HTML heads, robots.txt and sitemaps, headers, transfer sizes.

import { type APIRequestContext, expect, type Page, type Request, request as requests } from '@playwright/test';
import pages from '../src/app/pages.json' with { type: 'json' };
import { demo, PASSWORD } from './people';
import { test } from './test';

const title = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];
const meta = (html: string, name: string) => new RegExp(`<meta [a-z]+="${name}" content="(.*?)">`).exec(html)?.[1];

async function rows<Row>(request: APIRequestContext, query: string, token?: string): Promise<Row[]> {
  const answer = await request.get(`/rest/v1/${query}`, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

test('every page has its own title and description in the HTML', async ({ request }) => {
  const open = pages.filter((page) => !page.path.includes(':'));
  const titles = new Set<string>();
  for (const page of open) {
    const answer = await request.get(page.path);
    const html = await answer.text();
    expect(answer.status(), page.path).toBe(200);
    expect(title(html), page.path).toBe(`${page.title} · Serasi`);
    expect(meta(html, 'description'), page.path).toBe(page.description.replaceAll('&', '&amp;'));
    expect(meta(html, 'og:image'), page.path).toMatch(/^http.*\/preview\.png$/);
    expect(html.includes('rel="canonical"'), page.path).toBe(!page.private);
    expect(meta(html, 'robots'), page.path).toBe(page.private ? 'noindex' : undefined);
    titles.add(page.title);
  }
  expect(titles.size).toBe(open.length);
  expect((await request.get('/preview.png')).headers()['content-type']).toBe('image/png');
});

test('a link to a profile has a preview with its name, description and picture', async ({ request }) => {
  const [person] = await rows<{ id: string; name: string; username: string; profile_image: string }>(
    request,
    'influencers?select=id,name,username,profile_image&approved=is.true&profile_image=not.is.null&limit=1',
  );
  const html = await (await request.get(`/profile/${person?.id}`)).text();
  expect(title(html)).toBe(`${person?.name} · Serasi`);
  expect(meta(html, 'description')).toContain(`@${person?.username}`);
  expect(meta(html, 'og:image')).toMatch(/^http/);
  expect(meta(html, 'og:image')).toContain(person?.profile_image);
  const [agency] = await rows<{ id: string; name: string }>(request, 'agencies?select=id,name&limit=1');
  expect(title(await (await request.get(`/agency/${agency?.id}`)).text())).toBe(`${agency?.name} · Serasi`);
});

test('an unapproved profile reveals nothing, and looks like one that does not exist', async ({ request }) => {
  const signIn = await request.post('/auth/v1/token?grant_type=password', {
    data: { email: demo('pending'), password: PASSWORD },
  });
  const { access_token, user } = await signIn.json();
  const [own] = await rows<{ id: string; name: string }>(
    request,
    `influencers?select=id,name&user_id=eq.${user.id}`,
    access_token,
  );
  expect(own?.name).toBeTruthy();
  const hidden = await request.get(`/profile/${own?.id}`);
  const absent = await request.get('/profile/00000000-0000-4000-8000-00000000dead');
  expect([hidden.status(), absent.status()]).toEqual([404, 404]);
  expect(await hidden.text()).toBe(await absent.text());
  expect(await hidden.text()).not.toContain(own?.name);
  for (const odd of ['/profile/1', '/profile/x%27%3Bdrop', '/nowhere/at/all', '/agency/../admin']) {
    expect((await request.get(odd)).status(), odd).not.toBe(500);
  }
});

test('the sitemap lists the public pages and the approved profiles', async ({ request }) => {
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toContain('Disallow: /admin');
  expect(robots).toMatch(/Sitemap: http.*\/sitemap\.xml/);
  const locations = async (path: string) =>
    [...(await (await request.get(path)).text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(
      (found) => new URL(found[1] ?? '').pathname,
    );
  const approved = async () =>
    (await rows<{ id: string }>(request, 'influencers?select=id&approved=is.true')).map(({ id }) => id);
  const before = await approved();
  const files = await locations('/sitemap.xml');
  expect(files).toContain('/sitemap/pages.xml');
  const listed = new Set((await Promise.all(files.map(locations))).flat());
  expect(listed).toContain('/pricing');
  expect(listed).not.toContain('/admin');
  // Other tests approve and delete profiles meanwhile, so only those that were there before and after must be listed.
  const after = new Set(await approved());
  const lasting = before.filter((id) => after.has(id));
  expect(lasting.length).toBeGreaterThan(0);
  for (const id of lasting) expect(listed).toContain(`/profile/${id}`);
  expect((await request.get('/sitemap/influencers-999.xml')).status()).toBe(404);
  expect((await request.get('/sitemap/user_roles-1.xml')).status()).toBe(404);
});

test('pages, scripts and files have the security headers', async ({ request }) => {
  const html = await (await request.get('/')).text();
  const script = /data-application href="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  for (const path of ['/', '/profile/1', '/nowhere', script, '/sitemap.xml', '/favicon.svg']) {
    const headers = (await request.get(path)).headers();
    const policy = headers['content-security-policy'] ?? '';
    expect(policy, path).toContain("default-src 'self'");
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(/script-src ([^;]*)/.exec(policy)?.[1], path).toBe("'self'");
    expect(headers['x-content-type-options'], path).toBe('nosniff');
    expect(headers['referrer-policy'], path).toBe('strict-origin-when-cross-origin');
    expect(headers['cross-origin-opener-policy'], path).toBe('same-origin');
    expect(headers['strict-transport-security'], path).toContain('max-age=31536000');
  }
  expect((await request.get('/')).headers()['cache-control']).toBe('no-cache');
  expect((await request.get(script)).headers()['cache-control']).toBe('public, max-age=31536000, immutable');
  for (const hidden of ['/.env', '/.git/config', '/assets/.hidden', `${script}.map`]) {
    expect((await request.get(hidden)).status(), hidden).toBe(404);
  }
});

test('a page can be read before any script has run, and does not move afterwards', async ({ page, browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto('/');
  const place = (where: Page) => where.getByRole('heading', { level: 1 }).boundingBox();
  await expect(still.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto('/');
  await expect(page.locator('.shell')).toHaveCount(0);
  await expect(page.getByRole('banner')).toHaveCount(1);
  expect(await place(page)).toEqual(await place(still));
  await context.close();
});

test('only public pages without a query are sent with content', async ({ request }) => {
  const shell = async (path: string) => (await (await request.get(path)).text()).includes('class="shell"');
  for (const path of ['/', '/search', '/pricing', '/profile/1']) expect(await shell(path), path).toBe(true);
  for (const path of ['/dashboard', '/admin', '/favorites', '/search?q=a', '/nowhere']) {
    expect(await shell(path), path).toBe(false);
  }
});

test('scripts are compressed with Brotli or gzip', async ({ baseURL }) => {
  const client = await requests.newContext({ baseURL, extraHTTPHeaders: { 'accept-encoding': 'br' } });
  const html = await (await client.get('/')).text();
  const script = /data-application href="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  expect((await client.get(script)).headers()['content-encoding']).toBe('br');
  await client.dispose();
  const older = await requests.newContext({ baseURL, extraHTTPHeaders: { 'accept-encoding': 'gzip' } });
  const answer = await older.get(script);
  expect(answer.headers()['content-encoding']).toBe('gzip');
  await older.dispose();
});

// A script that only another script imports would take an extra round trip.
test('the HTML names every script that its page needs', async ({ page }) => {
  for (const path of ['/search', '/search/agencies', '/profile/5e7a0002-0000-4000-8000-000000000001', '/pricing']) {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname);
    });
    const html = (await (await page.goto(path, { waitUntil: 'networkidle' }))?.text()) ?? '';
    expect(asked.length, path).toBeGreaterThan(2);
    for (const script of asked) expect(html, path).toContain(`"${script}"`);
    page.removeAllListeners('request');
  }
});

// The most kilobytes that a visitor's first page may transfer.
const BUDGET = { script: 130, stylesheet: 25, font: 60 };

test('the first page stays within its size budget', async ({ page }) => {
  const weight = new Map<string, number>();
  const finished: Request[] = [];
  page.on('requestfinished', (request) => finished.push(request));
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  for (const request of finished) {
    const kind = request.resourceType();
    const { responseBodySize } = await request.sizes();
    weight.set(kind, (weight.get(kind) ?? 0) + responseBodySize / 1024);
  }
  const figures = [...weight].map(([kind, size]) => `${kind} ${size.toFixed(1)} KB`).join(', ');
  test.info().annotations.push({ type: 'weight', description: figures });
  for (const [kind, most] of Object.entries(BUDGET)) {
    expect(weight.get(kind), kind).toBeGreaterThan(1);
    expect(weight.get(kind), kind).toBeLessThan(most);
  }
});
