import { describe, expect, it } from 'vitest';
import { AUDIT_ADDRESS, actorName, endOf, NO_AUDIT_FILTERS, namedAs, sentenceOf, startOf } from './audit';

const say = (action: string, details: Record<string, unknown> = {}, subject_type = 'influencer') =>
  sentenceOf({ action, subject_type, details });

it('names a person by e-mail address, and a database role System', () => {
  expect(actorName('admin@demo.serasi.test')).toBe('admin@demo.serasi.test');
  for (const role of ['postgres', 'service_role', 'auth_admin', 'authenticated']) {
    expect(actorName(role)).toBe('System');
  }
});

it('a search for System finds what no account changed', () => {
  for (const text of ['System', 'sys', 'SYSTEM']) expect(namedAs(text)).toMatch(/,actor\.not\.like\."%@%"$/);
  for (const text of ['s', 'stem', 'systems', 'nadia', 'admin@demo.serasi.test'])
    expect(namedAs(text)).not.toContain('not.like');
});

describe('the text of an entry', () => {
  it('describes each action', () => {
    expect(say('approve', { approved: { from: false, to: true } })).toBe('Approved influencer');
    expect(say('delete_profile', {}, 'vendor')).toBe('Deleted vendor');
    expect(say('grant_role', { role: 'superadmin' }, 'account')).toBe('Created super admin');
    expect(say('revoke_role', { role: 'admin' }, 'account')).toBe('Removed admin');
    expect(say('reset_factor', { factors: 1 }, 'account')).toBe('Reset second factor');
    expect(say('request_backup', {}, 'backup')).toBe('Requested backup');
    expect(say('take_report', {}, 'gig')).toBe('Took report about gig');
    expect(say('uphold_report', { note: 'Fraud' }, 'gig')).toBe('Upheld report about gig: Fraud');
    expect(say('dismiss_report', { note: 'Fine' }, 'agency')).toBe('Dismissed report about agency: Fine');
    expect(say('close_gig', { note: 'Fraud' }, 'gig')).toBe('Closed gig: Fraud');
    expect(say('block_sender', {}, 'account')).toBe('Blocked account');
    expect(say('unblock_sender', {}, 'guest')).toBe('Unblocked guest');
    expect(say('set_badge', { badge_type: { from: 'none', to: 'gold' } })).toBe('Badge none to gold');
  });

  it('names every page that was opened or closed', () => {
    const details = {
      access_gigs_page: { from: true, to: false },
      access_events_page: { from: true, to: false },
      access_agencies_page: { from: false, to: true },
    };
    expect(say('set_access', details)).toBe('Opened agencies page; Closed gigs page, events page');
  });

  it('names subscription dates independently of the time zone', () => {
    const details = { subscription_end_date: { from: null, to: '2026-12-31T00:00:00+00:00' } };
    expect(say('set_subscription', details)).toBe('Ends 31 Dec 2026, was open');
  });
});

describe("the log's filters in the URL", () => {
  it('keeps valid parameters only', () => {
    const params = new URLSearchParams('q=nadia&action=badge&from=2026-11-01&to=2026-13-01&actor=me');
    expect(AUDIT_ADDRESS.read(params)).toEqual({
      ...NO_AUDIT_FILTERS,
      q: 'nadia',
      action: 'badge',
      from: '2026-11-01',
    });
    expect(AUDIT_ADDRESS.write(NO_AUDIT_FILTERS, params).toString()).toBe('');
  });

  it("a day lasts from its first moment to the next day's", () => {
    expect(new Date(endOf('2026-11-21')).getTime() - new Date(startOf('2026-11-21')).getTime()).toBe(86_400_000);
  });
});
