// What the server sends: titles and descriptions, files for search engines, headers, compression.

import { expect, test } from 'vitest';
import { demo, PASSWORD } from '../frontend/e2e/people';
import named from '../frontend/src/lib/pages.json' with { type: 'json' };
import { request } from './server';

const pages: { path: string; title: string; description: string; private?: boolean }[] = Object.values(named);

const title = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];
const meta = (html: string, name: string) => new RegExp(`<meta [a-z]+="${name}" content="(.*?)">`).exec(html)?.[1];

async function rows<Row>(query: string, token?: string): Promise<Row[]> {
  const answer = await request.get(`/rest/v1/${query}`, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

test('every page has its own title and description in the HTML', async () => {
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

test('a link preview of a profile has its name, description and picture', async () => {
  const [person] = await rows<{ id: string; name: string; username: string; profile_image: string }>(
    'influencers?select=id,name,username,profile_image&approved=is.true&profile_image=not.is.null&limit=1',
  );
  const html = await (await request.get(`/profile/${person?.id}`)).text();
  expect(title(html)).toBe(`${person?.name} · Serasi`);
  expect(meta(html, 'description')).toContain(`@${person?.username}`);
  expect(meta(html, 'og:image')).toMatch(/^http/);
  expect(meta(html, 'og:image')).toContain(person?.profile_image);
  const [agency] = await rows<{ id: string; name: string }>('agencies?select=id,name&limit=1');
  expect(title(await (await request.get(`/agency/${agency?.id}`)).text())).toBe(`${agency?.name} · Serasi`);
});

test('an unapproved profile looks like one that does not exist', async () => {
  const signIn = await request.post('/auth/v1/token?grant_type=password', {
    data: { email: demo('pending'), password: PASSWORD },
  });
  const { access_token, user } = await signIn.json();
  const [own] = await rows<{ id: string; name: string }>(
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

test('the sitemap lists the public pages and the approved profiles', async () => {
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toContain('Disallow: /admin');
  expect(robots).toMatch(/Sitemap: http.*\/sitemap\.xml/);
  const locations = async (path: string) =>
    [...(await (await request.get(path)).text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(
      (found) => new URL(found[1] ?? '').pathname,
    );
  const approved = async () =>
    (await rows<{ id: string }>('influencers?select=id&approved=is.true')).map(({ id }) => id);
  const before = await approved();
  const files = await locations('/sitemap.xml');
  expect(files).toContain('/sitemap/pages.xml');
  const listed = new Set((await Promise.all(files.map(locations))).flat());
  expect(listed).toContain('/pricing');
  expect(listed).not.toContain('/admin');
  // Other tests approve and delete meanwhile: only profiles that were approved before and after must be listed.
  const after = new Set(await approved());
  const lasting = before.filter((id) => after.has(id));
  expect(lasting.length).toBeGreaterThan(0);
  for (const id of lasting) expect(listed).toContain(`/profile/${id}`);
  expect((await request.get('/sitemap/influencers-999.xml')).status()).toBe(404);
  expect((await request.get('/sitemap/user_roles-1.xml')).status()).toBe(404);
});

test('pages, scripts and files have security headers', async () => {
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

test("only public pages without a query include the visitor's shell", async () => {
  const shell = async (path: string) => (await (await request.get(path)).text()).includes('class="shell"');
  for (const path of ['/', '/search', '/pricing', '/profile/1']) expect(await shell(path), path).toBe(true);
  for (const path of ['/dashboard', '/admin', '/favorites', '/search?q=a', '/nowhere']) {
    expect(await shell(path), path).toBe(false);
  }
});

test('scripts are compressed', async () => {
  const encoding = async (path: string, accepted: string) =>
    (await request.get(path, { headers: { 'accept-encoding': accepted } })).headers()['content-encoding'];
  const html = await (await request.get('/', { headers: { 'accept-encoding': 'br' } })).text();
  const script = /data-application href="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  expect(await encoding(script, 'br')).toBe('br');
  expect(await encoding(script, 'gzip')).toBe('gzip');
});
