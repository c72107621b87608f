import { describe, expect, it } from 'vitest';
import { eventsMatching } from './event-search';
import { plateOf, sampleEvents } from './events';

const events = sampleEvents(new Date(2026, 10, 21));
const found = (text: string, category = '') => eventsMatching(events, text, category).map(({ category: kind }) => kind);

describe('the samples', () => {
  it('are six, one for each category', () => {
    expect(events.map(({ category }) => category)).toEqual([
      'Conference',
      'Fashion',
      'Gaming',
      'Beauty',
      'Tech',
      'Travel',
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(6);
  });

  it('are always in the future, the soonest first', () => {
    const late = sampleEvents(new Date(2027, 1, 21, 23, 59));
    expect(late.map(({ category }) => category)).toEqual([
      'Gaming',
      'Beauty',
      'Tech',
      'Travel',
      'Conference',
      'Fashion',
    ]);
    expect(late[0]?.date).toEqual(new Date(2027, 1, 21));
    expect(late[5]?.date).toEqual(new Date(2028, 1, 2));
  });
});

describe('the search', () => {
  it('matches title, description, category and location, ignoring case', () => {
    expect(found('ECONOMY forum')).toEqual(['Conference']);
    expect(found('riverside')).toEqual(['Fashion']);
    expect(found(' gaming ')).toEqual(['Gaming']);
    expect(found('kuala')).toEqual(['Conference', 'Travel']);
    expect(found('Sembang')).toEqual([]);
    expect(found('')).toHaveLength(6);
  });

  it('respects the category row', () => {
    expect(found('', 'Beauty')).toEqual(['Beauty']);
    expect(found('kuala', 'Travel')).toEqual(['Travel']);
    expect(found('', 'Lifestyle')).toEqual([]);
  });
});

it('a date plate has two digits and three letters', () => {
  expect(plateOf(new Date(2026, 1, 2))).toEqual({ day: '02', month: 'FEB' });
  expect(plateOf(new Date(2026, 8, 30))).toEqual({ day: '30', month: 'SEP' });
});
