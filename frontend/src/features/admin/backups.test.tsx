// The page about backups.
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { serve } from '@/testing/backend';
import { openPart } from '@/testing/render';
import { type BackupRow, type BackupService, isLate, keptOf, nextOf, progressOf, scheduleOf } from './backups';
import { BackupsPage } from './components/backups-page';

afterEach(() => vi.unstubAllGlobals());

const NOW = Date.parse('2026-01-10T12:00:00Z');

const SERVICE: BackupService = {
  place: '/backups',
  every_hours: 24,
  keep: 14,
  next_at: '2026-01-10T15:00:00Z',
  seen_at: '2026-01-10T11:59:30Z',
  running: true,
  encrypted: true,
};

const ROW: BackupRow = {
  id: 'a',
  created_at: '2026-01-10T11:00:00Z',
  requested_by: null,
  state: 'complete',
  started_at: '2026-01-10T11:00:00Z',
  finished_at: '2026-01-10T11:00:07Z',
  step: null,
  percent: null,
  place: '/backups/serasi-20260110T110000Z',
  bytes: 12_500_000,
  row_count: 1234,
  picture_count: 3,
  verified_at: '2026-01-10T11:00:08Z',
  verified: true,
  removed_at: null,
  error: null,
};

const list = (rows: BackupRow[]) => () =>
  Response.json(rows, { headers: { 'content-range': `0-${rows.length - 1}/${rows.length}` } });

it('shows each state of a backup', async () => {
  const last = {
    id: 'a',
    finished_at: ROW.finished_at,
    bytes: 12_500_000,
    verified_at: ROW.verified_at,
    verified: true,
  };
  serve({
    'GET /rest/v1/rpc/system_health': () => ({ backups: { service: SERVICE, last } }),
    'GET /rest/v1/backups': list([
      ROW,
      { ...ROW, id: 'b', verified: null, verified_at: null },
      { ...ROW, id: 'c', removed_at: '2026-01-10T11:00:00Z' },
      { ...ROW, id: 'd', verified: false, error: 'pictures.txt is damaged' },
      { ...ROW, id: 'e', state: 'failed', bytes: null, error: 'No space left on device' },
    ]),
  });
  openPart(<BackupsPage />);
  for (const text of [
    'Verified',
    'Complete',
    'Removed',
    'Damaged',
    'Failed',
    'No space left on device',
    'Pictures.txt is damaged',
    'Every day',
  ]) {
    expect((await screen.findAllByText(text)).at(-1)).toBeVisible();
  }
  expect(screen.getByRole('button', { name: 'Back up now' })).toBeEnabled();
});

it('says when no program makes backups any more, and offers none', async () => {
  const service = { ...SERVICE, running: false };
  serve({
    'GET /rest/v1/rpc/system_health': () => ({ backups: { service, last: null } }),
    'GET /rest/v1/backups': list([]),
  });
  openPart(<BackupsPage />);
  expect(await screen.findByText('Not running')).toBeVisible();
  expect(screen.getByText('No backups yet')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Back up now' })).toBeNull();
});

it('can be tried again after an error', async () => {
  serve({
    'GET /rest/v1/rpc/system_health': () => ({ backups: { service: null, last: null } }),
    'GET /rest/v1/backups': () => Response.json({ code: '42501', message: 'No' }, { status: 403 }),
  });
  openPart(<BackupsPage />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
});

it('writes schedules and progress', () => {
  expect([null, 1, 6, 24].map((every_hours) => scheduleOf({ ...SERVICE, every_hours }))).toEqual([
    'On request only',
    'Every hour',
    'Every 6 hours',
    'Every day',
  ]);
  expect([14, null, 1].map((keep) => keptOf({ ...SERVICE, keep }))).toEqual(['The newest 14', 'All', 'The newest']);
  expect([nextOf(SERVICE, NOW), nextOf({ ...SERVICE, next_at: null }, NOW)]).toEqual(['In 3 hours', 'Now']);
  expect(progressOf({ ...ROW, state: 'requested' })).toBe('Waiting to start');
  expect(progressOf({ ...ROW, state: 'running', step: 'pictures', percent: 40 })).toBe('Saving images, 40 %');
});

it('a backup is late an hour after it was due', () => {
  const last = (finished_at: string) => ({ id: 'a', finished_at, bytes: 1, verified_at: null, verified: null });
  expect(isLate({ service: SERVICE, last: last('2026-01-09T11:30:00Z') }, NOW)).toBe(false);
  expect(isLate({ service: SERVICE, last: last('2026-01-09T10:30:00Z') }, NOW)).toBe(true);
  expect(isLate({ service: SERVICE, last: null }, NOW)).toBe(true);
  expect(isLate({ service: { ...SERVICE, every_hours: null }, last: null }, NOW)).toBe(false);
});
