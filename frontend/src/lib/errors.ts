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
