import { afterEach, expect, it } from 'vitest';
import { mayBeSignedIn, SESSION_KEY } from './stored-session';

afterEach(() => {
  window.localStorage.clear();
  window.location.hash = '';
});

it('treats a browser without a session as a visitor', () => {
  expect(mayBeSignedIn()).toBe(false);
  window.location.hash = '#events';
  expect(mayBeSignedIn()).toBe(false);
});

it('expects a session that is stored, or that a link carries', () => {
  window.localStorage.setItem(SESSION_KEY, '{}');
  expect(mayBeSignedIn()).toBe(true);
  window.localStorage.clear();
  window.location.hash = '#access_token=a&type=recovery';
  expect(mayBeSignedIn()).toBe(true);
  window.location.hash = '#error=access_denied&error_description=expired';
  expect(mayBeSignedIn()).toBe(true);
});
