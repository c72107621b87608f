import { describe, expect, it } from 'vitest';
import { isFiltered, LIST_ADDRESS, NO_FILTERS, searchedIn } from './lists';

const read = (text: string) => LIST_ADDRESS.read(new URLSearchParams(text));
const write = (part: object, now: string) =>
  LIST_ADDRESS.write({ ...read(now), ...part }, new URLSearchParams(now)).toString();

describe("a list's filters in the URL", () => {
  it('reads back what it wrote, and omits default values', () => {
    const text = write({ q: 'nadia', badge: 'gold', sort: 'name' }, 'tab=influencers');
    expect(text).toBe('tab=influencers&q=nadia&badge=gold&sort=name');
    expect(read(text)).toEqual({ ...NO_FILTERS, q: 'nadia', badge: 'gold', sort: 'name' });
    expect(write(NO_FILTERS, text)).toBe('tab=influencers');
  });

  it('resets the page when a filter or the order changes', () => {
    expect(write({ page: 7 }, 'sort=name')).toBe('sort=name&page=7');
    expect(write({ sort: 'oldest' }, 'sort=name&page=7')).toBe('sort=oldest');
  });

  it('ignores invalid parameters', () => {
    for (const text of ['page=0', 'page=-3', 'page=x', 'page=1e9', 'badge=diamond', 'sort=id;drop']) {
      expect(read(text), text).toEqual(NO_FILTERS);
    }
  });
});

describe('the search text', () => {
  it('distinguishes e-mail addresses from names', () => {
    expect(searchedIn('nadia@mail')).toEqual({ email: 'nadia@mail' });
    expect(searchedIn('@nadia')).toEqual({ name: 'nadia' });
    expect(searchedIn('Nadia')).toEqual({ name: 'Nadia' });
    expect(searchedIn('@')).toBeUndefined();
  });

  it("doesn't count order or page as a filter", () => {
    expect(isFiltered({ ...NO_FILTERS, sort: 'name', page: 3 })).toBe(false);
    expect(isFiltered({ ...NO_FILTERS, group: 'Tech' })).toBe(true);
  });
});
