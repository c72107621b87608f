import { expect, it } from 'vitest';
import { cardsOf, HOME_ROWS, HOME_SIZE } from './grid';

const rows = (...ids: number[]) => ids.map((id) => ({ id: String(id) }));
const newest = rows(...Array.from({ length: HOME_ROWS }, (_, place) => place));

it('shows others than the featured creators, in the order of the list', () => {
  expect(cardsOf(newest, rows(0, 3, 99))).toEqual(rows(1, 2, 4, 5, 6, 7, 8, 9));
  expect(cardsOf(newest, [])).toEqual(newest.slice(0, HOME_SIZE));
});

it('fills up with featured creators if there are few others', () => {
  expect(cardsOf(rows(5, 6, 7), rows(6))).toEqual(rows(5, 7, 6));
  expect(cardsOf(rows(6), rows(6))).toEqual(rows(6));
});
