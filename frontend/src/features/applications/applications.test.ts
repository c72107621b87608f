import { expect, it } from 'vitest';
import { ringgit } from '@/lib/ringgit';
import { COLUMNS, columnsOf, nameOf, neighbor } from './columns';
import type { Applicant } from './queries';
import { apply } from './schema';

const firstMessage = (part: object) =>
  apply.safeParse({ pitch: 'x'.repeat(20), quote: '', ...part }).error?.issues[0]?.message;

it("enforces the database's limits", () => {
  expect(firstMessage({ pitch: ` ${'x'.repeat(19)} \n` })).toBe('Write at least 20 characters');
  expect(firstMessage({ pitch: 'x'.repeat(1001) })).toBe('Your pitch can have at most 1,000 characters');
  for (const pitch of ['x'.repeat(20), 'x'.repeat(1000)]) expect(firstMessage({ pitch })).toBeUndefined();
  for (const quote of ['-1', '1.5', '10000001', 'a lot'])
    expect(firstMessage({ quote }), quote).toBe('Your quote must be whole ringgit, up to 10,000,000');
  for (const quote of ['', '0', '10000000']) expect(firstMessage({ quote }), quote).toBeUndefined();
});

it('accepts a quote as people write it', () => {
  const quoteOf = (quote: string) => apply.parse({ pitch: 'x'.repeat(20), quote }).quote;
  expect(['RM 1,500', ' 1500 ', 'rm1 500', ''].map(quoteOf)).toEqual(['1500', '1500', '1500', '']);
  expect(ringgit(1500)).toBe('RM 1,500');
});

const applicant = (id: string, state: string) => ({ id, state, influencers: null }) as Applicant;

it('has a column for every state', () => {
  const states = ['applied', 'shortlisted', 'accepted', 'declined', 'withdrawn', 'cancelled', 'completed'];
  expect(COLUMNS.flatMap((column) => column.states).toSorted()).toEqual(states.toSorted());
  const columns = columnsOf(states.map((state) => applicant(state, state)));
  expect(columns.map((rows) => rows.map(({ id }) => id))).toEqual([
    ['applied'],
    ['shortlisted'],
    ['accepted', 'cancelled', 'completed'],
    ['declined', 'withdrawn'],
  ]);
});

it('arrow keys lead to the neighbor, across empty columns', () => {
  const columns = columnsOf([
    applicant('a', 'applied'),
    applicant('b', 'applied'),
    applicant('c', 'accepted'),
    applicant('d', 'declined'),
  ]);
  const from = (id: string, key: string) => neighbor(columns, id, key)?.id;
  expect(from('a', 'ArrowDown')).toBe('b');
  expect(from('b', 'ArrowDown')).toBeUndefined();
  expect(from('b', 'ArrowUp')).toBe('a');
  expect(from('b', 'ArrowRight')).toBe('c');
  expect(from('c', 'ArrowRight')).toBe('d');
  expect(from('d', 'ArrowRight')).toBeUndefined();
  expect(from('c', 'ArrowLeft')).toBe('a');
  expect(from('a', 'Enter')).toBeUndefined();
  expect(from('nobody', 'ArrowDown')).toBeUndefined();
});

it('somebody whose account was deleted is a former member', () => {
  expect(nameOf({ influencers: null })).toBe('Former member');
});
