// Says what to do about a save or an upload that failed. The toast's title names what failed.
import { isUnreachable, messageOf } from '@/lib/errors';

const NOT_ALLOWED = 'Sign in again. If that does not help, ask an admin.';

const codeOf = (error: unknown): string =>
  error && typeof error === 'object' && 'code' in error ? String(error.code) : '';

/** The server no longer accepts the session, although this browser still has it. */
export const isSessionOver = (error: unknown): boolean => /^PGRST30[123]$/.test(codeOf(error));

/** The description below 'Failed to save …'. */
export function saveFailure(error: unknown): string {
  if (isUnreachable(error))
    return navigator.onLine
      ? "The server can't be reached. Your changes are still here: save them again in a moment."
      : "You're offline. Your changes are still here: save them when you're back.";
  const code = codeOf(error);
  if (code === '42501') return `Your account may not save this. ${NOT_ALLOWED}`;
  // No space or connection left, read-only because the disk is almost full, or shutting down.
  if (/^(53|25006|57P)/.test(code))
    return "The server can't store changes at the moment. Your changes are still here: save them again later.";
  // Another request holds the row.
  if (/^(55P03|40P01)/.test(code))
    return 'The server is busy. Your changes are still here: save them again in a moment.';
  return messageOf(error);
}

/** The description below 'Failed to upload …'. */
export function uploadFailure(error: unknown): string {
  const status = error && typeof error === 'object' && 'statusCode' in error ? Number(error.statusCode) || 0 : 0;
  if (/quota/.test(messageOf(error, '')))
    return "Your storage is full. Remove pictures that you don't need, then save.";
  switch (status) {
    case 0:
      return navigator.onLine ? 'The connection was lost.' : "You're offline.";
    case 403:
      return `Your account may not store pictures. ${NOT_ALLOWED}`;
    case 413:
      return 'A picture can be at most 10 MB.';
    case 507:
      return "The server can't store pictures at the moment. Try again later.";
    default:
      return status >= 500 ? 'The server has a problem. Try again in a moment.' : messageOf(error);
  }
}
