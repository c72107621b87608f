// The columns of a gig's applicants, by state.
import { FORMER_MEMBER } from '@/lib/former-member';
import type { Applicant } from './queries';

export interface Column {
  title: string;
  states: readonly string[];
}

export const COLUMNS: readonly Column[] = [
  { title: 'Applied', states: ['applied'] },
  { title: 'Shortlisted', states: ['shortlisted'] },
  { title: 'Accepted', states: ['accepted', 'completed', 'cancelled'] },
  { title: 'Declined or withdrawn', states: ['declined', 'withdrawn'] },
];

/** The applicants of each column, in the order of the list. */
export const columnsOf = (applicants: readonly Applicant[]): Applicant[][] =>
  COLUMNS.map(({ states }) => applicants.filter(({ state }) => states.includes(state)));

const STEPS: Record<string, readonly [column: number, row: number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The applicant that an arrow key leads to. Left and right skip empty columns. */
export function neighbor(columns: readonly Applicant[][], from: string, key: string): Applicant | undefined {
  const step = STEPS[key];
  const column = columns.findIndex((rows) => rows.some(({ id }) => id === from));
  if (!step || column < 0) return undefined;
  const row = columns[column]?.findIndex(({ id }) => id === from) ?? 0;
  if (step[0] === 0) return columns[column]?.[row + step[1]];
  for (let at = column + step[0]; at >= 0 && at < columns.length; at += step[0]) {
    const rows = columns[at] ?? [];
    if (rows.length > 0) return rows[Math.min(row, rows.length - 1)];
  }
  return undefined;
}

export const nameOf = ({ influencers }: Pick<Applicant, 'influencers'>): string => influencers?.name ?? FORMER_MEMBER;
