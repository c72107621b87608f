import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SESSION_KEY } from './stored-session';

const URL_OF_LIST = `${window.location.origin}/rest/v1/influencers?select=id&limit=24`;
const COUNTED = { prefer: 'count=exact' };
const ANSWER = {
  url: '/rest/v1/influencers?select=id&limit=24',
  headers: COUNTED,
  status: 206,
  range: '0-0/63',
  body: [{ id: '1', name: '</script>\u2028' }],
};

function sent(visit: Partial<PerformanceNavigationTiming> = {}, answers: unknown[] = [ANSWER]) {
  document.body.innerHTML = '<script type="application/json" id="first-answers"></script>';
  const block = document.getElementById('first-answers');
  if (block) block.textContent = JSON.stringify(answers);
  const entry = { name: window.location.href, type: 'navigate', ...visit } as PerformanceNavigationTiming;
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry]);
}

/** Imports a fresh module, as on a new page load. */
async function taking() {
  vi.resetModules();
  const { takeFirstAnswer } = await import('./first-answers');
  return (url = URL_OF_LIST, headers: Record<string, string> = COUNTED, method = 'GET') =>
    takeFirstAnswer(url, method, new Headers({ apikey: 'k', authorization: 'Bearer k', ...headers }));
}

beforeEach(() => {
  window.localStorage.clear();
  window.history.replaceState(null, '', '/search');
});
afterEach(() => window.localStorage.clear());

test('the first request uses the embedded response, the next one is sent', async () => {
  sent();
  const take = await taking();
  const answer = take();
  expect(answer?.status).toBe(206);
  expect(answer?.headers.get('content-range')).toBe('0-0/63');
  expect(await answer?.json()).toEqual(ANSWER.body);
  expect(take()).toBeUndefined();
  expect(document.getElementById('first-answers')).toBeNull();
});

test('a different request is sent, and leaves the embedded response unused', async () => {
  sent();
  const take = await taking();
  expect(take(`${URL_OF_LIST}&category=eq.Food`)).toBeUndefined();
  expect(take(URL_OF_LIST, {})).toBeUndefined();
  expect(take(URL_OF_LIST, { prefer: 'count=planned' })).toBeUndefined();
  expect(take(URL_OF_LIST, { ...COUNTED, range: '0-1' })).toBeUndefined();
  expect(take(URL_OF_LIST, { ...COUNTED, 'accept-profile': 'other' })).toBeUndefined();
  expect(take(URL_OF_LIST, COUNTED, 'POST')).toBeUndefined();
  expect(take(URL_OF_LIST, COUNTED, 'HEAD')).toBeUndefined();
  expect(take(URL_OF_LIST, { ...COUNTED, 'x-client-info': 'another version' })).toBeDefined();
});

test('responses for visitors are not used by a signed-in account, nor after signing out', async () => {
  sent();
  window.localStorage.setItem(SESSION_KEY, '{}');
  const take = await taking();
  expect(take()).toBeUndefined();
  window.localStorage.clear();
  expect(take()).toBeUndefined();
});

test('they are stale on another page, also after coming back', async () => {
  sent();
  const take = await taking();
  window.history.pushState(null, '', '/explore');
  expect(take()).toBeUndefined();
  window.history.pushState(null, '', '/search');
  expect(take()).toBeUndefined();
});

test("they are stale in a document from the browser's cache", async () => {
  sent({ type: 'back_forward' });
  expect((await taking())()).toBeUndefined();
});

test('a page may have none', async () => {
  document.body.innerHTML = '';
  expect((await taking())()).toBeUndefined();
});
