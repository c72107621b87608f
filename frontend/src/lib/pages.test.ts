import { describe, expect, it } from 'vitest';
import { type Cursor, cursorAfter, nextCursor, PAGE_SIZE, type Page, type Pageable, pageAfter, totalOf } from './pages';

class Recorder implements Pageable {
  asked: string[] = [];
  private note(text: string) {
    this.asked.push(text);
    return this;
  }
  gte = (column: string, value: string) => this.note(`${column}=gte.${value}`);
  lte = (column: string, value: string) => this.note(`${column}=lte.${value}`);
  or = (filters: string) => this.note(`or=(${filters})`);
  order = (column: string, { ascending }: { ascending: boolean }) =>
    this.note(`${column}.${ascending ? 'asc' : 'desc'}`);
  limit = (rows: number) => this.note(`limit=${rows}`);
}

const row = (number: number): Cursor => ({ created_at: `2026-01-01T00:00:00.${number}+00:00`, id: `id-${number}` });
const page = (rows: number, total: number | null = null): Page<Cursor> => ({
  rows: Array.from({ length: rows }, (_, index) => row(index)),
  total,
});

it('the first page has the newest rows', () => {
  expect(pageAfter(new Recorder(), null).asked).toEqual(['created_at.desc', 'id.desc', 'limit=24']);
});

it('the next page starts after the last row, with a condition that can use an index', () => {
  expect(pageAfter(new Recorder(), row(7)).asked.slice(0, 2)).toEqual([
    'created_at=lte.2026-01-01T00:00:00.7+00:00',
    'or=(created_at.lt."2026-01-01T00:00:00.7+00:00",and(created_at.eq."2026-01-01T00:00:00.7+00:00",id.lt."id-7"))',
  ]);
});

it('other lists have another order, column and size', () => {
  expect(pageAfter(new Recorder(), row(7), { size: 10, ascending: true, by: 'published_at' }).asked).toEqual([
    'published_at=gte.2026-01-01T00:00:00.7+00:00',
    'or=(published_at.gt."2026-01-01T00:00:00.7+00:00",and(published_at.eq."2026-01-01T00:00:00.7+00:00",id.gt."id-7"))',
    'published_at.asc',
    'id.asc',
    'limit=10',
  ]);
});

describe('the last page', () => {
  it('is reached with the last row of the total', () => {
    const first = page(PAGE_SIZE, 30);
    expect(nextCursor(first, [first])).toEqual(row(23));
    expect(nextCursor(page(6), [first, page(6)])).toBeUndefined();
    const only = page(PAGE_SIZE, PAGE_SIZE);
    expect(nextCursor(only, [only])).toBeUndefined();
  });

  it('is the first that is not full, in a list that is not counted', () => {
    const full = page(PAGE_SIZE);
    expect(nextCursor(full, [full])).toEqual(row(23));
    expect(nextCursor(page(23), [full, page(23)])).toBeUndefined();
    expect(cursorAfter(full.rows, PAGE_SIZE + 1)).toBeUndefined();
  });

  it('is reached with a short page, if rows were deleted in the meantime', () => {
    const first = page(PAGE_SIZE, 48);
    expect(nextCursor(page(23), [first, page(23)])).toBeUndefined();
  });
});

it('the total comes from the first page, and is never less than the loaded rows', () => {
  expect(totalOf([page(PAGE_SIZE, 60), page(PAGE_SIZE)])).toBe(60);
  expect(totalOf([page(PAGE_SIZE, 24), page(1)])).toBe(25);
  expect(totalOf([])).toBe(0);
});
