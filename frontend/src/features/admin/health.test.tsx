// The page with the state of the system.
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { serve } from '@/testing/backend';
import { openPart } from '@/testing/render';
import { HealthPage } from './components/health-page';
import { mailsOf, sizeOf, spanOf } from './health';

afterEach(() => vi.unstubAllGlobals());

const HEALTH = {
  program: '1.2.3',
  schema: 35,
  postgres: '18.4',
  started_at: '2026-01-01T00:00:00Z',
  database_bytes: 12_500_000,
  connections: 7,
  max_connections: 100,
  replicas: [
    { name: 'near', state: 'streaming', sync: 'sync', lag_seconds: null, lag_bytes: 0 },
    { name: 'far', state: 'streaming', sync: 'async', lag_seconds: 75, lag_bytes: 4096 },
  ],
  disks: [
    { name: 'database', free: 40_000_000_000, total: 100_000_000_000 },
    { name: 'backups', free: 1_000_000_000, total: 100_000_000_000 },
  ],
  backups: { service: null, last: null },
  outbox: { pending: 3, oldest_at: '2026-01-01T00:00:00Z', given_up: 1000 },
};

const up = {
  'GET /rest/v1/user_roles': () => [],
  'GET /auth/v1/health': () => ({}),
  'GET /storage/v1/status': () => new Response('ok'),
  'GET /functions/v1/create-admin': () => new Response('{}', { status: 405 }),
};

it('shows versions, replicas, e-mail and services', async () => {
  serve({
    ...up,
    'GET /rest/v1/rpc/system_health': () => HEALTH,
    'GET /auth/v1/health': () => new Response('', { status: 503 }),
  });
  openPart(<HealthPage />);
  expect(await screen.findByText('1.2.3')).toBeVisible();
  for (const text of [
    '13 MB',
    '7 of 100',
    '1 minute behind, 4.1 KB',
    'Up to date',
    '1000 or more',
    'Not set up',
    '40 GB of 100 GB free',
  ]) {
    expect(screen.getByText(text)).toBeVisible();
  }
  expect(await screen.findByText('Down')).toBeVisible();
  expect(screen.getAllByText('Up')).toHaveLength(3);
});

it('says so when there is nothing to show', async () => {
  const outbox = { pending: 0, oldest_at: null, given_up: 0 };
  serve({ ...up, 'GET /rest/v1/rpc/system_health': () => ({ ...HEALTH, replicas: [], outbox }) });
  openPart(<HealthPage />);
  expect(await screen.findByText('This database has no replicas.')).toBeVisible();
  expect(screen.queryByText('Oldest')).toBeNull();
});

it('can be tried again after an error', async () => {
  serve({
    ...up,
    'GET /rest/v1/rpc/system_health': () => Response.json({ code: '42501', message: 'No' }, { status: 403 }),
  });
  openPart(<HealthPage />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
});

it('writes sizes and times', () => {
  expect([0, 999, 1000, 12_500_000, 3e9].map(sizeOf)).toEqual(['0 B', '999 B', '1.0 KB', '13 MB', '3.0 GB']);
  expect([0, 1, 59, 60, 7200, 90_000].map(spanOf)).toEqual([
    '0 seconds',
    '1 second',
    '59 seconds',
    '1 minute',
    '2 hours',
    '1 day',
  ]);
  expect([0, 999, 1000].map(mailsOf)).toEqual(['0', '999', '1000 or more']);
});
