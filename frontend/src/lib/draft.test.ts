import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dropDraft, hasDraft, keepDraft, readDraft } from './draft';

beforeEach(() => window.sessionStorage.clear());
afterEach(() => {
  vi.useRealTimers();
});

const draft = { values: { bio: 'Not saved yet' }, pictures: false };

it('gives a draft back to who wrote it, as often as asked, until it is dropped', () => {
  keepDraft('influencer', 'me', draft);
  expect(readDraft('influencer', 'me')).toMatchObject(draft);
  expect(readDraft('influencer', 'me')).toMatchObject(draft);
  dropDraft('influencer');
  expect(readDraft('influencer', 'me')).toBeUndefined();
  expect(hasDraft('influencer')).toBe(false);
});

it('gives it to nobody else, and for nothing else', () => {
  keepDraft('influencer', 'me', draft);
  expect(readDraft('influencer', 'somebody else')).toBeUndefined();
  expect(readDraft('agency', 'me')).toBeUndefined();
  expect(hasDraft('influencer')).toBe(true);
});

it('forgets it after a day, and what it can’t read', () => {
  vi.useFakeTimers();
  keepDraft('influencer', 'me', draft);
  vi.advanceTimersByTime(24 * 60 * 60 * 1000);
  expect(readDraft('influencer', 'me')).toBeUndefined();
  window.sessionStorage.setItem('serasi-draft-influencer', '{');
  expect(readDraft('influencer', 'me')).toBeUndefined();
});

it('goes on without a place to keep it', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(() => keepDraft('influencer', 'me', draft)).not.toThrow();
});
