import { expect, it, vi } from 'vitest';
import { constraintOf, messageOf } from './errors';
import { pictureUrl } from './images';
import { paths } from './paths';
import { shareProfile } from './share';

it('loads our own pictures from the page’s origin, and external ones unchanged', () => {
  expect(pictureUrl('http://127.0.0.1:9/storage/v1/object/public/images/a/b.webp')).toBe(
    '/storage/v1/object/public/images/a/b.webp',
  );
  expect(pictureUrl('https://example.test/a.png')).toBe('https://example.test/a.png');
  expect(pictureUrl('')).toBeUndefined();
  expect(pictureUrl(null)).toBeUndefined();
});

it('builds and escapes paths', () => {
  expect(paths.profile('a/b')).toBe('/profile/a%2Fb');
  expect(paths.searchFor('a&b')).toBe('/search?q=a%26b');
  expect(paths.searchCategory('All')).toBe('/search/influencers');
  expect(paths.searchCategory('Food')).toBe('/search/influencers?category=Food');
});

it("reads the constraint's name from a database error", () => {
  const error = { message: 'duplicate key value violates unique constraint "influencers_username_key"' };
  expect(constraintOf(error)).toBe('influencers_username_key');
  expect(messageOf(error)).toContain('duplicate');
  expect(messageOf('odd')).toBe('An unexpected error occurred');
});

it('uses the share sheet, else copies, and does not treat a canceled share as a failure', async () => {
  const writeText = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  expect(await shareProfile('7', 'Sofea')).toBe('copied');
  expect(writeText).toHaveBeenCalledWith(new URL('/profile/7', window.location.origin).toString());

  vi.stubGlobal('navigator', { share: vi.fn().mockRejectedValue(new DOMException('no', 'AbortError')) });
  expect(await shareProfile('7', 'Sofea')).toBe('canceled');
  vi.stubGlobal('navigator', { share: vi.fn().mockRejectedValue(new Error('broken')) });
  expect(await shareProfile('7', 'Sofea')).toBe('failed');
  vi.unstubAllGlobals();
});
