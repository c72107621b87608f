// Formats backups as text.
import { sinceOf, spanOf } from './health';

export interface BackupService {
  place: string;
  every_hours: number | null;
  keep: number | null;
  next_at: string | null;
  seen_at: string;
  running: boolean;
  encrypted: boolean;
}

export interface LastBackup {
  id: string;
  finished_at: string;
  bytes: number;
  verified_at: string | null;
  verified: boolean | null;
}

export interface BackupState {
  /** Null if no program makes backups. */
  service: BackupService | null;
  last: LastBackup | null;
}

export interface BackupRow {
  id: string;
  created_at: string;
  requested_by: string | null;
  state: 'requested' | 'running' | 'complete' | 'failed';
  started_at: string | null;
  finished_at: string | null;
  step: 'tables' | 'pictures' | 'verify' | null;
  percent: number | null;
  place: string | null;
  bytes: number | null;
  row_count: number | null;
  picture_count: number | null;
  verified_at: string | null;
  verified: boolean | null;
  removed_at: string | null;
  error: string | null;
}

/** Whether the backup is waiting, running or being verified. */
export const isOpen = (row: BackupRow): boolean =>
  row.state === 'requested' || row.state === 'running' || row.step !== null;

const STEPS = { tables: 'Saving tables', pictures: 'Saving images', verify: 'Verifying' } as const;

/** For example 'Saving images, 40 %'. */
export function progressOf(row: BackupRow): string {
  if (row.state === 'requested') return 'Waiting to start';
  return row.step ? `${STEPS[row.step]}, ${row.percent ?? 0} %` : 'Starting';
}

/** Allows for the time that a backup takes. */
const GRACE_HOURS = 1;

/** Whether the last backup is older than the schedule allows. */
export function isLate({ service, last }: BackupState, now: number): boolean {
  if (!service?.every_hours) return false;
  if (!last) return true;
  return now - Date.parse(last.finished_at) > (service.every_hours + GRACE_HOURS) * 3_600_000;
}

/** For example 'Every day' or 'Every 6 hours'. */
export function scheduleOf({ every_hours: hours }: BackupService): string {
  if (!hours) return 'On request only';
  if (hours === 1) return 'Every hour';
  return hours === 24 ? 'Every day' : `Every ${hours} hours`;
}

/** For example 'The newest 14', 'All'. */
export function keptOf({ keep }: BackupService): string {
  if (!keep) return 'All';
  return keep === 1 ? 'The newest' : `The newest ${keep}`;
}

export function nextOf({ next_at: next }: BackupService, now: number): string {
  const seconds = next ? (Date.parse(next) - now) / 1000 : 0;
  return seconds < 60 ? 'Now' : `In ${spanOf(seconds)}`;
}

export const agoOf = (iso: string, now: number): string =>
  now - Date.parse(iso) < 60_000 ? 'Just now' : `${sinceOf(iso, now)} ago`;
