import { expect, it } from 'vitest';
import { changedColumns, merge } from './merge';

const before: Record<string, unknown> = { name: 'Lim', bio: null, payment: { a: 1, b: 2 } };

it('sends only what this tab changed', () => {
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

it('reports conflicts unless both tabs agree', () => {
  expect(merge(before, { ...before, bio: 'Mine' }, { ...before, bio: 'Theirs' }).clashes).toEqual(['bio']);
  expect(merge(before, { ...before, bio: 'Same' }, { ...before, bio: 'Same' }).clashes).toEqual([]);
});

it('ignores the order of keys, and treats null and undefined as equal', () => {
  expect(changedColumns<object>({ payment: { b: 2, a: 1 }, bio: undefined }, before)).toEqual([]);
});
