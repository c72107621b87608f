// Where to go after signing in, for a page that asks for it. Kept in this tab, because a user may go from one
// sign-in page to another first.

const KEY = 'serasi-return-to';
const LONGEST_MS = 15 * 60 * 1000;

/** `path` is a path of this app. */
export function keepReturn(path: string): void {
  try {
    window.sessionStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() }));
  } catch {
    // Storage is full or disabled: sign-in leads to the dashboard.
  }
}

export function returnPath(): string | undefined {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(KEY) ?? 'null');
    const isPath = typeof kept?.path === 'string' && /^\/(?!\/)/.test(kept.path);
    return isPath && Date.now() - kept.at < LONGEST_MS ? kept.path : undefined;
  } catch {
    return undefined;
  }
}

export const dropReturn = (): void => window.sessionStorage.removeItem(KEY);
