/** The server's message, or the specification's words for everything else. */
export function messageOf(error: unknown, otherwise = 'An unexpected error occurred'): string {
  if (error && typeof error === 'object' && 'message' in error && typeof error.message === 'string' && error.message) {
    return error.message;
  }
  return otherwise;
}

/** The failed constraint's name, which says which rule was broken. */
export function constraintOf(error: unknown): string | undefined {
  const text = messageOf(error, '');
  return /constraint "([^"]+)"/.exec(text)?.[1];
}

/** The gateway's codes for a database that it can't reach. */
const DATABASE_AWAY = /^PGRST00[0-3]$/;

/** Whether nobody answered, rather than somebody with a refusal: fetch failed, or what stands behind the gateway did. */
export function isUnreachable(error: unknown): boolean {
  const code = error && typeof error === 'object' && 'code' in error ? error.code : undefined;
  return typeof code !== 'string' || code === '' || DATABASE_AWAY.test(code);
}
