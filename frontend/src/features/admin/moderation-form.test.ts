import { describe, expect, it } from 'vitest';
import { formOf, moderationForm, moderationFrom, progressOf } from './moderation-form';
import { moderationOf, type RecordRow } from './record-queries';

const ROW: RecordRow = {
  id: 'one',
  user_id: 'two',
  name: 'Nadia',
  location: null,
  created_at: '2026-01-01T00:00:00+00:00',
  access_influencer_page: true,
  access_agencies_page: true,
  access_events_page: false,
  access_gigs_page: true,
  badge_type: 'gold',
  subscription_start_date: '2026-07-01T09:30:00+00:00',
  subscription_end_date: null,
};

describe('the stored values', () => {
  it('are unchanged to the second if the form was not touched', () => {
    expect(moderationFrom(formOf(ROW), ROW)).toEqual(moderationOf(ROW));
  });

  it('are the chosen day, or null', () => {
    const form = { ...formOf(ROW), start: '', end: '2027-06-30' };
    expect(moderationFrom(form, ROW)).toMatchObject({
      subscription_start_date: null,
      subscription_end_date: '2027-06-30T00:00:00Z',
    });
  });
});

describe('the order of the dates', () => {
  const check = (start: string, end: string) => moderationForm.safeParse({ ...formOf(ROW), start, end });
  it('allows one day, and an open end', () => {
    for (const [start, end] of [
      ['2026-07-01', '2026-07-01'],
      ['2026-07-01', ''],
      ['', '2026-07-01'],
    ] as const) {
      expect(check(start, end).success).toBe(true);
    }
  });
  it('rejects an end before the start, with the error on the end date', () => {
    const issue = check('2026-07-02', '2026-07-01').error?.issues[0];
    expect(issue).toMatchObject({ path: ['end'], message: 'The end date must not be before the start date' });
  });
});

describe('subscription progress', () => {
  const on = (day: string) => progressOf('2026-07-01', '2027-06-30', new Date(`${day}T12:00:00`));
  it('counts the used and remaining days, including the last day', () => {
    expect(on('2026-07-01')).toEqual({ used: 0, left: 365 });
    expect(on('2026-11-20')).toEqual({ used: 142, left: 223 });
    expect(on('2027-06-30')).toEqual({ used: 364, left: 1 });
  });
  it('stays within the period', () => {
    expect(on('2026-01-01')).toEqual({ used: 0, left: 365 });
    expect(on('2028-01-01')).toEqual({ used: 365, left: 0 });
    expect(progressOf('2026-07-02', '2026-07-01', new Date())).toBeUndefined();
  });
});
