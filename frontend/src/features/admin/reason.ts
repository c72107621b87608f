import { isUnreachable, messageOf } from '@/lib/errors';

/** The reason for a failure to show to the user: the server's message if it responded. */
export function reasonOf(error: unknown): string {
  // Client library errors have a `code`, ours don't; the code tells whether the server responded.
  const fromClient = typeof error === 'object' && error !== null && 'code' in error;
  if (error instanceof TypeError || (fromClient && isUnreachable(error))) return "Serasi isn't responding. Try again.";
  return messageOf(error);
}
