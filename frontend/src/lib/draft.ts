// Preserves unsaved input when a session ends: for the same account, in the same tab, for one day.

const DAY = 24 * 60 * 60 * 1000;

export interface Draft<Values> {
  values: Values;
  /** Whether pictures had been chosen too; session storage can't hold files. */
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
    // Storage is full or disabled: continue without a draft.
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
