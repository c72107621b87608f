import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dropDraft, hasDraft, keepDraft, readDraft } from './draft';

beforeEach(() => window.sessionStorage.clear());
afterEach(() => {
  vi.useRealTimers();
});

const draft = { values: { bio: 'Not saved yet' }, pictures: false };

it('returns a draft to its author any number of times, until it is dropped', () => {
  keepDraft('influencer', 'me', draft);
  expect(readDraft('influencer', 'me')).toMatchObject(draft);
  expect(readDraft('influencer', 'me')).toMatchObject(draft);
  dropDraft('influencer');
  expect(readDraft('influencer', 'me')).toBeUndefined();
  expect(hasDraft('influencer')).toBe(false);
});

it('returns it to no other account, and for no other kind', () => {
  keepDraft('influencer', 'me', draft);
  expect(readDraft('influencer', 'somebody else')).toBeUndefined();
  expect(readDraft('agency', 'me')).toBeUndefined();
  expect(hasDraft('influencer')).toBe(true);
});

it('forgets it after a day, and ignores invalid data', () => {
  vi.useFakeTimers();
  keepDraft('influencer', 'me', draft);
  vi.advanceTimersByTime(24 * 60 * 60 * 1000);
  expect(readDraft('influencer', 'me')).toBeUndefined();
  window.sessionStorage.setItem('serasi-draft-influencer', '{');
  expect(readDraft('influencer', 'me')).toBeUndefined();
});

it('works without storage', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(() => keepDraft('influencer', 'me', draft)).not.toThrow();
});
