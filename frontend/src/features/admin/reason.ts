import { isUnreachable, messageOf } from '@/lib/errors';

/** Why something was refused, for people: the server's own words, if there is a server. */
export function reasonOf(error: unknown): string {
  // Errors of ours are told from those of the clients by the code, which says whether somebody answered.
  const fromClient = typeof error === 'object' && error !== null && 'code' in error;
  if (error instanceof TypeError || (fromClient && isUnreachable(error))) return "Serasi isn't answering. Try again.";
  return messageOf(error);
}
