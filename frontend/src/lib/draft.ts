// What was typed and not saved when a session ended. It waits for the same person, in this tab alone, for a day.

const DAY = 24 * 60 * 60 * 1000;

export interface Draft<Values> {
  values: Values;
  /** Whether pictures had been chosen, too; files can't be kept. */
  pictures: boolean;
}

interface Kept<Values> extends Draft<Values> {
  userId: string;
  at: number;
}

const keyOf = (kind: string) => `serasi-draft-${kind}`;

export function keepDraft<Values>(kind: string, userId: string, draft: Draft<Values>): void {
  const kept: Kept<Values> = { ...draft, userId, at: Date.now() };
  try {
    window.sessionStorage.setItem(keyOf(kind), JSON.stringify(kept));
  } catch {
    // No room, or storage is off: the page goes on without.
  }
}

export function readDraft<Values>(kind: string, userId: string): Draft<Values> | undefined {
  const kept = read<Values>(kind);
  return kept?.userId === userId ? kept : undefined;
}

export const hasDraft = (kind: string): boolean => read(kind) !== undefined;

export const dropDraft = (kind: string): void => window.sessionStorage.removeItem(keyOf(kind));

function read<Values>(kind: string): Kept<Values> | undefined {
  try {
    const kept: Kept<Values> = JSON.parse(window.sessionStorage.getItem(keyOf(kind)) ?? 'null');
    return kept && Date.now() - kept.at < DAY ? kept : undefined;
  } catch {
    return undefined;
  }
}
