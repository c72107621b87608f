import { expect, it } from 'vitest';
import { changedColumns, merge } from './merge';

const before: Record<string, unknown> = { name: 'Lim', bio: null, payment: { a: 1, b: 2 } };

it('sends what this tab changed, and nothing else', () => {
  expect(merge(before, { ...before, bio: 'Hello' }, before)).toEqual({
    send: { bio: 'Hello' },
    kept: [],
    clashes: [],
  });
});

it('keeps what another tab changed', () => {
  expect(merge(before, { ...before, bio: 'Hello' }, { ...before, name: 'Lim Wei' })).toEqual({
    send: { bio: 'Hello' },
    kept: ['name'],
    clashes: [],
  });
});

it('finds what both changed, unless they agree', () => {
  expect(merge(before, { ...before, bio: 'Mine' }, { ...before, bio: 'Theirs' }).clashes).toEqual(['bio']);
  expect(merge(before, { ...before, bio: 'Same' }, { ...before, bio: 'Same' }).clashes).toEqual([]);
});

it('does not mind the order of keys, nor null and nothing', () => {
  expect(changedColumns<object>({ payment: { b: 2, a: 1 }, bio: undefined }, before)).toEqual([]);
});
