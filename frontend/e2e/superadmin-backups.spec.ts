// The pages about backups and health, with a second `serasi up` that makes real backups of the tests' database.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import pg from 'pg';
import { expectAccessibleInBoth, expectNoSidewaysScroll } from './accessibility';
import { ownStorage } from './own-storage';
import { newStaff, openAs, rowOf } from './staff';
import { test } from './test';

const WIDTHS = [360, 390, 768, 1024, 1440];

/** Returns the number of rows. */
async function inDatabase(statement: string) {
  const client = new pg.Client({ connectionString: process.env.DB_URL });
  await client.connect();
  const { rowCount } = await client.query(statement);
  await client.end();
  return rowCount;
}

test('a superadmin makes a backup, sees its progress and result, and it is verified', async ({
  page,
  request,
  baseURL,
}) => {
  await inDatabase("delete from serasi.system_reports where name = 'backups'");
  await openAs(page, await newStaff(request, 'superadmin'), '/superadmin');
  await page.getByRole('link', { name: 'Backups' }).click();
  await expect(page).toHaveURL(/\/superadmin\/backups$/);
  await expect(page.getByRole('heading', { name: 'Backups are not set up' })).toBeVisible();
  await expect(page.getByText('BACKUP_TO=/var/backups/serasi')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back up now' })).toBeHidden();
  await expectAccessibleInBoth(page);

  const place = await mkdtemp(join(tmpdir(), 'serasi-backups-'));
  const server = await ownStorage(baseURL ?? '', { BACKUP_TO: place, BACKUP_KEEP: '14' });
  try {
    const reports = "select from serasi.system_reports where name = 'backups'";
    await expect.poll(() => inDatabase(reports)).toBe(1);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Back up now' })).toBeVisible();
    await page.getByRole('button', { name: 'Back up now' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('progressbar', { name: 'Backup' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Backing up' })).toBeDisabled();
    const row = rowOf(page, 'Verified').first();
    await expect(row).toBeVisible({ timeout: 60_000 });
    await expect(row).toContainText(/\d.*KB|\d.*MB/);
    await expect(page.getByText('Just now').first()).toBeVisible();
    await expect(page.getByText(place)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Back up now' })).toBeEnabled();
    expect((await readdir(place)).filter((name) => !name.endsWith('.partial'))).toHaveLength(1);
    await expectNoSidewaysScroll(page, WIDTHS);
    await expectAccessibleInBoth(page);

    await page.goto('/superadmin/audit?action=backup');
    await expect(rowOf(page, 'Requested backup').first()).toBeVisible();

    await page.goto('/superadmin/health');
    await expect(page.getByRole('heading', { name: 'Disk space' })).toBeVisible();
    await expect(page.getByText(/^\d.* of .* free$/)).toHaveCount(3);
    await expect(page.getByText('Running', { exact: true })).toBeVisible();
    await expect(page.getByText('This database has no replicas.')).toBeVisible();
    await expect(page.getByText('Up', { exact: true })).toHaveCount(4);
    await expectNoSidewaysScroll(page, WIDTHS);
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'All backups' }).click();
    await expect(page.getByRole('heading', { name: 'Backups', exact: true })).toBeVisible();
  } finally {
    await server.close();
    await rm(place, { recursive: true, force: true });
  }
});

test('a failed backup says why, and an old one is pointed out', async ({ page, request }) => {
  await inDatabase(`
    insert into serasi.backups (state, started_at, finished_at, error)
    values ('failed', now(), now(), 'the backup can''t be written to /full: No space left on device');
    insert into serasi.system_reports (name, data) values ('backups', '{"place": "/backups", "every_hours": 1}')
    on conflict (name) do update set data = excluded.data, reported_at = now() - interval '5 minutes';
    update serasi.backups set finished_at = now() - interval '3 days', verified = false, verified_at = now() where state = 'complete'`);
  await openAs(page, await newStaff(request, 'superadmin'), '/superadmin/backups');
  await expect(rowOf(page, 'Failed').first()).toContainText('No space left on device');
  await page.goto('/superadmin/health');
  await expect(page.getByText(/^(3 days ago|None)$/)).toBeVisible();
});

test('admins see neither page', async ({ page, request }) => {
  await openAs(page, await newStaff(request), '/superadmin/backups');
  await expect(page).toHaveURL(/\/admin$/);
});
