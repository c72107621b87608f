import { expect, it } from 'vitest';
import { reasonOf } from './errors';

it("returns the server's message and our own", () => {
  expect(reasonOf({ code: '42501', message: 'permission denied' })).toBe('permission denied');
  expect(reasonOf(new Error('Someone else deleted it.'))).toBe('Someone else deleted it.');
});

it("says when the server can't be reached", () => {
  const text = "Serasi isn't responding. Try again.";
  expect(reasonOf({ code: '', message: 'TypeError: Failed to fetch' })).toBe(text);
  expect(reasonOf(new TypeError('Failed to fetch'))).toBe(text);
});
