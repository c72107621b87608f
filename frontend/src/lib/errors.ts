/** The server's message, or the specified text for unexpected errors. */
export function messageOf(error: unknown, otherwise = 'An unexpected error occurred'): string {
  if (error && typeof error === 'object' && 'message' in error && typeof error.message === 'string' && error.message) {
    return error.message;
  }
  return otherwise;
}

/** The name of the violated constraint, if the error has one. */
export function constraintOf(error: unknown): string | undefined {
  const text = messageOf(error, '');
  return /constraint "([^"]+)"/.exec(text)?.[1];
}

/** The gateway's error codes for an unreachable database. */
const DATABASE_AWAY = /^PGRST00[0-3]$/;

/** Whether the server could not be reached: the request failed, or the gateway can't reach the database. */
export function isUnreachable(error: unknown): boolean {
  const code = error && typeof error === 'object' && 'code' in error ? error.code : undefined;
  return typeof code !== 'string' || code === '' || DATABASE_AWAY.test(code);
}

/** The reason for a failure to show to the user: the server's message if it responded. */
export function reasonOf(error: unknown): string {
  // Client library errors have a `code`, ours don't; the code tells whether the server responded.
  const fromClient = typeof error === 'object' && error !== null && 'code' in error;
  if (error instanceof TypeError || (fromClient && isUnreachable(error))) return "Serasi isn't responding. Try again.";
  return messageOf(error);
}
